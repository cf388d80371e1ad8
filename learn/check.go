package learn

import (
	"fmt"
	"slices"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// Checked is an order that the draft was not learnt from, as the draft has read it.
type Checked struct {
	Order
	Result *tasks.Result
	// Err is why there is no result, or nil.
	Err error
	// strange: its page is of another kind than those that the draft is for.
	strange bool
}

// Check adds what came of orders that the draft was not learnt from, and says whether it holds: most of
// them show their numbers, and most of what they list can be had.
func (d *Draft) Check(sheet Sheet, orders []Checked) {
	read, inVain, why := 0, 0, ""
	strange := 0
	for i, o := range orders {
		d.Checked = append(d.Checked, o.PO)
		if o.Result == nil {
			d.find(o.Order, "the draft did not read it: %v", o.Err)
			d.Unread++
			continue
		}
		read++
		if d.lacks(o.Result) {
			orders[i].strange = true
			strange++
			d.find(o.Order, otherKind)
		}
		if missing := o.Result.Missing; missing != nil && missing.Class == tasks.ClassIncomplete && d.Documents != nil {
			d.find(o.Order, "%s", missing.Message)
			d.Documents.Incomplete++
		}
		_, done, failed, _ := o.Result.Count()
		if failed > 0 {
			why = firstError(o.Result)
			d.find(o.Order, "%s could not be had: %s", plural(failed, "document"), why)
			inVain++
		}
		if d.Documents != nil {
			d.Documents.had(done, failed)
		}
	}
	if d.Documents != nil {
		d.Documents.judge(inVain, why)
	}
	if 0 < strange && strange < read {
		d.Kinds = max(d.Kinds, 2)
	}
	columns := sheet.columns()
	for _, f := range d.Fields {
		if f.Unknown == "" {
			d.checkField(f, columns[f.Column], orders)
		}
	}
	d.doubtOdd()
	read -= strange
	d.Holds = 2*read > len(orders) && d.numbered() && d.Documents != nil && d.Documents.Confirmed
}

// numbered reports whether something shows each order's number.
func (d *Draft) numbered() bool { return d.Identity != nil || d.Plain || d.Given.Has("identity") }

func firstError(r *tasks.Result) string {
	for _, a := range r.Attachments {
		if a.Error != nil {
			return a.Error.Message
		}
	}
	return "no reason is known"
}

// judge notes what orders that it was not learnt from speak against the documents: of inVain of them, some could
// not be had, because of why.
func (d *Documents) judge(inVain int, why string) {
	if d.Incomplete > 0 {
		d.Confirmed = false
		d.Doubts = append(d.Doubts, fmt.Sprintf("of orders that it was not learnt from, %d may have more documents than it finds; see the end", d.Incomplete))
	}
	if d.Failed > 0 {
		d.Doubts = append(d.Doubts, fmt.Sprintf("of orders that it was not learnt from, %d of %s could not be had", d.Failed, plural(d.Done+d.Failed, "document")))
		if d.Clicked && d.Done == 0 && inVain > 1 {
			d.Refuted = why
		}
	}
}

// had notes what came of an order's documents.
func (d *Documents) had(done, failed int) {
	d.Done += done
	d.Failed += failed
	d.Confirmed = d.Done > d.Failed
}

// columns returns what is known of the sheet's columns, by their names.
func (s Sheet) columns() map[string]*column {
	in := &induction{sheet: s, cells: map[*column][]*cell{}}
	in.readColumns()
	byName := map[string]*column{}
	for _, c := range in.columns {
		byName[c.name] = c
	}
	return byName
}

// lacks reports whether an order's page has hardly anything of what the draft asks of every page: then it is of
// another kind, and says nothing of what every order has.
func (d *Draft) lacks(r *tasks.Result) bool {
	required, missing := 0, 0
	for _, f := range d.Fields {
		if f.Unknown != "" || !f.Required {
			continue
		}
		required++
		if field, there := r.Fields[f.readAs()]; !there || field.Raw == "" {
			missing++
		}
	}
	return required >= fewRequired && 2*missing > required
}

// fewRequired is how many required fields must be known before their absence says something of the page.
const fewRequired = 3

func (d *Draft) checkField(f *Field, c *column, orders []Checked) {
	equal, other, missing, ambiguous, unread := 0, 0, 0, 0, 0
	known := texts{}
	if f.Type == scrape.FieldAmount && c.whole {
		c = c.asAmounts()
	}
	for _, o := range orders {
		if o.Result == nil {
			continue
		}
		f.Pages++
		d.compareKept(f, o)
		field, there := o.Result.Fields[f.readAs()]
		switch {
		case there && field.Ambiguous:
			ambiguous++
			continue
		case there && field.Error != "" && onlyDigits(field.Raw) != "":
			unread++
			continue
		case !there || field.Value == "":
			switch {
			case o.strange:
			case c.cellOf(o.Rows) == nil:
				f.Required = false // the sheet says so, too
			default:
				missing++
			}
			continue
		}
		f.Seen++
		want := c.cellOf(o.Rows)
		switch {
		case want == nil:
		case known.of(valueOf(field)).is(c, want) || known.of(field.Raw).is(c, want):
			equal++
		default:
			other++
			d.find(o.Order, "%s: the sheet says %q, the portal %q", c.name, want.raw, field.Raw)
		}
	}
	f.Equal += equal
	f.Compared += equal + other
	if unread > 0 {
		f.doubt("on %s that it was not learnt from, its value could not be read as %s", plural(unread, "order"), f.Type)
	}
	f.judge(equal, other, missing, ambiguous)
}

// doubtOdd notes fields that the page calls otherwise than the sheet, and that differ from it on several orders, or on
// one where other columns are right: who has asked for an order may have placed most of them, too.
func (d *Draft) doubtOdd() {
	for _, f := range d.Fields {
		odd := f.Compared - f.Equal
		if !f.strange || odd == 0 || f.Unknown != "" {
			continue
		}
		var others []float64
		for _, other := range d.Fields {
			if other != f && other.Unknown == "" && other.Compared > 0 {
				others = append(others, other.wrong())
			}
		}
		slices.Sort(others)
		if n := len(others); odd > 1 || n > 0 && others[(n-1)/2] == 0 {
			f.doubt("the page calls it otherwise than the sheet, which says something else on %d of %d", odd, f.Compared)
		}
	}
}

// wrong is on which share of the orders the sheet says something else.
func (f *Field) wrong() float64 { return float64(f.Compared-f.Equal) / float64(max(1, f.Compared)) }

func valueOf(f tasks.Field) string {
	if f.Value != "" {
		return f.Value
	}
	return f.Raw
}

// judge says what the other orders have shown of a field.
func (f *Field) judge(equal, other, missing, ambiguous int) {
	if ambiguous > 0 {
		f.doubt("on %s, elements with different texts were met", plural(ambiguous, "order"))
	}
	switch {
	case missing > 0 && f.Required:
		f.Required = false
		f.doubt("it is not on all orders")
	case missing > equal:
		f.doubt("it was missing on %d of the orders that it was not learnt from", missing)
	}
	if 4*other > equal+other {
		f.doubt("on orders that it was not learnt from, it was right on %d of %d", equal, equal+other)
	}
	if equal+other == 0 {
		f.doubt("no order that it was not learnt from could be compared")
	}
	f.Doubts = slices.Compact(f.Doubts)
}
