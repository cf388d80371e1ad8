// Package jsregexp writes patterns of Go in the words of JavaScript.
package jsregexp

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

// Of returns a pattern of Go in the words of JavaScript, with the flag u, so that it finds
// the same there; it is empty for none. Both prefer the same match, so groups are the same too.
func Of(pattern *regexp.Regexp) string {
	if pattern == nil {
		return ""
	}
	tree, err := syntax.Parse(pattern.String(), syntax.Perl)
	if err != nil { // it was compiled
		return "(?!)"
	}
	var b strings.Builder
	writePattern(&b, tree)
	return b.String()
}

// inScriptWords are the parts of patterns that have one form there.
var inScriptWords = map[syntax.Op]string{
	syntax.OpNoMatch: "(?!)", syntax.OpEmptyMatch: "(?:)",
	syntax.OpAnyChar: "[^]", syntax.OpAnyCharNotNL: `[^\n]`,
	syntax.OpBeginText: "(?<![^])", syntax.OpEndText: "(?![^])",
	syntax.OpBeginLine: `(?<![^\n])`, syntax.OpEndLine: `(?![^\n])`,
	syntax.OpWordBoundary: `\b`, syntax.OpNoWordBoundary: `\B`,
}

func writePattern(b *strings.Builder, tree *syntax.Regexp) {
	inner := func(open, between string) {
		b.WriteString(open)
		for i, sub := range tree.Sub {
			if i > 0 {
				b.WriteString(between)
			}
			writePattern(b, sub)
		}
		b.WriteString(")")
	}
	switch tree.Op {
	case syntax.OpLiteral:
		for _, r := range tree.Rune {
			writeRune(b, r, tree.Flags&syntax.FoldCase != 0)
		}
	case syntax.OpCharClass:
		b.WriteString("[")
		for i := 0; i+1 < len(tree.Rune); i += 2 {
			fmt.Fprintf(b, `\u{%x}-\u{%x}`, tree.Rune[i], tree.Rune[i+1])
		}
		b.WriteString("]")
	case syntax.OpCapture:
		inner("(", "")
	case syntax.OpConcat:
		inner("(?:", "")
	case syntax.OpAlternate:
		inner("(?:", "|")
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		inner("(?:", "")
		b.WriteString(timesOf(tree))
		if tree.Flags&syntax.NonGreedy != 0 {
			b.WriteString("?")
		}
	default:
		b.WriteString(inScriptWords[tree.Op])
	}
}

// writeRune writes a rune, and those that are the same in the other case.
func writeRune(b *strings.Builder, r rune, fold bool) {
	fmt.Fprintf(b, `[\u{%x}`, r)
	for other := unicode.SimpleFold(r); fold && other != r; other = unicode.SimpleFold(other) {
		fmt.Fprintf(b, `\u{%x}`, other)
	}
	b.WriteString("]")
}

// timesOf says how often what is repeated may stand there.
func timesOf(tree *syntax.Regexp) string {
	switch {
	case tree.Op == syntax.OpStar:
		return "*"
	case tree.Op == syntax.OpPlus:
		return "+"
	case tree.Op == syntax.OpQuest:
		return "?"
	case tree.Max < 0:
		return fmt.Sprintf("{%d,}", tree.Min)
	}
	return fmt.Sprintf("{%d,%d}", tree.Min, tree.Max)
}
