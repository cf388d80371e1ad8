package scrape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/registry"
	"github.com/theory/jsonpath/spec"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/amount"
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
	if len(text) > maxRecipeBytes || strings.Count(text, "(")+strings.Count(text, "[") > mostBrackets {
		return nil, fmt.Errorf("has more than %d brackets", mostBrackets)
	}
	all, err := jsonpath.NewParser(jsonpath.WithRegistry(functions())).Parse(text)
	if err != nil {
		reason := strings.TrimPrefix(err.Error(), "jsonpath: ")
		return nil, fmt.Errorf(`is no JSON path (RFC 9535): %s; write one such as "$.order.total", "$.documents[*]" or "$['invoice-no']"`, reason)
	}
	if err := checkPath(all.String()); err != nil {
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

// functions returns those of RFC 9535. Up to v0.12.0 of the library, match and search panic
// where an argument is not there, for which they are to return false (TestPathElements).
func functions() *registry.Registry {
	r := registry.New()
	for _, name := range []string{"match", "search"} {
		own := *r.Get(name)
		*r.Get(name) = *spec.Extension(name, own.ReturnType(), own.Validate, func(args []spec.PathValue) spec.PathValue {
			for _, arg := range args {
				if spec.ValueFrom(arg) == nil {
					return spec.LogicalFalse
				}
			}
			return own.Evaluate(args)
		})
	}
	return r
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

// scalar returns the text of a value, and whether it is a single one. Null has none.
func scalar(value any) (text string, single bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return fmt.Sprint(v), true
	case nil:
		return "", true
	}
	return "", false
}

// guard is what some servers put before JSON, so that no other site's scripts can run it.
var guard = regexp.MustCompile(`^(\)\]\}'?,?|while\s*\(\s*1\s*\)\s*;?|for\s*\(\s*;\s*;\s*\)\s*;?|\{\}\s*&&)`)

var (
	errEmpty  = errors.New("was answered with an empty body in place of JSON")
	errPage   = errors.New("was answered with a web page in place of JSON")
	errBroken = errors.New("was answered with broken JSON")
	errDeep   = errors.New("was answered with JSON that is nested too deeply to be looked through")
)

// parseJSON reads one value. Numbers keep their digits.
func parseJSON(body []byte) (any, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	text = bytes.TrimSpace(text[len(guard.Find(text)):])
	switch {
	case len(text) == 0:
		return nil, errEmpty
	case text[0] == '<':
		return nil, errPage
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, errBroken
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errBroken
	}
	if tooDeep(value) {
		return nil, errDeep
	}
	return value, nil
}

// jsonNumber is a number of JSON, in its parts.
var jsonNumber = regexp.MustCompile(`^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,3}))?$`)

// mostZeros bounds the exponent of a number of JSON.
const mostZeros = 100

// plainNumber writes a number of JSON without an exponent.
func plainNumber(text string) (string, error) {
	m := jsonNumber.FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%w: %q is longer than any", amount.ErrNot, text)
	}
	exponent := 0
	if m[4] != "" {
		if _, err := fmt.Sscan(m[4], &exponent); err != nil || exponent < -mostZeros || exponent > mostZeros {
			return "", fmt.Errorf("%w: %q is too large or too small for one", amount.ErrNot, text)
		}
	}
	digits, point := m[2]+m[3], len(m[2])+exponent
	if point <= 0 {
		digits, point = strings.Repeat("0", 1-point)+digits, 1
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	whole, fraction := strings.TrimLeft(digits[:point], "0"), digits[point:]
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	if strings.Trim(digits, "0") == "" {
		return whole + fraction, nil // there is no negative nothing
	}
	return m[1] + whole + fraction, nil
}
