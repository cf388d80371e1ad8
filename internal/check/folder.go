package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/setup"
)

// resultName is the file in the folder that has all that was found.
const resultName = "check.json"

// makeFolder makes the folder for pictures, which only its owner can look into. One that is
// named must be new or empty. It returns a *setup.ConfigError.
func makeFolder(named string, now time.Time) (string, error) {
	dir := named
	if dir == "" {
		dir = filepath.Join(setup.DefaultPlace, "check-"+now.Format("20060102-150405"))
	}
	fail := func(err error) (string, error) {
		return "", &setup.ConfigError{Field: "out", Message: fmt.Sprintf("%s cannot be used: %s; name a folder that is new or empty", dir, folder.Reason(err))}
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fail(err)
	}
	err := os.Mkdir(dir, 0o700)
	for n := 2; named == "" && errors.Is(err, os.ErrExist) && n < 100; n++ { // two checks in one second
		dir = filepath.Join(setup.DefaultPlace, fmt.Sprintf("check-%s~%d", now.Format("20060102-150405"), n))
		err = os.Mkdir(dir, 0o700)
	}
	if errors.Is(err, os.ErrExist) {
		var entries []os.DirEntry
		if entries, err = os.ReadDir(dir); err == nil && len(entries) > 0 {
			err = errors.New("it is not empty")
		}
		if err == nil {
			err = os.Chmod(dir, 0o700)
		}
	}
	if err != nil {
		return fail(err)
	}
	return dir, nil
}

// removeEmpty removes a folder that nothing was written to.
func removeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) == 0 {
		err = os.Remove(dir)
	}
	return err
}

// write puts the report into the folder, all of it or nothing.
func (r *Report) write(dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", resultName, err)
	}
	part := filepath.Join(dir, "."+resultName)
	if err = os.WriteFile(part, append(text, '\n'), 0o600); err == nil {
		err = os.Rename(part, filepath.Join(dir, resultName))
	}
	if err != nil {
		_ = os.Remove(part)
		return fmt.Errorf("writing %s: %w", resultName, err)
	}
	return nil
}
