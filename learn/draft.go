package learn

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// Draft is a recipe with what was seen of each of its lines.
type Draft struct {
	Name     string
	Prefixes []string
	Address
	// Language is the one in which the pages were asked for, or empty.
	Language string
	Identity *Identity
	// Plain: each page says which order it is about, in a way that needs no rule.
	Plain  bool
	Fields []*Field
	// Others are further values that the pages label, as suggestions.
	Others []*Field
	// Unseen are the columns whose values are not on the pages.
	Unseen    []string
	Lines     *Lines
	Documents *Documents
	// Lacking says what on the pages speaks of documents although Documents is nil, or is empty.
	Lacking  string
	NotFound NotFound
	// Findings say where the sheet and the portal disagree, and what else a person may want to know.
	Findings []string
	// Samples and Checked are the numbers of the orders that it was learnt from, and held on.
	Samples, Checked []string
	// Unread counts the orders that were no samples and that it could not read.
	Unread int
	// Holds: what it reads on orders that were no samples is right.
	Holds bool
	// Sure is how many of the orders that it was held against are confirmed, and Unsure what the others lack that
	// ended well, the most first.
	Sure   int
	Unsure []Unsure
	// Kinds is how many kinds of pages the samples are of.
	Kinds int
	// Given is the recipe that the draft completes, or nil; and instead what was learnt and is no part of it then.
	Given   *Given
	instead instead
}

// Unsure are orders that lack the same to be confirmed.
type Unsure struct {
	Orders []string
	// Lacks says what so many orders lack, and Advice what helps.
	Lacks  func(orders int) string
	Advice string
	// Uncounted: nothing says how many documents they have. Few: more orders may confirm them.
	Uncounted, Few bool
}

// Find notes what a person may want to know of an order's page.
func (d *Draft) Find(o Order, format string, args ...any) { d.find(o, format, args...) }

func (d *Draft) find(o Order, format string, args ...any) {
	text := fmt.Sprintf("%s (line %d): %s", o.PO, o.Line, fmt.Sprintf(format, args...))
	if !slices.Contains(d.Findings, text) {
		d.Findings = append(d.Findings, text)
	}
}

// induction is what Learn works on.
type induction struct {
	draft    *Draft
	sheet    Sheet
	pages    []*seen
	columns  []*column
	cells    map[*column][]*cell
	fields   map[*column]*Field
	texts    texts
	locators []scrape.Locator
	// outer are locators of what stands around values, for those that locators do not find.
	outer []scrape.Locator
	// strange are the pages of other kinds than most.
	strange []*seen
}

func byPath(a, b scrape.Locator) int {
	return cmp.Or(cmp.Compare(a.Answer, b.Answer), cmp.Compare(len(a.Path), len(b.Path)), cmp.Compare(a.Path, b.Path))
}

// Learn drafts a recipe from pages of the sheet's orders, at least one.
func Learn(sheet Sheet, pages []Page) *Draft {
	in := &induction{draft: &Draft{Address: addressOf(sheet), Prefixes: Prefixes(sheet)}, sheet: sheet, cells: map[*column][]*cell{}, fields: map[*column]*Field{}, texts: texts{}}
	common := commonParts(pages)
	for _, p := range pages {
		in.pages = append(in.pages, newSeen(p, common))
		in.draft.Samples = append(in.draft.Samples, p.PO)
	}
	in.keepOneKind()
	known := map[scrape.Locator]bool{}
	for _, page := range in.pages {
		for _, f := range page.Finds {
			if !known[f.Locator] {
				known[f.Locator] = true
				in.locators = append(in.locators, f.Locator)
			}
		}
		for _, l := range slices.SortedFunc(maps.Keys(page.finds), byPath) {
			if l.Kind == scrape.ByData && !known[l] {
				known[l] = true
				in.locators = append(in.locators, l)
			}
		}
	}
	in.lookAround()
	in.readColumns()
	in.learn()
	return in.draft
}

func (in *induction) learn() {
	d := in.draft
	d.Language = in.language()
	d.Identity = in.identity()
	d.Plain = !slices.ContainsFunc(in.pages, func(page *seen) bool { return !page.Identified })
	var names []string
	for _, c := range in.columns {
		f := in.known(c)
		if c.role == "" && in.makesAddress(c.index) && (f == nil || !sameName(f.Locator.Label, c.name)) {
			continue // it says where the order is, and the page shows it as nothing else
		}
		if f == nil {
			if slices.ContainsFunc(in.cells[c], func(one *cell) bool { return one != nil }) {
				d.Unseen = append(d.Unseen, c.name)
			}
			continue
		}
		f.Name = unused(&names, fieldName(c.name))
		d.Fields = append(d.Fields, f)
	}
	in.doubtShared()
	settleLocales(d.Fields)
	d.Others = in.further(d.Fields)
	for _, f := range d.Others {
		f.Name = unused(&names, fieldName(f.Locator.Label))
	}
	d.Lines, d.Documents = in.lines(), in.allDocuments()
	if d.Documents == nil {
		d.Lacking = in.lacking()
	}
}

// known is the field of a column, or nil: each is looked for once.
func (in *induction) known(c *column) *Field {
	f, done := in.fields[c]
	if done {
		return f
	}
	if f = in.field(c); f == nil && c.whole {
		f = in.field(in.asAmounts(c))
	}
	in.fields[c] = f
	return f
}

// asAmounts returns the column with its cells read as amounts.
func (in *induction) asAmounts(c *column) *column {
	amounts := c.asAmounts()
	for _, page := range in.pages {
		in.cells[amounts] = append(in.cells[amounts], amounts.cellOf(page.Rows))
	}
	return amounts
}

// doubtShared notes fields of several columns that are one place on the pages.
func (in *induction) doubtShared() {
	for i, a := range in.draft.Fields {
		for _, b := range in.draft.Fields[:i] {
			if a.Locator == b.Locator && a.Match == b.Match && a.Unknown == "" && b.Unknown == "" {
				a.doubt("it is what %s is, too", b.Name)
				b.doubt("it is what %s is, too", a.Name)
			}
		}
	}
}

// readColumns reads the cells of all columns that may be fields.
func (in *induction) readColumns() {
	roleOf := map[int]string{}
	for role, i := range in.sheet.Roles {
		roleOf[i] = role
	}
	for i, name := range in.sheet.Columns[:tasks.OwnColumns(in.sheet.Columns)] {
		if role := roleOf[i]; role == "po" || role == "url" || role == "priority" {
			continue
		}
		var all []string
		for _, o := range in.sheet.Orders {
			for _, row := range o.Rows {
				if i < len(row) {
					all = append(all, row[i])
				}
			}
		}
		c := newColumn(i, cmp.Or(name, fmt.Sprintf("column %d", i+1)), roleOf[i], all)
		if c.filled == 0 {
			continue
		}
		for _, page := range in.pages {
			in.cells[c] = append(in.cells[c], c.cellOf(page.Rows))
		}
		in.columns = append(in.columns, c)
	}
}

// Prefixes returns the letters that all numbers begin with, if they are no usual prefix.
func Prefixes(sheet Sheet) []string {
	prefix := ""
	for _, o := range sheet.Orders {
		end := 0
		for end < len(o.PO) && o.PO[end] >= 'A' && o.PO[end] <= 'Z' {
			end++
		}
		own := o.PO[:end]
		if own == "" || end > 6 || end == len(o.PO) || o.PO[end] < '0' || o.PO[end] > '9' || prefix != "" && own != prefix {
			return nil
		}
		prefix = own
	}
	if prefix == "PO" || prefix == "PM" {
		return nil
	}
	return []string{prefix}
}

// WantsMore reports whether more orders could tell more.
func (d *Draft) WantsMore() bool {
	return len(d.Unseen) > 0 || d.Documents == nil || d.Documents.None == "" && d.Documents.On < 2 ||
		slices.ContainsFunc(d.Fields, func(f *Field) bool { return !f.Sure() })
}
