package template

import (
	"errors"
	"fmt"
	"strings"
)

// Part is literal text, or the name of a placeholder.
type Part struct{ Literal, Placeholder string }

// Parse splits a template into its parts. It does not ask whether there are
// such placeholders.
func Parse(source string) ([]Part, error) {
	var parts []Part
	for rest := source; rest != ""; {
		literal, tail, found := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return nil, errors.New("has a } without its {")
		}
		if literal != "" {
			parts = append(parts, Part{Literal: literal})
		}
		if !found {
			break
		}
		name, after, closed := strings.Cut(tail, "}")
		if !closed || strings.Contains(name, "{") {
			return nil, errors.New("has a { without its }")
		}
		if column, is := columnName(name); strings.TrimSpace(name) == "" || is && strings.TrimSpace(column) == "" {
			return nil, fmt.Errorf("has the placeholder {%s}, which names nothing", name)
		}
		parts = append(parts, Part{Placeholder: name})
		rest = after
	}
	return parts, nil
}

// Values are what the placeholders of one order stand for.
type Values struct {
	PO, Digits string
	// Column returns the row's cell in the column of this name, and whether
	// there is such a column. Nil means that there are none.
	Column func(name string) (cell string, ok bool)
}

// Value returns what {po}, {digits} or {column:NAME} stands for, and whether
// the placeholder is one of these and there is such a column.
func (v Values) Value(placeholder string) (value string, known bool) {
	if column, is := columnName(placeholder); is {
		if v.Column == nil {
			return "", false
		}
		return v.Column(column)
	}
	switch placeholder {
	case "po":
		return v.PO, true
	case "digits":
		return v.Digits, true
	}
	return "", false
}

func columnName(placeholder string) (string, bool) {
	return strings.CutPrefix(placeholder, "column:")
}
