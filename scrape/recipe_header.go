package scrape

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"golang.org/x/net/http/httpguts"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/template"
)

// Header is a request header that is sent along.
type Header struct {
	Name string
	// Text is the template of its value, or Secret says where that is. Without either, it is what the
	// page itself has sent.
	Text   string
	Secret Secret
	// To are the hosts that it goes to besides the portal's own.
	To []string
	at position
}

// ofPage reports whether its value is what the page itself has sent.
func (h Header) ofPage() bool { return h.Text == "" && h.Secret == Secret{} }

func headerNames(headers []Header) (names []string) {
	for _, h := range headers {
		names = append(names, h.Name)
	}
	return names
}

// headers reads a list of names, or names with values.
func (rd *recipeReader) headers(dst *[]Header) readNode {
	return func(n ast.Node, path string) {
		*dst = nil
		m, valued := n.(*ast.MappingNode)
		l, listed := n.(*ast.SequenceNode)
		switch {
		case valued && len(m.Values) == 0, listed && len(l.Values) == 0:
			rd.problem(n, path, "is empty; give it names of headers, or remove the key")
		case valued:
			rd.each(n, path, func(key ast.Node, name, keyPath string, value ast.Node) {
				if err := checkHeader(name); err != nil {
					rd.problem(key, keyPath, "%v", err)
					return
				}
				*dst = append(*dst, rd.header(name, value, keyPath))
			})
		default:
			var names []string
			many(rd, &names, checkedText(checkHeader))(n, path)
			for _, name := range names {
				*dst = append(*dst, Header{Name: name})
			}
		}
		seen := map[string]bool{}
		for _, h := range *dst {
			if key := strings.ToLower(h.Name); seen[key] {
				rd.problem(n, path, "has %s twice", h.Name)
			} else {
				seen[key] = true
			}
		}
	}
}

// header reads the value of a header: nothing for what the page has sent, where a secret is, or a template.
func (rd *recipeReader) header(name string, n ast.Node, path string) Header {
	at := n.GetToken().Position
	h := Header{Name: name, at: position{at.Line, at.Column}}
	if _, none := n.(*ast.NullNode); none {
		return h
	}
	if _, is := n.(*ast.MappingNode); is {
		seen := rd.keys(n, path, nil, recipeKeys{
			"env": one(rd, &h.Secret.Env, checkedText(checkEnv)), "file": rd.secretFile(&h.Secret), "to": rd.to(&h.To),
			"value": func(n ast.Node, path string) { h.Text = rd.headerText(name, n, path) },
		})
		rd.oneOf(n, path, seen, "env", "file", "value")
		if h.Secret != (Secret{}) {
			h.Secret.Sources = rd.recipe.sources
		}
		return h
	}
	text, is := scalarText(n)
	switch kind, _, _ := strings.Cut(text, ":"); {
	case !is:
		rd.problem(n, path, "%v", wrongKind(n, "text"))
	case kind == "env" || kind == "file":
		one(rd, &h.Secret, rd.parseSecret)(n, path)
	default:
		h.Text = rd.headerText(name, n, path)
	}
	return h
}

// headerText reads the template of a header's value.
func (rd *recipeReader) headerText(name string, n ast.Node, path string) (text string) {
	one(rd, &text, func(n ast.Node) (string, error) {
		text, is := scalarText(n)
		if !is {
			return "", wrongKind(n, "text")
		}
		return text, checkHeaderText(name, text)
	})(n, path)
	if text != "" {
		rd.bodies = append(rd.bodies, placed{n, path, text})
	}
	return text
}

var errSecretText = errors.New("looks like a secret, which does not belong in a recipe; write env:NAME or file:PATH, or a field with cookie or storage")

// checkHeaderText says what is wrong with the template of a header's value.
func checkHeaderText(name, text string) error {
	parts, err := template.Parse(text)
	if err != nil {
		return err
	}
	if text == "" {
		return errors.New("is empty; give it a value, or none for what the page itself sends")
	}
	filled, fixed := "", true
	for _, part := range parts {
		fixed = fixed && part.Placeholder == ""
		filled += part.Literal + strings.Repeat("x", min(len(part.Placeholder), 1))
		switch placeholder := part.Placeholder; {
		case placeholder == "":
		case !valueName.MatchString(placeholder) && !strings.HasPrefix(placeholder, "column:"):
			return fmt.Errorf("has the placeholder {%s}, which is not known; it can be {po}, {digits}, {base_url}, {column:NAME} or the name of a field", placeholder)
		}
		for _, word := range strings.Fields(part.Literal) {
			if kind, _, is := strings.Cut(strings.ToLower(word), ":"); is && (kind == "env" || kind == "file") {
				return errors.New("has a secret among other words; write env:NAME or file:PATH alone, in small letters, and have that hold all of the value, as \"Bearer ...\"")
			}
			if len(word) >= minPiece && browser.SaysSecret(name) {
				return errSecretText
			}
		}
	}
	if fixed && strings.EqualFold(name, "Authorization") {
		return errSecretText
	}
	if !headerText(filled) {
		return errors.New("has characters that no header can have")
	}
	return nil
}

// headerText reports whether a text can be sent as the value of a header as it is.
func headerText(text string) bool {
	return strings.TrimSpace(text) != "" && httpguts.ValidHeaderFieldValue(text) && !strings.ContainsFunc(text, func(r rune) bool { return r > '~' })
}
