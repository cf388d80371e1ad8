package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/tasks"
)

// How much of each finding the page tells before its table of all orders.
const (
	maxShownOfReason = 12
	maxDiffering     = 40
	maxProven        = 6
	maxSlowest       = 10
)

// findings are what the page tells of single orders before its table, gathered as they pass by.
type findings struct {
	// differing are the first orders where sheet and portal differ, and differ counts all.
	differing []order
	differ    int
	proofs    map[tasks.ProofKind]*provenEmpty
	slowest   []order
	// ends are when orders came to their end.
	ends []time.Time
	// supplier, amount and buyer: the sheet has them of some order.
	supplier, amount, buyer bool
}

// provenEmpty are the orders that are proven to have no documents in one way.
type provenEmpty struct {
	By     tasks.ProofKind
	Orders int
	// First are the first of them, those with a picture before the others.
	First []order
}

func newFindings() *findings {
	return &findings{proofs: map[tasks.ProofKind]*provenEmpty{}}
}

func (f *findings) add(t *Task) {
	o := order{t}
	f.supplier = f.supplier || t.Sheet.Supplier != ""
	f.amount = f.amount || t.Sheet.Amount != ""
	f.buyer = f.buyer || t.Sheet.Buyer != ""
	if len(t.Differences) > 0 {
		f.differ++
		if len(f.differing) < maxDiffering {
			f.differing = append(f.differing, o)
		}
	}
	if t.Proof != nil && t.Outcome == tasks.OutcomeNoAttachments {
		f.prove(o)
	}
	if t.CompletedAt != nil && len(t.Attempts) > 0 {
		f.ends = append(f.ends, *t.CompletedAt)
		f.time(o)
	}
}

func (f *findings) prove(o order) {
	p := f.proofs[o.Proof.By]
	if p == nil {
		p = &provenEmpty{By: o.Proof.By}
		f.proofs[o.Proof.By] = p
	}
	p.Orders++
	if len(p.First) < maxProven {
		p.First = append(p.First, o)
	} else if o.pictured() {
		if i := slices.IndexFunc(p.First, func(o order) bool { return !o.pictured() }); i >= 0 {
			p.First[i] = o
		}
	}
}

func (f *findings) time(o order) {
	if len(f.slowest) == maxSlowest && o.MS() <= f.slowest[maxSlowest-1].MS() {
		return
	}
	i, _ := slices.BinarySearchFunc(f.slowest, o.MS(), func(o order, ms float64) int { return -cmp.Compare(o.MS(), ms) })
	f.slowest = slices.Insert(f.slowest, i, o)
	f.slowest = f.slowest[:min(len(f.slowest), maxSlowest)]
}

// group are reasons of one title with their first orders, as the page shows them.
type group struct {
	// N is its number on the page, from 1.
	N       int
	Title   string
	Outcome tasks.Outcome
	Orders  int
	Shown   []shownOrder
	// Message is that of all the orders shown, or empty where they differ.
	Message string
}

// shownOrder is an order with its picture, if the page carries that.
type shownOrder struct {
	order
	Picture *picture
}

// groups returns the reasons by their titles, those of most orders first, and of each reason
// its place among them.
func (r *Report) groups() (groups []group, places []int) {
	at := map[string]int{}
	for _, reason := range r.reasons {
		title := reason.Title()
		i, known := at[title]
		if !known {
			i = len(groups)
			at[title] = i
			groups = append(groups, group{Title: title, Outcome: reason.Outcome, Message: reason.Message})
		}
		g := &groups[i]
		g.Orders += reason.Orders
		for _, o := range reason.shown[:min(len(reason.shown), maxShownOfReason-len(g.Shown))] {
			g.Shown = append(g.Shown, shownOrder{order: o})
			if o.Error == nil || o.Error.Message != g.Message {
				g.Message = ""
			}
		}
	}
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[b].Orders, groups[a].Orders) })
	sorted, place := make([]group, len(groups)), make([]int, len(groups))
	for to, from := range order {
		sorted[to], place[from] = groups[from], to
		sorted[to].N = to + 1
	}
	places = make([]int, len(r.reasons))
	for i, reason := range r.reasons {
		places[i] = place[at[reason.Title()]]
	}
	return sorted, places
}

// illustrate gives the groups' orders their pictures. The first of each group comes before
// the second of any.
func illustrate(groups []group, pictures *album) {
	for n := range maxShownOfReason {
		for i := range groups {
			if n < len(groups[i].Shown) {
				groups[i].Shown[n].Picture = pictures.picture(groups[i].Shown[n].order)
			}
		}
	}
}

// proven is a way in which orders are proven to have no documents, as the page shows it.
type proven struct {
	provenEmpty
	Shown []shownOrder
	// Text is what proves it of all that are shown, or empty where that differs.
	Text string
}

func (f *findings) proven(pictures *album) []proven {
	var list []proven
	for _, p := range f.proofs {
		shown := proven{provenEmpty: *p, Text: p.First[0].Proof.Text}
		for _, o := range p.First {
			if o.Proof.Text != shown.Text {
				shown.Text = ""
			}
			shown.Shown = append(shown.Shown, shownOrder{o, pictures.picture(o)})
		}
		list = append(list, shown)
	}
	slices.SortFunc(list, func(a, b proven) int { return cmp.Or(cmp.Compare(b.Orders, a.Orders), cmp.Compare(a.By, b.By)) })
	return list
}

// difference is a place where the sheet and the portal differ, with its order.
type difference struct {
	order
	compare.Difference
}

func (f *findings) differences() []difference {
	var list []difference
	for _, o := range f.differing {
		for _, d := range o.Differences {
			if len(list) == maxDiffering {
				return list
			}
			list = append(list, difference{o, d})
		}
	}
	return list
}
