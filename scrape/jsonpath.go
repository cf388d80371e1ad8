package scrape

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/jsondata"
)

// Path finds values in JSON, as RFC 9535 says.
type Path struct {
	text string
	// ofOrder: the text has placeholders of the order's values, and is a path once they are filled in.
	ofOrder bool
	all     *jsonpath.Path
	// list is what holds the values that all finds, or nil where all finds single ones, or looks for
	// them everywhere. single: it finds single ones.
	list   *jsonpath.Path
	single bool
}

// ParsePath reads a path. Its errors go on after the key that it stands under.
func ParsePath(text string) (*Path, error) {
	if len(text) > maxRecipeBytes {
		return nil, errors.New("is too long")
	}
	all, err := jsondata.ParsePath(text)
	if err != nil {
		return nil, err
	}
	p := &Path{text: text, all: all}
	segments := all.Query().Segments()
	if len(segments) == 0 {
		return p, nil
	}
	last := segments[len(segments)-1]
	if selectors := last.Selectors(); len(selectors) == 1 {
		switch selectors[0].(type) {
		case spec.Name, spec.Index:
			p.single = true
			return p, nil
		}
	}
	if last.IsDescendant() {
		return p, nil
	}
	p.list = jsonpath.New(spec.Query(true, segments[:len(segments)-1]...))
	return p, nil
}

// namesOrder reports whether a text has a placeholder for the order's number.
func namesOrder(text string) bool {
	return strings.Contains(text, "{po}") || strings.Contains(text, "{digits}")
}

func (p *Path) String() string {
	if p == nil {
		return ""
	}
	return p.text
}

// find returns the values at the path, those of an object in the order of their names.
func (p *Path) find(value any) (found []any) {
	for _, at := range p.locate(value) {
		found = append(found, at.value)
	}
	return found
}

// locate is find, with the places of the values.
func (p *Path) locate(value any) []place { return located(p.all, value) }

func located(path *jsonpath.Path, value any) (found []place) {
	nodes := path.SelectLocated(value)
	nodes.Sort()
	for _, node := range nodes {
		found = append(found, place{node.Node, node.Path})
	}
	return found
}

// elements returns the values at the path, and those within it where it leads to a list
// itself. listed: there is such a list, though it may be empty. Null is none, nor is an object
// without anything in it.
func (p *Path) elements(value any) (found []any, listed bool) {
	for _, at := range p.places(value) {
		found = append(found, at.value)
	}
	isList := func(at place) bool { _, is := at.value.([]any); return is }
	return found, len(found) > 0 || slices.ContainsFunc(p.locate(value), isList) || p.list != nil && slices.ContainsFunc(located(p.list, value), isList)
}

// places is elements, with the places of the values.
func (p *Path) places(value any) (found []place) {
	for _, at := range p.locate(value) {
		switch inner, isList := at.value.([]any); {
		case isList:
			for i, element := range inner {
				found = append(found, place{element, slices.Concat(at.path, spec.NormalizedPath{spec.Index(i)})})
			}
		case at.value == nil && p.list == nil, p.single && (empty(at.value) || at.value == false):
		default:
			found = append(found, at)
		}
	}
	return found
}

// empty reports whether a value is null, or a text, list or object with nothing in it.
func empty(value any) bool {
	return !anyScalar(value, func(text string) bool { return strings.TrimSpace(text) != "" })
}

// instead says what stands in the place of the list that there should be at the path, or is empty.
func (p *Path) instead(value any) string {
	places := p.locate(value)
	if p.list != nil {
		places = located(p.list, value)
	}
	isList := func(at place) bool { _, is := at.value.([]any); return is }
	if len(places) == 0 || slices.ContainsFunc(places, isList) {
		return ""
	}
	text, err := json.Marshal(places[0].value)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("the answer has %s at %s, and only [] says that a list is empty", browser.RedactText(shortly(string(text))), p.text)
}

// Condition holds for an element of a list if any value at the path has the text; without a
// text, if any is there, and is neither null, false, 0 nor empty.
type Condition struct {
	Path *Path
	Text *regexp.Regexp
}

func (c *Condition) String() string {
	if c.Text == nil {
		return c.Path.text
	}
	return c.Path.text + " " + c.Text.String()
}

func (c *Condition) holds(element any) bool {
	for _, node := range c.Path.find(element) {
		text, single := scalar(node)
		switch {
		case c.Text != nil && single && c.Text.MatchString(text):
			return true
		case c.Text == nil && (!single || text != "" && text != "false" && text != "0"):
			return true
		}
	}
	return false
}

// What most of data is looked at by.
var scalar, anyScalar = jsondata.Scalar, jsondata.AnyScalar
