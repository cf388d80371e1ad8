package profiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// writePreferences merges the wanted preferences over those that came with the
// base, if any, and points downloads into the profile.
func (m *ProfileManager) writePreferences(p *Profile) error {
	name := p.dir + "/Default/Preferences"
	merged := map[string]any{}
	old, err := m.root.ReadFile(name)
	switch {
	case err == nil:
		if merged, err = decodeObject(old); err != nil {
			return fmt.Errorf("read Default/Preferences of the base profile: %w; open and close the base in Chrome once to repair it", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	wanted, err := decodeObject(m.cfg.Preferences)
	if err != nil {
		return fmt.Errorf("profiles: Preferences: %w", err)
	}
	merge(merged, wanted)
	merge(merged, map[string]any{"download": map[string]any{"default_directory": p.Downloads}})
	content, err := json.Marshal(merged)
	if err != nil {
		return err
	}
	return m.root.WriteFile(name, content, 0o600)
}

// decodeObject keeps numbers as they are written: preferences hold integers
// that a float would round.
func decodeObject(content []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, err
	}
	if object == nil {
		return nil, errors.New("it is null, not an object")
	}
	return object, nil
}

// merge puts all of from into to, object by object.
func merge(to, from map[string]any) {
	for key, value := range from {
		inner, isObject := value.(map[string]any)
		existing, wasObject := to[key].(map[string]any)
		if isObject && wasObject {
			merge(existing, inner)
			continue
		}
		to[key] = value
	}
}
