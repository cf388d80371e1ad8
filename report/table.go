package report

import (
	"bufio"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poscrape/poscrape/internal/amount"
	"github.com/poscrape/poscrape/internal/disk"
)

// tableRow is an order in the page's table, as its script reads it. Where a key is absent,
// there is nothing to say.
type tableRow struct {
	// Reason is the number of the group of reasons why it did not end well, from 1.
	Reason   int        `json:"reason,omitempty"`
	Outcome  string     `json:"outcome"`
	PO       string     `json:"po"`
	Lacks    bool       `json:"lacks,omitempty"` // its number
	Supplier string     `json:"supplier,omitempty"`
	Amount   string     `json:"amount,omitempty"`
	Value    *float64   `json:"value,omitempty"` // of the amount, to sort by
	Buyer    string     `json:"buyer,omitempty"`
	Rows     []int      `json:"rows"`
	Done     int        `json:"done,omitempty"`
	MS       float64    `json:"ms,omitempty"`
	Took     string     `json:"took,omitempty"`
	Class    string     `json:"class,omitempty"`
	Why      string     `json:"why,omitempty"`
	Link     string     `json:"link,omitempty"` // of its page
	Facts    [][]string `json:"facts,omitempty"`
	Differs  [][]string `json:"differs,omitempty"`
	Folder   string     `json:"folder,omitempty"`
	Docs     []tableDoc `json:"docs,omitempty"`
	// Confirmed, or why an order that ended well is not; neither where it did not end well.
	Confirmed   bool       `json:"confirmed,omitempty"`
	Unconfirmed string     `json:"unconfirmed,omitempty"`
	Tries       []tableTry `json:"tries,omitempty"`
}

// tableDoc is a document of an order.
type tableDoc struct {
	Name  string `json:"name"`
	Link  string `json:"link,omitempty"`
	Saved bool   `json:"saved,omitempty"` // its link saves the file and does not show it: it may hold scripts
	Size  string `json:"size,omitempty"`
	Type  string `json:"type,omitempty"`
	State string `json:"state"`
	Why   string `json:"why,omitempty"`
}

// tableTry stands for attempts of an order in a row that went alike.
type tableTry struct {
	Times    int        `json:"times,omitempty"` // if more than one
	Outcome  string     `json:"outcome"`
	Began    *time.Time `json:"began,omitempty"`
	Took     string     `json:"took"`
	Worker   string     `json:"worker,omitempty"`
	Why      string     `json:"why,omitempty"`
	Evidence [][]string `json:"evidence,omitempty"` // name, link
}

// writeRows writes the orders that the page shows as a JSON array.
func (p *page) writeRows(out *bufio.Writer, limit int) error {
	enc := json.NewEncoder(out) // it escapes what could end a script
	before := "["
	var broken error
	for o := range p.ordersOfPage(limit, p.Unwell, &broken) {
		if _, err := out.WriteString(before); err != nil {
			return err
		}
		before = ","
		row := newTableRow(o)
		if i := p.reasonAt(o.Task); i >= 0 {
			row.Reason = p.places[i] + 1
		}
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	if broken != nil {
		return broken
	}
	if before == "[" {
		_, err := out.WriteString("[]")
		return err
	}
	return out.WriteByte(']')
}

func newTableRow(o order) *tableRow {
	row := &tableRow{
		Outcome: o.Outcome(), PO: o.Name(), Lacks: o.PO == "", Supplier: o.Sheet.Supplier, Buyer: o.Sheet.Buyer,
		Amount: strings.TrimSpace(o.Sheet.Amount + " " + o.Sheet.Currency), Rows: o.Rows, Done: o.Done(), MS: o.MS(),
		Why: o.Skipped, Link: webLink(o.URL), Folder: fileLink(o.Folder),
	}
	if value, err := amount.Parse(o.Sheet.Amount, ""); err == nil {
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			row.Value = &v
		}
	}
	if len(o.Attempts) > 0 {
		row.Took = duration(row.MS)
	}
	if o.Error != nil {
		row.Class, row.Why = string(o.Error.Class), o.Error.Message
	}
	for _, d := range o.Differences {
		row.Differs = append(row.Differs, []string{strconv.Itoa(d.Row), words(d.Field), d.Column, d.Sheet, d.Portal})
	}
	if o.Proof != nil {
		row.Confirmed, row.Unconfirmed = *o.Confirmed, o.Proof.Lacks
	}
	row.Facts = o.facts()
	for i := range o.Attachments {
		row.Docs = append(row.Docs, newTableDoc(&o.Attachments[i]))
	}
	row.Tries = o.tries()
	return row
}

// facts returns what the page tells of an order besides: a name, a text, and what is wrong with it.
func (o order) facts() [][]string {
	var facts [][]string
	add := func(name, text string) {
		if text != "" {
			facts = append(facts, []string{name, text})
		}
	}
	if webLink(o.URL) == "" {
		add("Page", o.URL)
	}
	add("Written as", strings.Join(o.Written(), ", "))
	if o.Proof != nil {
		add("Confirmed", map[bool]string{true: "yes", false: "no: " + o.Proof.Lacks}[*o.Confirmed])
		if o.Proof.Page != nil {
			add("Whose page", words(o.Proof.Page.By)+": "+o.Proof.Page.Text)
		}
		add("List of documents", words(o.Proof.By)+": "+o.Proof.Text)
	}
	for _, note := range o.Notes {
		add("Note", note)
	}
	add("Read by", o.Executor)
	add("Fell back", o.FellBack)
	for _, name := range o.FieldNames() {
		f := o.Fields[name]
		fact := []string{words(name), f.Raw}
		switch {
		case f.Error != "":
			fact = append(fact, f.Error)
		case f.Ambiguous:
			fact = append(fact, "ambiguous")
		}
		facts = append(facts, fact)
	}
	if n := len(o.Lines); n > 0 {
		add("Lines", count(n)+", in report.json")
	}
	return facts
}

func newTableDoc(a *Attachment) tableDoc {
	d := tableDoc{Name: a.Name, Link: fileLink(a.Path), Type: a.MIME, State: string(a.State)}
	if d.State == "done" {
		d.Size = disk.Bytes(a.Size)
	}
	switch {
	case a.Error != nil:
		d.Why = a.Error.Message
	case a.SameAs != nil:
		d.Why = "the same bytes as " + a.SameAs.Name + " of " + a.SameAs.PO
	}
	if a.Macros {
		d.Why = strings.TrimPrefix(d.Why+"; it has macros", "; ")
	}
	d.Saved = slices.Contains(scripted, strings.ToLower(path.Ext(a.Path)))
	return d
}

// scripted are the endings of files whose scripts a browser runs when it shows them.
var scripted = []string{".svg", ".svgz", ".html", ".htm", ".xhtml", ".xht", ".shtml", ".mhtml", ".mht", ".xml", ".xsl", ".xslt"}

// tries returns the attempts, those in a row that went alike as one.
func (o order) tries() []tableTry {
	var list []tableTry
	var last *Attempt
	var took float64
	for i := range o.Attempts {
		a := &o.Attempts[i]
		if last != nil && wentAlike(last, a) {
			t := &list[len(list)-1]
			t.Times = max(1, t.Times) + 1
			took += wallMS(a)
			t.Took = duration(took)
			t.Evidence = append(t.Evidence, evidence(a)...)
			if !slices.Contains(strings.Split(t.Worker, ", "), a.Worker) {
				t.Worker += ", " + a.Worker
			}
			continue
		}
		last, took = a, wallMS(a)
		t := tableTry{Outcome: words(a.Outcome), Began: a.StartedAt, Took: duration(took), Worker: a.Worker, Evidence: evidence(a)}
		if a.Released {
			t.Outcome = "given back"
		}
		if a.Error != nil {
			t.Why = a.Error.Message
			if a.Error.Phase != "" {
				t.Why += " (in " + a.Error.Phase + ")"
			}
		}
		list = append(list, t)
	}
	return list
}

// wentAlike reports whether two attempts went alike, as far as a person would care.
func wentAlike(a, b *Attempt) bool {
	if a.Outcome != b.Outcome || a.Released != b.Released || (a.Error == nil) != (b.Error == nil) {
		return false
	}
	return a.Error == nil || *a.Error == *b.Error
}

func evidence(a *Attempt) [][]string {
	var list [][]string
	for _, name := range a.Evidence {
		list = append(list, []string{base(name), fileLink(name)})
	}
	return list
}
