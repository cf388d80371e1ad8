// Package yamltree parses YAML that somebody else may have written: only as deep as people nest
// it, because the memory that its parser takes grows with the square of the depth.
package yamltree

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// MaxDepth is how deep lists, mappings, anchors and tags may stand in each other.
const MaxDepth = 100

// DepthError says that a text is nested more deeply than MaxDepth, and where it begins to be.
type DepthError struct{ Line, Column int }

func (e *DepthError) Error() string {
	return fmt.Sprintf("lists and mappings are nested more than %d deep; write them flatter", MaxDepth)
}

// Parse parses a text. Its error is a *DepthError, or one of the parser's.
func Parse(text []byte) (*ast.File, error) {
	tokens := lexer.Tokenize(string(text))
	if at := tooDeep(tokens); at != nil {
		return nil, &DepthError{at.Position.Line, at.Position.Column}
	}
	return parser.Parse(tokens, 0)
}

// level is a list or mapping in block style, by the column in which its entries begin.
type level struct {
	column int
	list   bool
}

// nesting is what a token stands in.
type nesting struct {
	levels []level
	flow   int // brackets
	marks  int // anchors and tags: for the parser, each holds what comes after it
}

// tooDeep returns the first token that is nested too deeply, or nil.
func tooDeep(tokens token.Tokens) *token.Token {
	var in nesting
	for _, t := range tokens {
		in.nest(t)
		in.mark(t)
		if in.flow+len(in.levels)+in.marks > MaxDepth {
			return t
		}
	}
	return nil
}

func (n *nesting) nest(t *token.Token) {
	switch t.Type {
	case token.DocumentHeaderType:
		n.levels = nil
	case token.SequenceStartType, token.MappingStartType:
		n.flow++
	case token.SequenceEndType, token.MappingEndType:
		n.flow--
	case token.SequenceEntryType, token.MappingKeyType:
		n.enter(level{t.Position.Column, t.Type == token.SequenceEntryType})
	case token.MappingValueType:
		if t.Prev != nil && n.flow == 0 {
			n.enter(level{t.Prev.Position.Column, false})
		}
	}
}

// enter ends what does not go on with an entry of this level. A mapping's list may begin in the
// mapping's own column.
func (n *nesting) enter(l level) {
	for i := len(n.levels); i > 0; i-- {
		last := n.levels[i-1]
		if last.column < l.column || last.column == l.column && l.list && !last.list {
			break
		}
		n.levels = n.levels[:i-1]
	}
	n.levels = append(n.levels, l)
}

func (n *nesting) mark(t *token.Token) {
	switch {
	case t.Type == token.AnchorType, t.Type == token.AliasType, t.Type == token.TagType:
		n.marks++
	case t.Prev == nil || t.Prev.Type != token.AnchorType && t.Prev.Type != token.AliasType: // else it is a name
		n.marks = 0
	}
}
