package scrape

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/filename"
	"github.com/poscrape/poscrape/internal/spelling"
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

// CheckFolder returns a *RecipeError for a placeholder of Folder, or of a save_as, that is
// neither the order's number, nor a field of the recipe, nor one of the sheet's columns.
func (r *Recipe) CheckFolder(columns []string) error {
	err := r.checkPlaceholders("folder", r.Folder, r.folderAt, columns, "po", "digits")
	if docs := r.Attachments; err == nil && docs != nil {
		err = r.checkPlaceholders("attachments.save_as", docs.SaveAs, docs.saveAsAt, columns, saveAsNames...)
	}
	for i, related := range r.Related {
		if docs := related.Attachments; err == nil {
			err = r.checkPlaceholders(fmt.Sprintf("related[%d].attachments.save_as", i), docs.SaveAs, docs.saveAsAt, columns, saveAsNames...)
		}
	}
	return err
}

// checkPlaceholders returns a *RecipeError for a placeholder that is none of own, no field
// and no column.
func (r *Recipe) checkPlaceholders(key, source string, at position, columns []string, own ...string) error {
	parts, err := template.Parse(source)
	if err != nil {
		return fmt.Errorf("reading the recipe's %s: %w", key, err) // ReadRecipe has seen to it
	}
	known := slices.Clone(columns)
	for _, f := range r.Fields {
		if !f.Secret {
			known = append(known, f.Name)
		}
	}
	for _, p := range parts {
		name, isColumn := strings.CutPrefix(p.Placeholder, "column:")
		names := known
		if isColumn {
			names = columns
		}
		if _, ok := template.FindColumn(names, name); ok || p.Placeholder == "" || slices.Contains(own, p.Placeholder) {
			continue
		}
		if !isColumn {
			names = append(names, own...)
		}
		message := fmt.Sprintf("has the placeholder {%s}, and the sheet has no column of that name", p.Placeholder)
		if !isColumn {
			message = fmt.Sprintf("has the placeholder {%s}, which is neither a field of the recipe nor a column of the sheet", p.Placeholder)
		}
		if near := spelling.Nearest(strings.ToLower(name), lowered(names)); near != "" {
			message += fmt.Sprintf("; did you mean {%s%s}?", strings.TrimSuffix(p.Placeholder, name), near)
		}
		return &RecipeError{File: r.File, Line: at.line, Column: at.column, Field: key, Message: message}
	}
	return nil
}

func lowered(names []string) []string {
	low := make([]string, len(names))
	for i, name := range names {
		low[i] = strings.ToLower(name)
	}
	return low
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
		value = strings.TrimSpace(fieldNamed(name, fields))
	}
	if !known && value == "" && values.Column != nil {
		value, _ = values.Column(name)
	}
	if value = strings.TrimSpace(value); value == "" {
		return filename.Unknown
	}
	return value
}

// fieldNamed returns the field of that name, which is compared as columns are.
func fieldNamed(name string, fields map[string]string) string {
	names := slices.Sorted(maps.Keys(fields))
	if i, ok := template.FindColumn(names, name); ok {
		return fields[names[i]]
	}
	return ""
}
