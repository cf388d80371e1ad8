package drift

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Order is what was read of one order.
type Order struct {
	// Name tells it from others.
	Name string
	// Group is what it has in common with others, its supplier, or empty where that is not known.
	Group string
	// Required are the places that must not be empty on any order.
	Required map[string]bool
	// Met is how many elements each place of the recipe has met: fields, lines.row,
	// attachments.item. A place that was not looked for is not there.
	Met map[string]int
	// Fields are what was read at the fields' places.
	Fields map[string]Value
}

// Value is what a field has read.
type Value struct {
	Text string
	// Unreadable: it is no value of the field's type.
	Unreadable bool
	// Sheet says whether the sheet says the same; nil where it says nothing.
	Sheet *bool
}

// answer is what an order says to a signal.
type answer struct {
	key
	yes bool
	// group is what the order has in common with those that say the same for one reason.
	group string
	// oneWay: only that yes becomes no is a change.
	oneWay bool
	says   func(run, usual, all int) string
}

// The questions.
const (
	asksMet     = "met"
	asksSingle  = "single"
	asksFew     = "few"
	asksRead    = "read"
	asksLetters = "letters"
	asksDigits  = "digits"
	asksSign    = "currency sign"
	asksShort   = "short"
	asksLong    = "long"
	asksVaries  = "varies"
	asksSheet   = "sheet"
)

// answers returns what an order says, in a fixed order.
func (w *Watch) answers(o Order) (all []answer) {
	for _, where := range slices.Sorted(maps.Keys(o.Met)) {
		met := o.Met[where]
		_, is := o.Fields[where]
		group := o.Group
		if o.Required[where] {
			group = ""
		}
		all = append(all, answer{key: key{where, asksMet}, yes: met > 0, group: group, oneWay: true, says: of("met nothing", "something")})
		switch {
		case met == 0:
		case is || where == "identity":
			all = append(all, answer{key: key{where, asksSingle}, yes: met == 1, oneWay: true, says: of("met several elements", "one")})
		default:
			all = append(all, w.few(where, met))
		}
	}
	for _, where := range slices.Sorted(maps.Keys(o.Fields)) {
		all = append(all, w.shape(o, where, o.Fields[where])...)
	}
	return all
}

// few asks whether a place meets no more elements than it ever has, and some.
func (w *Watch) few(where string, met int) answer {
	few := w.most[where] == 0 || met <= 3*w.most[where]+5
	if few {
		w.most[where] = max(w.most[where], met)
	}
	return answer{key: key{where, asksFew}, yes: few, oneWay: true, says: of("met many more elements than ever before", "fewer")}
}

// shape asks what a field's text looks like.
func (w *Watch) shape(o Order, where string, v Value) (all []answer) {
	text := strings.TrimSpace(v.Text)
	if text == "" {
		return nil
	}
	ask := func(asks string, yes bool, what string) {
		all = append(all, answer{key: key{where, asks}, yes: yes, group: text, says: has(what, yes)})
	}
	all = append(all, answer{key: key{where, asksRead}, yes: !v.Unreadable, oneWay: true, says: of("could not be read", "could")})
	length := len([]rune(text))
	if len(text) > longestGroup {
		text = text[:longestGroup]
	}
	ask(asksLetters, strings.ContainsFunc(text, unicode.IsLetter), "letters")
	ask(asksDigits, strings.ContainsFunc(text, unicode.IsDigit), "digits")
	ask(asksSign, strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Sc, r) }), "a currency sign")
	ask(asksShort, length <= 3, "three characters or fewer")
	ask(asksLong, length > 80, "more than 80 characters")
	if before := w.last[where]; before != "" {
		all = append(all, answer{key: key{where, asksVaries}, yes: text != before, group: o.Group, oneWay: true, says: of("read the same text as on the order before it", "another")})
	}
	w.last[where] = text
	if v.Sheet != nil {
		all = append(all, answer{key: key{where, asksSheet}, yes: *v.Sheet, group: text, oneWay: true, says: of("read something else than the sheet says", "the same")})
	}
	return all
}

// longestGroup in bytes is how much of a text tells it from others.
const longestGroup = 200

// of says what the last orders did, and what those before.
func of(now, before string) func(run, usual, all int) string {
	return func(run, usual, all int) string {
		return fmt.Sprintf("%s on the last %d orders, and %s on %d of %d before", now, run, before, usual, all)
	}
}

// has says that the texts have something now, or have it no more.
func has(what string, now bool) func(run, usual, all int) string {
	is, was := "without", "with"
	if now {
		is, was = was, is
	}
	return of("read texts "+is+" "+what, was+" it")
}
