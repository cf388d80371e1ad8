package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // the page's parts
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"iter"
)

const (
	// pageOrders is how many orders the page shows. A browser opens that many in
	// about two seconds; the rest are in report.json and results.csv.
	pageOrders = 10_000
	// pageEvents is how many events the page shows, the latest.
	pageEvents = 1_000
)

var (
	//go:embed page/report.html.tmpl
	pageText string
	//go:embed page/style.css
	pageStyle string
	//go:embed page/script.js
	pageScript string

	pageTemplate = template.Must(template.New("report").Funcs(pageFuncs).Parse(pageText))
)

// page is what the template is given.
type page struct {
	*Report
	Style  template.CSS
	Script template.JS
	// Policy lets the page run its own script and load nothing from elsewhere.
	Policy string
	// Shown is how many of the orders the page shows, Unwell how many ended and
	// not well, Well how many ended well.
	Shown, Unwell, Well int
	Shares              []share
	Orders              iter.Seq[order]
	Latest              []Event
	HasFailed           bool
}

// share is one outcome's part of the bar.
type share struct {
	Outcome string
	Count   int
}

// WriteHTML writes report.html: one page that needs no other file and no
// network, with links to the documents and the evidence beside it. Of more than
// 10,000 orders it shows those that did not end well and the first of the others.
func (r *Report) WriteHTML(w io.Writer) error { return r.writePage(w, pageOrders) }

// writePage writes the page with no more than limit orders.
func (r *Report) writePage(w io.Writer, limit int) error {
	out := bufio.NewWriter(w)
	p := newPage(r, limit)
	var broken error
	p.Orders = r.ordersOfPage(limit, p.Unwell, &broken)
	if err := pageTemplate.Execute(out, p); err != nil {
		return fmt.Errorf("writing the report as HTML: %w", err)
	}
	if broken != nil {
		return fmt.Errorf("writing the report as HTML: %w", broken)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the report as HTML: %w", err)
	}
	return nil
}

func newPage(r *Report, limit int) *page {
	hash := sha256.Sum256([]byte(pageScript))
	p := &page{
		Report: r,
		//nolint:gosec // both are files of this package
		Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Policy: "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; script-src 'sha256-" +
			base64.StdEncoding.EncodeToString(hash[:]) + "'; base-uri 'none'; form-action 'none'",
		Shown: min(r.Totals.Tasks, limit), Latest: r.Events[max(0, len(r.Events)-pageEvents):],
		HasFailed: r.HasFailed(),
	}
	known := 0
	for _, o := range outcomesOf(r.Totals.ByOutcome) {
		n := r.Totals.ByOutcome[o]
		known += n
		if n > 0 {
			p.Shares = append(p.Shares, share{Outcome: string(o), Count: n})
		}
		switch {
		case o.Well():
			p.Well += n
		case o.State().Final():
			p.Unwell += n
		}
	}
	if n := r.Totals.Tasks - known; n > 0 {
		p.Shares = append(p.Shares, share{Outcome: waiting, Count: n})
	}
	return p
}

// ordersOfPage yields up to limit orders: those that did not end well, then the
// first of the others, all in their order. A task that cannot be read ends it
// and is stored in broken.
func (r *Report) ordersOfPage(limit, unwell int, broken *error) iter.Seq[order] {
	return func(yield func(order) bool) {
		room := map[bool]int{true: limit, false: max(0, limit-unwell)}
		skip := func(i int) bool {
			room[r.unwell[i]]--
			return room[r.unwell[i]] < 0
		}
		for t, err := range r.tasks.all(skip) {
			if err != nil {
				*broken = err
				return
			}
			if !yield(order{t}) {
				return
			}
		}
	}
}
