package report

import (
	"cmp"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/tasks"
)

// waiting stands in the page for the outcome of orders of which nothing is
// known yet.
const waiting = "waiting"

// order is a task as the page shows it.
type order struct{ *Task }

// Self returns the order itself, of whatever shows it.
func (o order) Self() order { return o }

// Unwell reports whether the order has ended, and not well.
func (o order) Unwell() bool { return o.unwell() }

// Outcome returns the order's outcome, or waiting.
func (o order) Outcome() string {
	if o.Task.Outcome == "" {
		return waiting
	}
	return string(o.Task.Outcome)
}

// Where returns the input's lines that ask for the order.
func (o order) Where() string {
	if len(o.Rows) == 0 {
		return ""
	}
	lines := make([]string, len(o.Rows))
	for i, n := range o.Rows {
		lines[i] = strconv.Itoa(n)
	}
	if len(lines) == 1 {
		return "row " + lines[0]
	}
	return "rows " + strings.Join(lines, ", ")
}

// Done returns how many documents are done.
func (o order) Done() int {
	n := 0
	for i := range o.Attachments {
		if o.Attachments[i].State == tasks.AttachmentDone {
			n++
		}
	}
	return n
}

// MS returns the wall time of all attempts, in milliseconds.
func (o order) MS() float64 {
	var sum float64
	for i := range o.Attempts {
		sum += wallMS(&o.Attempts[i])
	}
	return sum
}

// Written returns the number as the rows have it, where that is not the
// canonical one.
func (o order) Written() []string {
	var raws []string
	for _, raw := range o.Raws {
		if raw != o.PO && !slices.Contains(raws, raw) {
			raws = append(raws, raw)
		}
	}
	return raws
}

// Name returns the order's number, or what stands for it.
func (o order) Name() string { return cmp.Or(o.PO, o.Unnumbered()) }

// Unnumbered returns what stands for the number of an order that has none.
func (o order) Unnumbered() string {
	if len(o.Raws) > 0 && strings.TrimSpace(o.Raws[0]) != "" {
		return o.Raws[0]
	}
	return "no number"
}

// FieldNames returns the names of the order's fields, sorted.
func (o order) FieldNames() []string {
	names := make([]string, 0, len(o.Fields))
	for name := range o.Fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// pictured reports whether there is a picture of what the order showed.
func (o order) pictured() bool {
	return slices.ContainsFunc(o.Attempts, func(a Attempt) bool { return slices.ContainsFunc(a.Evidence, isPicture) })
}

// Link returns the address of the order's page, if it is safe to open.
func (o order) Link() string { return webLink(o.URL) }

// Price returns the amount and the currency that the sheet has.
func (o order) Price() string { return strings.TrimSpace(o.Sheet.Amount + " " + o.Sheet.Currency) }

// outcomesOf returns the outcomes that were counted in the order of the bar:
// those that end well, those that do not, and those that are not at their end.
func outcomesOf(counts map[tasks.Outcome]int) []tasks.Outcome {
	rank := func(o tasks.Outcome) int {
		switch {
		case o.Well():
			return 0
		case o.State().Final():
			return 1
		}
		return 2
	}
	known := tasks.Outcomes()
	list := slices.Collect(maps.Keys(counts))
	slices.SortFunc(list, func(a, b tasks.Outcome) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)),
			cmp.Compare(slices.Index(known, a), slices.Index(known, b)), cmp.Compare(a, b))
	})
	return list
}

// fileLink returns a relative link to a file below the session folder, or ""
// for a path that could lead out of it.
func fileLink(name string) string {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00") {
		return ""
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return "./" + strings.Join(parts, "/")
}

// webLink returns an address that is safe to open, or "".
func webLink(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}
