package scrape

import (
	"slices"

	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// ReadRows has the values of the sheet's rows tell whose pages are. It is to be called before the first order.
func (p *Portal) ReadRows(values *witness.Values) { p.values = values }

// witnesses returns what the order's pages have shown that speaks for its result.
func (a *attempt) witnesses(p *page) *tasks.Shown {
	s := &tasks.Shown{Number: p.Identity == verdict.IdentitySure, Labels: p.Shown.Labels, Documents: a.task.Sheet.Documents}
	if own := p.ownList; own == nil {
		s.Lists = []tasks.List{a.listOf(p)}
	} else if docs := a.recipe().Attachments; own.Met > 0 || docs == nil || docs.Frame == "" {
		s.Lists = []tasks.List{*own}
	}
	if a.recipe().onlyRelated() {
		s.Lists = nil
	}
	s.Lists = append(s.Lists, p.lists...)
	for _, v := range a.visits {
		if v.list != nil {
			s.Lists = append(s.Lists, *v.list)
		}
	}
	s.Values, s.Row, s.Others = p.countable, p.row, p.others
	return s
}

// listOf returns what a page says of its own list of documents.
func (a *attempt) listOf(p *page) tasks.List {
	l := tasks.List{Met: p.Met, LeftOut: p.LeftOut, Barred: p.Barred != ""}
	l.Around = p.Around
	if l.Count, l.Beside = p.Counted, p.Beside; l.Count == nil && p.Zero != "" && l.Met == 0 {
		l.Count = &tasks.Counted{Text: p.Zero}
	}
	if l.Count != nil && slices.Contains(p.Sizes, l.Count.N) {
		l.Count = &tasks.Counted{N: l.Count.N, Text: l.Count.Text, Asked: true}
	}
	if docs := a.recipe().Attachments; docs != nil {
		l.HasNone, l.Whole = docs.None != "", docs.Whole
		if p.None && !p.NoneVague {
			l.None = "the page shows attachments.none " + quoted(docs.None)
		}
	}
	return l
}
