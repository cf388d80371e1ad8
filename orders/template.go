package orders

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Values are what the placeholders of a URL template stand for.
type Values struct {
	// PO is the canonical number: {po}.
	PO string
	// Digits is the number without its prefix: {digits}.
	Digits string
	// BaseURL is the portal's address: {base_url}. A slash at its end is dropped.
	BaseURL string
	// Column returns the cell of the column with this name, and whether there
	// is such a column: {column:NAME}. Nil means that there are none.
	Column func(name string) (cell string, ok bool)
}

// Expand puts values into a URL template such as "{base_url}/orders/{po}". The
// placeholders are {po}, {digits}, {column:NAME} and {base_url}. All values
// but the base URL are percent-encoded, so that a slash in a number is not one
// in the path; none may be empty. The errors name the placeholder.
func Expand(template string, values Values) (string, error) {
	parsed, err := parseTemplate(template)
	if err != nil {
		return "", err
	}
	return parsed.expand(values)
}

type template []part

// part is a text, or a placeholder: its kind, and the name of a column.
type part struct {
	kind placeholder
	text string
}

type placeholder string

const (
	literal           placeholder = ""
	placePO           placeholder = "po"
	placeDigits       placeholder = "digits"
	placeBaseURL      placeholder = "base_url"
	placeColumn       placeholder = "column"
	knownPlaceholders             = "{po}, {digits}, {column:NAME} and {base_url}"
)

func parseTemplate(source string) (template, error) {
	var parts template
	for rest := source; rest != ""; {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			return append(parts, part{text: rest}), nil
		}
		if rest[open] == '}' {
			return nil, errors.New("a } has no { before it")
		}
		if open > 0 {
			parts = append(parts, part{text: rest[:open]})
		}
		inner, after, closed := strings.Cut(rest[open+1:], "}")
		if !closed || strings.Contains(inner, "{") {
			return nil, fmt.Errorf("the { before %s is not closed by a }", quoted(inner))
		}
		placed, err := parsePlaceholder(inner)
		if err != nil {
			return nil, err
		}
		parts, rest = append(parts, placed), after
	}
	return parts, nil
}

func parsePlaceholder(inner string) (part, error) {
	name, column, hasColumn := strings.Cut(inner, ":")
	kind := placeholder(name)
	switch {
	case !hasColumn && (kind == placePO || kind == placeDigits || kind == placeBaseURL):
		return part{kind: kind}, nil
	case hasColumn && kind == placeColumn && strings.TrimSpace(column) != "":
		return part{kind: kind, text: column}, nil
	}
	return part{}, fmt.Errorf("there is no placeholder {%s}: the placeholders are %s", clip(inner), knownPlaceholders)
}

func (t template) expand(values Values) (string, error) {
	var out strings.Builder
	for _, p := range t {
		text, err := p.value(values)
		if err != nil {
			return "", err
		}
		out.WriteString(text)
	}
	return out.String(), nil
}

func (p part) value(values Values) (string, error) {
	var value string
	switch p.kind {
	case literal:
		return p.text, nil
	case placeBaseURL:
		if values.BaseURL == "" {
			return "", errors.New("{base_url} stands for nothing: write the address itself, or use a recipe with a base_url")
		}
		return strings.TrimRight(values.BaseURL, "/"), nil
	case placePO:
		value = values.PO
	case placeDigits:
		value = values.Digits
	case placeColumn:
		var known bool
		if values.Column != nil {
			value, known = values.Column(p.text)
		}
		if !known {
			return "", fmt.Errorf("there is no column %s", quoted(p.text))
		}
		value = trimInvisible(value)
	}
	if value == "" {
		return "", fmt.Errorf("there is nothing to put in place of {%s}", p)
	}
	return escape(value), nil
}

func (p part) String() string {
	if p.kind == placeColumn {
		return string(p.kind) + ":" + p.text
	}
	return string(p.kind)
}

// columns returns the names of the columns that the template asks for.
func (t template) columns() []string {
	var names []string
	for _, p := range t {
		if p.kind == placeColumn {
			names = append(names, p.text)
		}
	}
	return names
}

// escape encodes all but letters, digits and -._~, which is right in a path, in
// a query and in a fragment.
func escape(value string) string {
	return strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
}
