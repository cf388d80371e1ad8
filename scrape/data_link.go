package scrape

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/template"
)

// DataLink says what the address of a document in the portal's data is: the value at a path
// ("$.href"), or a template that has paths in it ("/files/{$.id}").
type DataLink struct {
	text  string
	parts []linkPart
}

// linkPart is literal text, the value at a path, or the placeholder of an order's value.
type linkPart struct {
	literal, placeholder string
	path                 *Path
}

// errSameLink: nothing in the template of an address differs.
var errSameLink = errors.New(`is the same for each document; it needs the path of what differs, as in "/files/{$.id}"`)

// ParseDataLink reads the address of a document. Its errors go on after the key that it stands
// under.
func ParseDataLink(text string) (*DataLink, error) { return parseLink(text, "") }

// parseLink is ParseDataLink for addresses that may differ by a placeholder of this name as well.
func parseLink(text, differs string) (*DataLink, error) {
	if !strings.Contains(text, "{") {
		path, err := ParsePath(text)
		if err != nil {
			return nil, fmt.Errorf(`%w; an address with such a path in it is written "/files/{$.id}"`, err)
		}
		return &DataLink{text: text, parts: []linkPart{{path: path}}}, nil
	}
	parts, err := template.Parse(text)
	if err != nil {
		return nil, err
	}
	link := &DataLink{text: text}
	var sample strings.Builder // the template with {po} in place of each path
	paths := 0
	for _, part := range parts {
		p := linkPart{literal: part.Literal, placeholder: part.Placeholder}
		sample.WriteString(part.Literal)
		switch {
		case strings.HasPrefix(part.Placeholder, "$"):
			if p.path, err = ParsePath(part.Placeholder); err != nil {
				return nil, fmt.Errorf("has the placeholder {%s}, which %w", part.Placeholder, err)
			}
			p.placeholder = ""
			paths++
			sample.WriteString("{po}")
		case part.Placeholder == differs && differs != "":
			paths++
			sample.WriteString("{po}")
		case fieldName(part.Placeholder) != "":
			sample.WriteString("{po}")
		case part.Placeholder != "":
			sample.WriteString("{" + part.Placeholder + "}")
		}
		link.parts = append(link.parts, p)
	}
	if paths == 0 {
		return nil, errSameLink
	}
	if err := cmp.Or(checkTemplate(sample.String()), checkReadAddress(text)); err != nil {
		return nil, err
	}
	return link, nil
}

func parseDataLink(n ast.Node) (*DataLink, error) {
	text, err := parseText(n)
	if err != nil {
		return nil, err
	}
	return ParseDataLink(text)
}

func (l *DataLink) String() string { return l.text }

// address returns the address of a document, or "" where the data lacks a part of it. fill
// fills in the order's values. In a template, a value stands for one segment of the path or one
// value of the query, and is escaped.
func (l *DataLink) address(element any, fill func(string) (text, why string)) string {
	if len(l.parts) == 1 && l.parts[0].path != nil && l.parts[0].path.text == l.text {
		return firstText(l.parts[0].path, element)
	}
	var b strings.Builder
	for _, part := range l.parts {
		b.WriteString(part.literal)
		switch {
		case part.path != nil:
			value := firstText(part.path, element)
			if noValue(value) || value == "." || value == ".." {
				return ""
			}
			b.WriteString(strings.ReplaceAll(url.QueryEscape(value), "+", "%20"))
		case part.placeholder != "":
			value, why := fill("{" + part.placeholder + "}")
			if why != "" {
				return ""
			}
			b.WriteString(value)
		}
	}
	return b.String()
}

// firstText returns the first value at a path that is a single one and not blank, or "".
func firstText(path *Path, element any) string {
	for _, value := range path.find(element) {
		if text, single := scalar(value); single && strings.TrimSpace(text) != "" {
			return strings.TrimSpace(text)
		}
	}
	return ""
}
