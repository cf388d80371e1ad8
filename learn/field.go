package learn

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/scrape"
)

type number = big.Rat

// Field is one field of a draft.
type Field struct {
	Name string
	// Column is the sheet's column that it was found by, or empty: then the page labels it so.
	Column  string
	Locator scrape.Locator
	// Also are locators of other kinds that find the same.
	Also  []Further
	Match string
	reading
	Required bool
	// Doubts say why a person has to look at it; it is sure without any.
	Doubts []string
	// Unknown says why it is not in the recipe: it is only a suggestion.
	Unknown string
	// Seen is on how many of the Pages that were looked at it was found, Equal on how many of those
	// Compared it is what the sheet says.
	Seen, Pages, Equal, Compared int
	// Example is what it found on the first page.
	Example string

	distinct int
	// strange: its name on the page has nothing in common with the column's.
	strange bool
	// kept: the given recipe has a field of this name, which stays. On so many of the orders that showed both it
	// differs from this one, such as differsOn says.
	kept                  bool
	differs, comparedKept int
	differsOn             string
}

// Further is a locator that finds the same, and the match of what it finds, or empty.
type Further struct {
	scrape.Locator
	Match string
}

// Sure reports whether nothing speaks against the field.
func (f *Field) Sure() bool { return len(f.Doubts) == 0 && f.Unknown == "" }

func (f *Field) doubt(format string, args ...any) {
	f.Doubts = append(f.Doubts, fmt.Sprintf(format, args...))
}

// field finds a column's place on the pages. It returns nil where its values are not seen there.
func (in *induction) field(c *column) *Field {
	all := in.whole(c, in.locators)
	if len(all) == 0 {
		all = in.parts(c, in.locators)
	} else {
		all = append(all, in.wordy(c, all)...)
	}
	if in.onlyPlaces(c, all) {
		all = in.around(c, all)
	}
	all = append(all, in.beside(c, all)...)
	if len(all) == 0 {
		return nil
	}
	data, page := inData(all)
	if len(page) == 0 {
		return in.fieldOf(c, data, nil)
	}
	f := in.fieldOf(c, page, data)
	if f.Unknown == "" || len(data) == 0 {
		return f
	}
	if heard := in.fieldOf(c, data, nil); heard.Unknown == "" {
		heard.doubt("on the page itself: %s", f.Unknown)
		return heard
	}
	return f
}

// fieldOf makes a field of the candidates of one source; data are those of the other.
func (in *induction) fieldOf(c *column, all, data []*candidate) *Field {
	places := in.places(c, all)
	first := places[0]
	best := first.best()
	f := &Field{Column: c.name, Locator: best.Locator, Seen: best.there.count(), Pages: len(in.pages),
		Equal: best.equal.count(), Compared: best.equal.count() + best.other.count()}
	values, wants := in.values(c, best)
	f.Example = values[0]
	if best.part != nil {
		f.Match = best.part.pattern
	}
	how, readable := in.readingOf(c, best)
	f.reading = how
	f.Required, f.strange = f.Seen == f.Pages, in.unlike(c, best) > 1
	in.count(f, wants)
	in.doubtPlace(f, first, data)
	in.doubtRivals(c, f, places)
	in.doubtStrange(c, f, best)
	if symbol := in.vague(c, best); symbol != "" {
		f.doubt("several currencies are written %q", symbol)
	}
	if how.doubt != "" {
		f.doubt("%s", how.doubt)
	}
	if !readable {
		odd := f.Example
		if i := slices.Index(wants, nil); i >= 0 {
			odd = values[i]
		}
		f.Unknown = fmt.Sprintf("it is written in a way that no recipe can read as %s: %q", map[kind]string{amountKind: "an amount", dateKind: "a date"}[c.kind], odd)
	}
	in.findings(c, f, best)
	return f
}

// whole returns the locators that find exactly the column's values.
func (in *induction) whole(c *column, among []scrape.Locator) (all []*candidate) {
	for _, l := range among {
		if one := in.tally(c, l, nil); in.enough(c, one) {
			all = append(all, one)
		}
	}
	return all
}

// mostWordy is how long a value is at most that has other words with it: longer ones are parts of the page.
const mostWordy = 60

// wordy returns the other labels with the column's values among other words ("12.00 incl. VAT"): without
// them, a place that merely often shows the same would be taken for the only one.
func (in *induction) wordy(c *column, whole []*candidate) []*candidate {
	var labels []scrape.Locator
	for _, l := range in.locators {
		if l.Kind == scrape.ByLabel && !slices.ContainsFunc(whole, func(one *candidate) bool { return in.overlap(one, l) }) {
			labels = append(labels, l)
		}
	}
	return in.parts(c, labels)
}

// overlap reports whether a label stands for what a candidate finds, or for a part of the page around it.
func (in *induction) overlap(one *candidate, l scrape.Locator) bool {
	if one.Locator == l {
		return true
	}
	for _, page := range in.pages {
		f, other := page.finds[l], page.finds[one.Locator]
		if f == nil || other == nil {
			continue
		}
		if f.At == other.At || len(f.Value) > mostWordy || one.Label != "" && strings.Contains(f.Value, one.Label) {
			return true
		}
	}
	return false
}

// parts returns the locators that find texts of which a part is the column's values.
func (in *induction) parts(c *column, among []scrape.Locator) (all []*candidate) {
	for _, l := range among {
		if l.Kind == scrape.ByPath || l.Kind == scrape.ByData {
			continue
		}
		if slices.ContainsFunc(in.pages, func(page *seen) bool { return page.finds[l] != nil && page.finds[l].Lines != "" }) {
			if one := in.line(c, l); one != nil {
				all = append(all, one)
				continue
			}
		}
		if one := in.mark(c, l); one != nil {
			all = append(all, one)
			continue
		}
		var short, long []cut
		for i, page := range in.pages {
			if want := in.cells[c][i]; want != nil && page.finds[l] != nil {
				if cuts := in.cutsOf(c, page.finds[l], want); len(cuts) > 0 {
					short, long = append(short, cuts[0]), append(long, longest(cuts))
				}
			}
		}
		// The currency may stand between an amount and what is the same on all pages.
		one := in.cutOut(c, l, short)
		if one == nil {
			one = in.cutOut(c, l, long)
		}
		if one == nil {
			one = in.cutOutMostly(c, l, short, long)
		}
		if one != nil {
			all = append(all, one)
		}
	}
	return all
}

// line returns what finds the most values as a line of several, or nil.
func (in *induction) line(c *column, l scrape.Locator) (best *candidate) {
	for _, p := range lines {
		if one := in.tally(c, l, p); in.enough(c, one) && (best == nil || one.equal.count() > best.equal.count()) {
			best = one
		}
	}
	return best
}

// cutOut returns what finds the values where these texts have them, or nil.
func (in *induction) cutOut(c *column, l scrape.Locator, cuts []cut) *candidate {
	if p := partOf(cuts); p != nil {
		if one := in.tally(c, l, p); in.enough(c, one) {
			return one
		}
	}
	return nil
}

// cutOutMostly returns what two of the texts have in common that finds the most values, if these are more than half of
// what the sheet says: a wrong cell may be what stands elsewhere in such a text.
func (in *induction) cutOutMostly(c *column, l scrape.Locator, lists ...[]cut) (best *candidate) {
	for _, cuts := range lists {
		if 2*len(cuts) <= in.filled(c) {
			continue
		}
		for i, a := range cuts {
			for _, b := range cuts[:i] {
				one := in.cutOut(c, l, []cut{a, b})
				if one != nil && in.most(c, one) && (best == nil || one.equal.count() > best.equal.count()) {
					best = one
				}
			}
		}
	}
	return best
}

// longest returns the first of the longest.
func longest(cuts []cut) cut {
	return slices.MaxFunc(cuts, func(a, b cut) int { return len(a.value) - len(b.value) })
}

// cutsOf returns where in what a locator finds the cell's value is, if it is in one text only: the shortest
// form of it first.
func (in *induction) cutsOf(c *column, f *scrape.Find, want *cell) (found []cut) {
	for _, text := range append([]string{f.Value}, f.Values...) {
		if !mayHold(c, text, want) {
			continue
		}
		cuts := in.cuts(c, text, want)
		if len(cuts) > 0 && found != nil {
			return nil
		}
		if len(cuts) > 0 {
			found = cuts
		}
	}
	return found
}

// mayHold is a quick look whether a text may have a cell's value in it.
func mayHold(c *column, whole string, want *cell) bool {
	switch c.kind {
	case amountKind:
		digits := onlyDigits(whole)
		return slices.ContainsFunc(want.numbers, func(n *number) bool {
			return strings.Contains(digits, onlyDigits(new(big.Int).Quo(n.Num(), n.Denom()).String()))
		})
	case dateKind:
		return slices.ContainsFunc(want.days, func(day string) bool { return len(day) >= 4 && strings.Contains(whole, day[2:4]) })
	}
	fold := compare.Fold(whole)
	return c.role == "currency" || slices.ContainsFunc(want.folds, func(w string) bool { return strings.Contains(fold, w) })
}

func onlyDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// count counts how many different values were right.
func (in *induction) count(f *Field, wants []*cell) {
	values := map[string]bool{}
	for _, want := range wants {
		if want != nil && len(want.folds) > 0 {
			values[want.folds[0]] = true
		}
	}
	f.distinct = len(values)
}

// Words returns a locator as people call it.
func Words(l scrape.Locator) string {
	switch {
	case l.Under != "":
		return fmt.Sprintf("the label %q under %q", l.Label, l.Under)
	case l.Label != "":
		return fmt.Sprintf("the label %q", l.Label)
	case l.Kind == scrape.ByData:
		return fmt.Sprintf("%s in the data of %s", l.Path, l.Answer)
	}
	if l.Attr != "" {
		return l.Attr + " of " + l.Selector
	}
	return l.Selector
}

// findings notes where the sheet and the portal disagree.
func (in *induction) findings(c *column, f *Field, best *candidate) {
	if f.Unknown != "" {
		return
	}
	for i, page := range in.pages {
		if !best.other[i] {
			continue
		}
		value := page.take(best.Locator, best.part)
		in.draft.find(page.Order, "%s: the sheet says %q, the portal %q", c.name, in.cells[c][i].raw, value)
	}
}

// further returns the labelled values that no column has.
func (in *induction) further(fields []*Field) (others []*Field) {
	used := in.usedNames(fields)
	for _, l := range in.locators {
		name := template.FoldColumn(l.Label)
		if l.Label == "" || name == "" || used[name] {
			continue
		}
		values := map[string]bool{}
		seen, example := 0, ""
		for _, page := range in.pages {
			if found := page.at(l); found != nil && found.Value != "" && len(found.Value) <= 200 && found.Seen && !found.Shows {
				seen++
				values[found.Value] = true
				if example == "" {
					example = found.Value
				}
			}
		}
		if seen < 2 || float64(seen) < mostly*float64(len(in.pages)) || len(values) < 2 {
			continue
		}
		used[name] = true
		others = append(others, &Field{Locator: l, reading: readAs(fields, slices.Collect(maps.Keys(values))), Seen: seen, Pages: len(in.pages), Example: example})
		if len(others) == mostFurther {
			break
		}
	}
	return others
}

// usedNames are the labels of fields, and of the columns of tables.
func (in *induction) usedNames(fields []*Field) map[string]bool {
	used := map[string]bool{}
	for _, f := range fields {
		if f.Locator.Label != "" {
			used[template.FoldColumn(f.Locator.Label)] = true
		}
		for _, l := range f.Also {
			used[template.FoldColumn(l.Label)] = true
		}
	}
	for _, page := range in.pages {
		for _, t := range page.Tables {
			for _, head := range t.Heads {
				used[template.FoldColumn(head)] = true
			}
		}
	}
	return used
}

// mostFurther is how many further values are suggested.
const mostFurther = 20
