package scrape

import (
	"errors"
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/internal/filename"
	"github.com/poscrape/poscrape/internal/template"
)

// maxFolderLevels bounds the depth of a recipe's folder, so that the path of a
// document stays within the 260 characters that Windows grants by default.
const maxFolderLevels = 4

// checkFolderTemplate returns what is wrong with a folder template, or nil.
func checkFolderTemplate(folder string) error {
	if _, err := template.Parse(folder); err != nil {
		return err
	}
	levels := splitFolder(folder)
	switch {
	case strings.ContainsRune(folder, '\\'):
		return errors.New(`has a \; write / between folders`)
	case strings.HasPrefix(folder, "/") || len(folder) > 1 && folder[1] == ':':
		return errors.New("must be a path below the session's orders folder, not an absolute one")
	case len(levels) > maxFolderLevels:
		return fmt.Errorf("has %d levels; at most %d are possible", len(levels), maxFolderLevels)
	}
	for _, level := range levels {
		if strings.TrimSpace(level) == "" {
			return errors.New("has a folder without a name; remove the / too many")
		}
		if strings.Trim(level, ". ") == "" {
			return fmt.Errorf("has %q in it; a folder stays below the session's orders folder", level)
		}
	}
	return nil
}

// splitFolder splits at each "/" outside of placeholders.
func splitFolder(folder string) []string {
	levels := []string{""}
	inside := false
	for _, r := range folder {
		if r == '/' && !inside {
			levels = append(levels, "")
			continue
		}
		inside = r == '{' || inside && r != '}'
		levels[len(levels)-1] += string(r)
	}
	return levels
}

// expandFolder fills in a recipe's folder: {po} and {digits} are the order's
// number; another {name} is a field, else a column, else "unknown". The result
// is a relative path with "/" between safe names, as deep as the template,
// whatever the values are. Two orders can have the same.
func expandFolder(folder string, values template.Values, fields map[string]string) string {
	var names []string
	for _, level := range splitFolder(folder) {
		parts, err := template.Parse(level)
		if err != nil {
			parts = []template.Part{{Literal: level}} // not of a recipe that was read
		}
		var name strings.Builder
		for _, p := range parts {
			name.WriteString(p.Literal)
			if p.Placeholder != "" {
				name.WriteString(folderValue(p.Placeholder, values, fields))
			}
		}
		names = append(names, filename.SafeFolder(name.String()))
	}
	return strings.Join(names[:min(len(names), maxFolderLevels)], "/")
}

func folderValue(name string, values template.Values, fields map[string]string) string {
	value, known := values.Value(name)
	if !known {
		value = strings.TrimSpace(fields[name])
	}
	if !known && value == "" && values.Column != nil {
		value, _ = values.Column(name)
	}
	if value = strings.TrimSpace(value); value == "" {
		return filename.Unknown
	}
	return value
}
