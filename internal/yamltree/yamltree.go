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

// tooDeep returns the first token that is nested too deeply, or nil.
func tooDeep(tokens token.Tokens) *token.Token {
	var levels []level
	enter := func(column int, list bool) {
		for n := len(levels); n > 0 && (levels[n-1].column > column || levels[n-1].column == column && (levels[n-1].list || !list)); n-- {
			levels = levels[:n-1]
		}
		levels = append(levels, level{column, list})
	}
	flow, marks := 0, 0 // for the parser, each anchor and tag holds what comes after it
	for _, t := range tokens {
		switch t.Type {
		case token.DocumentHeaderType:
			levels = nil
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType:
			enter(t.Position.Column, t.Type == token.SequenceEntryType)
		case token.MappingValueType:
			if t.Prev != nil && flow == 0 {
				enter(t.Prev.Position.Column, false)
			}
		}
		switch {
		case t.Type == token.AnchorType || t.Type == token.AliasType || t.Type == token.TagType:
			marks++
		case t.Prev == nil || t.Prev.Type != token.AnchorType && t.Prev.Type != token.AliasType: // else it is a name
			marks = 0
		}
		if flow+len(levels)+marks > MaxDepth {
			return t
		}
	}
	return nil
}
