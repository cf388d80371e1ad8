package jsondata

import (
	"errors"
	"fmt"
	"strings"
)

// Nothing stops a path once it is looked up, so what it may cost is bounded before: by what a path may
// say, such that it looks at each value so many times at most as there are values around it, and by how deeply
// an answer may be nested that is large as well.

const (
	mostEverywhere = 2           // ".." in a path
	mostSelectors  = 100         // the product of how many selectors stand in each bracket
	mostBrackets   = 1000        // that open
	mostNested     = 50          // brackets and parentheses in each other
	freeDepth      = 30          // of an answer of any size
	mostSteps      = 200_000_000 // values of a deeper one, times its depth twice: each is looked at and handed up
)

// brackets are those that are open at a place in a path, "?" for a filter's, with how many selectors
// stand in each so far.
type brackets struct {
	open      []byte
	selectors []int
	filters   int
	// product is that of all brackets that were closed.
	product int
}

func (b *brackets) begin(c byte, filter bool) {
	if filter {
		b.filters++
		c = '?'
	}
	b.open, b.selectors = append(b.open, c), append(b.selectors, 1)
}

func (b *brackets) end() {
	if last := len(b.open) - 1; last >= 0 {
		if b.open[last] == '?' {
			b.filters--
		}
		b.product = min(b.product*b.selectors[last], mostSelectors+1)
		b.open, b.selectors = b.open[:last], b.selectors[:last]
	}
}

// comma counts another selector; in parentheses it stands between arguments.
func (b *brackets) comma() {
	if last := len(b.open) - 1; last >= 0 && b.open[last] != '(' {
		b.selectors[last]++
	}
}

// checkPath returns what a path, as the library writes it, would cost too much for, or nil.
func checkPath(path string) error {
	in, everywhere := brackets{product: 1}, 0
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '"', '\'':
			i = endOfText(path, i)
		case '[', '(':
			in.begin(path[i], strings.HasPrefix(path[i:], "[?"))
		case ']', ')':
			in.end()
		case ',':
			in.comma()
		case '$':
			if in.filters > 0 && !single(path[i+1:]) {
				return errors.New("has a filter that looks through the whole answer ($) for each value; name a single value, as in $.order.number")
			}
		case '.':
			if !strings.HasPrefix(path[i:], "..") {
				continue
			}
			i++
			if everywhere++; everywhere > mostEverywhere {
				return fmt.Errorf("looks everywhere (..) more than %d times; name the way, as in $.order.documents[*]", mostEverywhere)
			}
			if in.filters > 1 {
				return errors.New("has a filter in a filter that looks everywhere (..); name the way there")
			}
		}
		if len(in.open) > mostNested {
			return fmt.Errorf("is nested more than %d deep", mostNested)
		}
	}
	if in.product > mostSelectors {
		return errors.New("selects the same values too often; name fewer selectors in its brackets")
	}
	return nil
}

// endOfText returns where a text ends that begins at i with its quote.
func endOfText(path string, i int) int {
	for quote := path[i]; i+1 < len(path); {
		i++
		switch path[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return i
}

// single reports whether a path, behind its $, leads to one value.
func single(path string) bool {
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '[':
		case '"', '\'':
			i = endOfText(path, i)
		case '*', '?', ':', ',', '.':
			return false
		case ']':
			if i+1 == len(path) || path[i+1] != '[' && path[i+1] != '.' {
				return true
			}
		default:
			if i == 0 {
				return true
			}
		}
	}
	return true
}

// tooDeep reports whether a value is nested so deeply, for how large it is, that no path should be looked
// up in it.
func tooDeep(value any) bool {
	values, deepest := 0, 0
	var visit func(value any, depth int)
	visit = func(value any, depth int) {
		values++
		deepest = max(deepest, depth)
		switch v := value.(type) {
		case []any:
			for _, inner := range v {
				visit(inner, depth+1)
			}
		case map[string]any:
			for _, inner := range v {
				visit(inner, depth+1)
			}
		}
	}
	visit(value, 0)
	return deepest > freeDepth && values*deepest*deepest > mostSteps
}
