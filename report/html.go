package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"iter"
	"path/filepath"
)

const (
	// pageOrders is how many orders the page shows; the rest are in report.json and
	// results.csv.
	pageOrders = 10_000
	// pageEvents is how many events the page shows, the latest.
	pageEvents = 500
)

var (
	//go:embed page
	pageFiles embed.FS

	pageTemplate = template.Must(template.New("page").Funcs(pageFuncs).ParseFS(pageFiles, "page/*.tmpl"))
)

// page is what the templates are given.
type page struct {
	*Report
	Style  template.CSS
	Script template.JS
	// Policy lets the page run its own script and load nothing from anywhere.
	Policy string
	// Live: the page shows a session that runs, and how it goes on.
	Live bool
	// Shown is how many of the orders the table has, Unwell how many ended and not well,
	// Well how many ended well, and Left how many have no end yet.
	Shown, Unwell, Well, Left int
	Shares                    []share
	Steps                     []Step
	Groups                    []group
	// places are those of the reasons among the groups.
	places []int
	// Supplier, Amount and Buyer: the sheet has them.
	Supplier, Amount, Buyer bool
	Differs                 []difference
	DifferOrders            int
	Proven                  []proven
	Slowest                 []order
	Throughput              *throughput
	Timeline                *timeline
	Latest                  []Event
	// FolderName is the session folder's, as a person would look for it.
	FolderName string
	// PicturesLeft counts the pictures for which the page had no room.
	PicturesLeft int
}

// share is one outcome's part of the bar, with where it begins, in thousandths.
type share struct {
	Outcome  string
	Count    int
	From, To float64
}

// WriteHTML writes report.html: one page that needs no other file and no network, with links
// to the documents beside it, and small pictures of what orders showed that did not end well.
// Of more than 10,000 orders its table has those that did not end well and the first of the
// others.
func (r *Report) WriteHTML(w io.Writer) error { return r.writePage(w, pageOrders, false) }

// WriteLive writes the page of a session that runs, which asks where it came from how that
// goes on.
func (r *Report) WriteLive(w io.Writer) error { return r.writePage(w, pageOrders, true) }

// writePage writes the page with no more than limit orders in its table.
func (r *Report) writePage(w io.Writer, limit int, live bool) error {
	text := plainText(w)
	out := bufio.NewWriterSize(text, 64<<10)
	p, err := newPage(r, limit, live)
	if err == nil {
		err = pageTemplate.ExecuteTemplate(out, "begin", p)
	}
	if err == nil {
		_, err = out.WriteString(`<script type="application/json" id="rows">`)
	}
	if err == nil {
		err = p.writeRows(out, limit)
	}
	if err == nil {
		_, err = out.WriteString("</script>\n")
	}
	if err == nil {
		err = pageTemplate.ExecuteTemplate(out, "end", p)
	}
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = text.Close()
	}
	if err != nil {
		return fmt.Errorf("writing the report as HTML: %w", err)
	}
	return nil
}

func newPage(r *Report, limit int, live bool) (*page, error) {
	style, script, err := pageParts(live)
	if err != nil {
		return nil, err
	}
	pictures := openAlbum(r.Folder)
	groups, places := r.groups()
	illustrate(groups, pictures)
	p := &page{
		Report: r, Live: live,
		//nolint:gosec // both are files of this package
		Style: template.CSS(style), Script: template.JS(script), Policy: policy(style, script, live),
		Shown: min(r.Totals.Tasks, limit), Latest: r.Events[max(0, len(r.Events)-pageEvents):],
		Groups: groups, places: places, Supplier: r.findings.supplier, Amount: r.findings.amount, Buyer: r.findings.buyer,
		Differs: r.findings.differences(), DifferOrders: r.findings.differ, Proven: r.findings.proven(pictures),
		Slowest: r.findings.slowest, Throughput: r.findings.throughput(), Timeline: r.timeline(), PicturesLeft: pictures.left,
	}
	if err := pictures.close(); err != nil {
		return nil, err
	}
	named := "DIR"
	if r.Folder != "" {
		p.FolderName, named = filepath.Base(r.Folder), r.Folder
	}
	p.Steps = r.NextSteps(named)
	p.share()
	return p, nil
}

// pageParts returns the page's style and script.
func pageParts(live bool) (style, script string, err error) {
	names := []string{"page/style.css", "page/table.js"}
	if live {
		names = append(names, "page/live.js")
	}
	for i, name := range names {
		text, err := pageFiles.ReadFile(name)
		if err != nil {
			return "", "", err
		}
		if i == 0 {
			style = string(text)
		} else {
			script += string(text)
		}
	}
	return style, script, nil
}

// policy returns the page's Content-Security-Policy.
func policy(style, script string, live bool) string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	text := "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'; img-src data:"
	if live {
		text += " 'self'; connect-src 'self'"
	}
	return text
}

// share counts the orders by how they ended.
func (p *page) share() {
	known := 0
	add := func(outcome string, n int) {
		if n > 0 {
			from := 1000 * float64(known) / float64(max(1, p.Totals.Tasks))
			known += n
			p.Shares = append(p.Shares, share{Outcome: outcome, Count: n, From: tenth(from), To: tenth(1000 * float64(known) / float64(p.Totals.Tasks))})
		}
	}
	for _, o := range outcomesOf(p.Totals.ByOutcome) {
		n := p.Totals.ByOutcome[o]
		switch {
		case o.Well():
			p.Well += n
		case o.State().Final():
			p.Unwell += n
		}
		add(string(o), n)
	}
	add(waiting, p.Totals.Tasks-known)
	p.Left = p.Totals.Tasks - p.Well - p.Unwell
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
