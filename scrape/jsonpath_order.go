package scrape

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/poscrape/poscrape/tasks"
)

// A path may name the order in one of its texts, as in $.hits[?@.number=='{po}'], or have a cell of its
// row there, as in $.hits[?@.id=='{column:Invoice}'].

var (
	// pathPlaceholder is what stands for a value of the order in a path.
	pathPlaceholder = regexp.MustCompile(`\{(po|digits|column:[^{}]+)\}`)
	// columnInPattern is a cell that may stand in a regular expression, where its characters mean something
	// else.
	columnInPattern = regexp.MustCompile(`\b(?:match|search)\s*\(.*\{column:`)
)

// parseOrderPath reads a path that may have the order's values in its texts.
func parseOrderPath(text string) (*Path, error) {
	with := func(column string) (*Path, error) {
		return ParsePath(filledPath(text, func(name string) string {
			if strings.HasPrefix(name, "column:") {
				return column
			}
			return "0"
		}))
	}
	p, err := with("' ]") // which stands nowhere but in a text
	if err != nil {
		_, plain := with("0")
		if _, named := with("x"); plain != nil && named != nil {
			return nil, plain
		}
		return nil, errors.New("has {column:NAME} outside of a text; write it in quotes, as in $.hits[?@.id=='{column:NAME}']")
	}
	if columnInPattern.MatchString(text) {
		return nil, errors.New("has {column:NAME} in match or search, or behind them, where a cell's characters could mean something else; compare it by ==, before them")
	}
	p.ofOrder = pathPlaceholder.MatchString(text)
	p.text = text
	return p, nil
}

// filledPath fills in the order's values in a path. What would end the text that they stand in is escaped.
func filledPath(path string, value func(name string) string) string {
	return pathPlaceholder.ReplaceAllStringFunc(path, func(placeholder string) string {
		var b strings.Builder
		for _, r := range value(strings.Trim(placeholder, "{}")) {
			if r < ' ' || strings.ContainsRune(`'"\`, r) {
				fmt.Fprintf(&b, `\u%04x`, r)
			} else {
				b.WriteRune(r)
			}
		}
		return b.String()
	})
}

// forOrder returns the path for one order. told tells the order's values; why says which is missing, or
// is empty.
func (p *Path) forOrder(told func(placeholder string) (value, why string)) (own *Path, why string, err error) {
	if p == nil || !p.ofOrder {
		return p, "", nil
	}
	filled := func(more string) string {
		return filledPath(p.text, func(name string) string {
			value, missing := told(name)
			if missing != "" {
				why = missing
			}
			return strings.TrimSpace(value) + more
		})
	}
	own, err = ParsePath(filled(""))
	switch {
	case why != "":
		return nil, why, nil
	case err != nil:
		return nil, "", fmt.Errorf("%q with the order's values: %w", p.text, err)
	}
	own.text = p.text
	if own.list != nil {
		other, err := ParsePath(filled("0"))
		if err == nil && other.list != nil && other.list.String() == own.list.String() {
			own.list = nil // it is all orders': that others are there says nothing of this one
		}
	}
	return own, "", nil
}

// pathInto returns a path that stands at a place in the recipe for this order, and what it is looked up in:
// nothing, where the order lacks a value that the path needs.
func (a *attempt) pathInto(set *dataset, at string, path *Path) (*Path, *dataset, error) {
	own, why, err := path.forOrder(func(name string) (string, string) { return a.standsFor(path.text, name, nil) })
	switch {
	case err != nil:
		return nil, nil, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassPage, "%s %w", at, err)
	case why != "":
		return path, &dataset{why: why}, nil
	}
	return own, set, nil
}
