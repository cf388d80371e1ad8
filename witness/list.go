package witness

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/tasks"
)

// sizes are those that lists show at most on a page.
var sizes = []int{10, 20, 25, 50, 100}

// lists returns by what all lists of an order are whole, or what is lacking. Recorded is what the pages are known by.
func (s *Session) lists(o order, recorded tasks.ProofKind) (by tasks.ProofKind, text string, lack Lack) {
	switch recorded {
	case tasks.ProofFields:
		return "", "", ""
	case tasks.ProofUnasked:
		return "", "", LacksQuestion
	}
	if len(o.shown.Lists) == 0 {
		return "", "", LacksCount
	}
	all, promised := o.met(), o.shown.Documents
	if promised != nil && *promised != all {
		return "", "", LacksSheet
	}
	if promised != nil && (all > 0 || s.kindOf(o.key).met()) {
		by, text = tasks.ProofSheet, fmt.Sprintf("its row says that there are %d", all)
	}
	for i, l := range o.shown.Lists {
		kind, says, lacks := s.list(o, i, l)
		switch {
		case kind != "" && (i == 0 || by == ""):
			by, text = kind, says
		case kind == "" && by != tasks.ProofSheet:
			return "", "", lacks
		}
	}
	if s.warned(o, by) {
		return "", "", LacksSelector
	}
	return by, text, ""
}

func (o order) met() (n int) {
	for _, l := range o.shown.Lists {
		n += l.Met
	}
	return n
}

func (k *kind) met() bool {
	return slices.ContainsFunc(k.lists, func(l *list) bool { return l.met })
}

// list returns by what one list of an order is whole, or what is lacking.
func (s *Session) list(o order, i int, l tasks.List) (by tasks.ProofKind, text string, lack Lack) {
	known := s.kindOf(o.key).lists[i]
	text, lack = s.byCount(o, known, l)
	if lack == "" {
		return tasks.ProofCount, text, ""
	}
	for _, at := range slices.Sorted(maps.Keys(l.Beside)) {
		if n := l.Beside[at]; known.beside[at].counts(n) && (n > 0 || known.answers(l) && !l.Barred) {
			return tasks.ProofCount, fmt.Sprintf("%s: %d", strings.TrimLeft(at, "./"), n), ""
		}
	}
	if l.None != "" && l.Met == 0 {
		if lack = known.byNone(l); lack == "" {
			return tasks.ProofMarker, l.None, ""
		}
	}
	switch {
	case !l.Whole || l.Met == 0 && !known.met:
		return "", "", lack
	case l.Barred:
		return "", "", LacksHost
	}
	return tasks.ProofWhole, "the recipe says that what attachments.item meets is all", ""
}

// byCount returns the count by which a list is whole, or what is lacking.
func (s *Session) byCount(o order, known *list, l tasks.List) (text string, lack Lack) {
	c := l.Count
	switch {
	case c == nil || c.N != l.Met:
		return "", LacksCount
	case c.Asked || s.pageful(o, c.N):
		return "", LacksPage
	case c.N == 0 && (len(known.counts) < 2 || !known.answers(l)):
		return "", LacksOtherCount
	case c.N == 0 && l.Barred:
		return "", LacksHost
	}
	return c.Text, ""
}

// byNone returns what is lacking for a list without documents to be one by attachments.none, or "".
func (k *list) byNone(l tasks.List) Lack {
	switch {
	case k.marked:
		return LacksClearNone
	case !k.unmarked:
		return LacksOtherNone
	case l.Barred:
		return LacksHost
	}
	return ""
}

// answers reports whether a list without documents stands in no data, or in such as others had documents in: an
// answer that says more, or less, may say why it lists none.
func (k *list) answers(l tasks.List) bool { return l.Around == 0 || k.around[l.Around] }

// counts reports whether a number beside a list is known to be a count of its elements, though its name does not say
// so: as in enough orders, it differs from order to order as the lists do, and is not the largest of several, which
// may be how much a list holds at most.
func (b *beside) counts(n int) bool {
	most := slices.Max(slices.Collect(maps.Keys(b.numbers)))
	return !b.differs && b.orders >= enough && len(b.numbers) > 1 && (n < most || b.numbers[n] == 1)
}

// pageful reports whether a count may be that of one page of a longer list.
func (s *Session) pageful(o order, n int) bool {
	return slices.Contains(sizes, n) && s.most[o.key.portal] == n && s.counted[n] > 1
}

// warned reports whether a selector that a witness rests on has stopped to meet anything.
func (s *Session) warned(o order, by tasks.ProofKind) bool {
	if s.Warned == nil || by == tasks.ProofFields {
		return false
	}
	for _, where := range []string{"attachments.item", "attachments.json.items", "attachments.link", "attachments.json.link"} {
		if s.Warned(o.key.portal, where) {
			return true
		}
	}
	return by == tasks.ProofMarker && s.Warned(o.key.portal, "attachments.none") || by == tasks.ProofCount && s.Warned(o.key.portal, "attachments.count")
}
