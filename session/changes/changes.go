// Package changes has a session say at once that its portal has changed: it shows package drift
// what is recorded of each order, and what an earlier session with the same recipe has recorded.
// It changes no outcome.
package changes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/session/drift"
	"github.com/poscrape/poscrape/tasks"
)

// Config says what a session's recipes read. Its values are not changed afterwards.
type Config struct {
	// Selectors are those of all recipes, as in tasks.Session.
	Selectors []tasks.Selector
	// Required are the places, without ".selector", that must not be empty, by portals.
	Required map[string]map[string]bool
	// Input is that of the sheet, of which Rows are shown.
	Input tasks.Input
}

// Change is something that has changed at a portal.
type Change struct {
	// Text says what, for people; it names the place and quotes what stands there.
	Text string
	// Orders are the last that have shown it.
	Orders []string
}

// Notice is what to tell of a recorded order: at least one change.
type Notice struct {
	// Recipe is what people call the recipe, or empty where the session has one.
	Recipe  string
	Changes []Change
}

// Text says what has changed, and which orders show it.
func (n Notice) Text() string {
	var texts []string
	for _, c := range n.Changes {
		texts = append(texts, c.Text)
	}
	text := strings.Join(texts, "; ")
	if n.Recipe != "" {
		text = n.Recipe + ": " + text
	}
	return fmt.Sprintf("the portal has changed: %s (%s)", text, strings.Join(n.Orders(), ", "))
}

// Orders returns the orders that show the changes, each once.
func (n Notice) Orders() (orders []string) {
	for _, c := range n.Changes {
		for _, po := range c.Orders {
			if !slices.Contains(orders, po) {
				orders = append(orders, po)
			}
		}
	}
	return orders
}

// Watch watches the recorded orders of a session. Its methods may be called by any goroutine.
type Watch struct {
	cfg        Config
	mu         sync.Mutex
	comparison *compare.Comparison
	portals    map[string]*portal
}

// portal is what is known of one.
type portal struct {
	recipe string
	// texts are what stands at the places, by these without ".selector".
	texts map[string]string
	drift *drift.Watch
}

// New returns a Watch that has seen nothing.
func New(cfg Config) *Watch {
	w := &Watch{cfg: cfg, comparison: compare.New(cfg.Input), portals: map[string]*portal{}}
	for _, s := range cfg.Selectors {
		p := w.portals[s.Portal]
		if p == nil {
			p = &portal{recipe: s.Recipe, texts: map[string]string{}, drift: drift.New()}
			w.portals[s.Portal] = p
		}
		if place := placeOf(s.Where); place != "" {
			p.texts[place] = s.Selector
		}
	}
	return w
}

// placeOf returns what a selector's place is watched as, or "" where it is not.
func placeOf(where string) string {
	place := strings.TrimSuffix(strings.TrimSuffix(where, ".selector"), ".path")
	switch {
	case place == "identity", place == "lines.row", place == "attachments.item":
		return place
	case strings.HasPrefix(place, "lines.columns."):
		return place
	case strings.HasPrefix(place, "fields.") && !slices.ContainsFunc([]string{".frame", ".json", ".get"}, func(end string) bool { return strings.HasSuffix(where, end) }):
		return place
	}
	return ""
}

// Rows shows rows of the sheet, all of which are to be shown before the first order.
func (w *Watch) Rows(rows []tasks.Row) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, row := range rows {
		w.comparison.See(row.Cells)
	}
}

// Remember takes in an order that was recorded before, of this session or, where earlier, of
// another: what that has read by other selectors says nothing of these.
func (w *Watch) Remember(task *tasks.ProcessingTask) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.portals[task.Portal]
	if p == nil || !task.State.Final() {
		return
	}
	for i := len(task.History) - 1; i >= 0; i-- {
		if a := &task.History[i]; !a.Released && !refused(a.Error) && len(a.Looks) > 0 {
			p.drift.Remember(w.order(p, task, a.Looks, task.Result))
			return
		}
	}
}

// Begin is called once all is remembered.
func (w *Watch) Begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.portals {
		p.drift.Begin()
	}
}

// Recorded takes in what an attempt at an order has come to, and returns what has changed, or
// nil.
func (w *Watch) Recorded(task *tasks.ProcessingTask, d tasks.Decision) *Notice {
	looks := d.Looks()
	if d.Released || len(looks) == 0 || refused(d.Failure) {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.portals[task.Portal]
	if p == nil {
		return nil
	}
	found := p.drift.See(w.order(p, task, looks, d.Result))
	if len(found) == 0 {
		return nil
	}
	drift.Sort(found)
	n := &Notice{Recipe: p.recipe}
	for _, c := range found {
		n.Changes = append(n.Changes, Change{Text: Quote(c.Where, p.texts[c.Where]) + " " + c.Says, Orders: c.Orders})
	}
	return n
}

// Quote names a place with what stands there, as texts about selectors do.
func Quote(place, selector string) string { return fmt.Sprintf("%s %q", place, selector) }

// refused reports whether the page was no order's own.
func refused(f *tasks.Failure) bool {
	if f == nil {
		return false
	}
	switch f.Class {
	case tasks.ClassNotFound, tasks.ClassAccessDenied, tasks.ClassThrottled, tasks.ClassLogin, tasks.ClassWall:
		return true
	}
	return false
}

// order is what package drift is shown. The caller holds w.mu.
func (w *Watch) order(p *portal, task *tasks.ProcessingTask, looks []tasks.Look, res *tasks.Result) drift.Order {
	o := drift.Order{Name: task.PO, Group: task.Sheet.Supplier, Required: w.cfg.Required[task.Portal], Met: map[string]int{}, Fields: map[string]drift.Value{}}
	for _, look := range looks {
		place := placeOf(look.Where)
		text, known := p.texts[place]
		if place == "" || !known || look.Mark != "" && look.Mark != tasks.MarkOf(text) || place == "attachments.item" && provenEmpty(res) {
			continue
		}
		o.Met[place] = look.Met
	}
	for place := range o.Met { // what a pattern is held against is not there
		if of, is := strings.CutSuffix(place, ".match"); is && o.Met[of] == 0 {
			delete(o.Met, place)
		}
	}
	if res == nil {
		return o
	}
	for name, f := range res.Fields {
		place := "fields." + name
		if _, looked := o.Met[place]; !looked {
			continue
		}
		o.Fields[place] = drift.Value{Text: f.Raw, Unreadable: f.Error != "", Sheet: w.sheet(task, name, res.Fields)}
		if o.Group == "" && (name == "supplier" || name == "vendor") {
			o.Group = f.Raw
		}
	}
	return o
}

// provenEmpty reports whether the page itself says that there are no documents.
func provenEmpty(res *tasks.Result) bool {
	return res != nil && res.Proof != nil && (res.Proof.By == tasks.ProofMarker || res.Proof.By == tasks.ProofCount)
}

// sheet reports whether the sheet says what a field does, or returns nil where it says nothing.
func (w *Watch) sheet(task *tasks.ProcessingTask, name string, fields map[string]tasks.Field) *bool {
	column, is := w.comparison.Against(name, fields)
	at := slices.Index(w.cfg.Input.Columns, column)
	if !is || fields[name].Value == "" || !slices.ContainsFunc(task.Rows, func(r tasks.Row) bool { return at < len(r.Cells) && strings.TrimSpace(r.Cells[at]) != "" }) {
		return nil
	}
	same := !slices.ContainsFunc(w.comparison.Order(task.Rows, fields), func(d compare.Difference) bool { return d.Field == name })
	return &same
}

// Queue is a queue whose recorded orders are watched.
type Queue struct {
	tasks.TaskQueue
	Watch *Watch
	// Told is told what has changed, after it was recorded.
	Told func(ctx context.Context, n Notice)
}

// Record implements tasks.TaskQueue.
func (q *Queue) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	if err := q.TaskQueue.Record(ctx, lease, d); err != nil {
		return err
	}
	if n := q.Watch.Recorded(lease.Task, d); n != nil {
		q.Told(ctx, *n)
	}
	return nil
}
