package scrape

import (
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// Pick says which elements of a page are meant: those that Selector meets; with a Text those of them, or
// without a Selector those of all controls, on which people read that and nothing else.
type Pick struct {
	Selector string `json:"selector"`
	Text     string `json:"text"`
}

// String is the pick as messages quote it.
func (p Pick) String() string {
	switch {
	case p.Text == "":
		return strconv.Quote(p.Selector)
	case p.Selector == "":
		return fmt.Sprintf("with the text %q", p.Text)
	}
	return fmt.Sprintf("%q with the text %q", p.Selector, p.Text)
}

func (p Pick) none() bool { return p == Pick{} }

// named is the pick with its place in the recipe.
func (p Pick) named(field string) namedSelector {
	if p.Selector == "" {
		return namedSelector{field: field, selector: p.Text, text: true}
	}
	return namedSelector{field: field, selector: p.Selector, more: p.Text}
}

// pick reads a selector, or the text of a control, alone or on what a selector meets.
func (rd *recipeReader) pick(dst *Pick) readNode {
	return func(n ast.Node, path string) {
		if _, is := n.(*ast.MappingNode); !is {
			rd.selector(&dst.Selector)(n, path)
			return
		}
		rd.keys(n, path, []string{"text"}, recipeKeys{"selector": rd.selector(&dst.Selector), "text": one(rd, &dst.Text, parseText)})
	}
}

// picks reads a list of them, or one.
func (rd *recipeReader) picks(dst *[]Pick) readNode {
	return func(n ast.Node, path string) {
		*dst = nil
		rd.eachOf(n, path, func(n ast.Node, path string) {
			var p Pick
			if rd.pick(&p)(n, path); !p.none() {
				*dst = append(*dst, p)
			}
		})
	}
}

// also reads a list of selectors, or one, each of them alone or with a match.
func (rd *recipeReader) also(dst *[]AlsoRule) readNode {
	return func(n ast.Node, path string) {
		*dst = nil
		rd.eachOf(n, path, func(n ast.Node, path string) {
			var one AlsoRule
			if rd.selectorOf(&one.Selector, nil, &one.Match)(n, path); one.Selector != "" {
				*dst = append(*dst, one)
			}
		})
	}
}

// eachOf calls read for each element of a list, or for what is none. Keys of an element have its number in their path.
func (rd *recipeReader) eachOf(n ast.Node, path string, read readNode) {
	list, is := n.(*ast.SequenceNode)
	if !is {
		read(n, path)
		return
	}
	for i, one := range list.Values {
		at := path
		if _, is := one.(*ast.MappingNode); is {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		read(one, at)
	}
}
