package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// maxReadings is how often a page that navigates by itself while it is read is
// read anew, before that is taken for an error.
const maxReadings = 5

// rule is what read.js is told. Its JSON names are those of read.js.
type rule struct {
	Auto          bool      `json:"auto"`
	PO            string    `json:"po"`
	Digits        string    `json:"digits"`
	OtherPrefixes []string  `json:"otherPrefixes"`
	Ready         readyRule `json:"ready"`
	// Ahead: the page's clock runs ahead. Glance: it stands still, so there is nothing to
	// wait for yet. Late: there is no time left to wait.
	Ahead        bool            `json:"ahead"`
	Glance       bool            `json:"glance"`
	Late         bool            `json:"late"`
	Identity     string          `json:"identity"`
	NotFound     markerRule      `json:"notFound"`
	AccessDenied markerRule      `json:"accessDenied"`
	Fields       []fieldRule     `json:"fields"`
	Lines        *linesRule      `json:"lines"`
	Attachments  *attachmentRule `json:"attachments"`
}

// readyRule: the JSON names are those of read.js.
type readyRule struct {
	Selector  string `json:"selector"`
	Gone      string `json:"gone"`
	QuietMS   int64  `json:"quietMs"`
	TimeoutMS int64  `json:"timeoutMs"`
}

type markerRule struct {
	Selector string   `json:"selector"`
	Text     []string `json:"text"`
}

type fieldRule struct {
	Name     string `json:"name"`
	Selector string `json:"selector"`
	Attr     string `json:"attr"`
}

type linesRule struct {
	Row     string      `json:"row"`
	Columns []fieldRule `json:"columns"`
}

type attachmentRule struct {
	Item    string   `json:"item"`
	Name    string   `json:"name"`
	None    string   `json:"none"`
	Exclude []string `json:"exclude"`
}

// page is what read.js returns.
type page struct {
	BadSelector string `json:"badSelector"`
	// Again says which of the events has to be waited for before the page is read
	// again, and RealTime why its clock must not run ahead. Else they are empty.
	Again    string `json:"again"`
	RealTime string `json:"realTime"`
	URL      string `json:"url"`
	// Clock is what the page's clock says, in milliseconds as Date.now does, or 0.
	Clock     float64 `json:"clock"`
	NotReady  string  `json:"notReady"`
	Unsettled string  `json:"unsettled"`
	// Cut says what of the page had no whole answer, or is empty.
	Cut      string              `json:"-"`
	Identity string              `json:"identity"` // "sure", "mentioned" or ""
	NotFound bool                `json:"notFound"`
	Denied   bool                `json:"denied"`
	Login    bool                `json:"login"`
	Fields   map[string]string   `json:"fields"`
	Lines    []map[string]string `json:"lines"`
	None     bool                `json:"none"`
	Items    []item              `json:"items"`
	// Sources are where its scripts and frames come from; Asks: the page's own
	// scripts have asked for more.
	Sources []string `json:"sources"`
	Asks    bool     `json:"asks"`
}

// item is one document that the page lists.
type item struct {
	// Index in the list that read.js keeps on the page, for clicking.
	Index int    `json:"index"`
	Name  string `json:"name"`
	// URL of a plain link or a data URL; empty for what has to be clicked.
	URL    string `json:"url"`
	Source string `json:"source"`
}

var knownPrefixes = []string{"PO", "PM"}

// readerRule returns the recipe in read.js's words, for one order.
func readerRule(r *Recipe, po, digits string) rule {
	out := rule{Auto: r.Auto, PO: po, Digits: digits, Identity: r.Identity, OtherPrefixes: []string{},
		Ready: readyRule{Selector: r.Ready.Selector, Gone: r.Ready.Gone,
			QuietMS: r.Ready.Quiet.Milliseconds(), TimeoutMS: r.Ready.Timeout.Milliseconds()},
		NotFound:     markerRule{r.NotFound.Selector, r.NotFound.Text},
		AccessDenied: markerRule{r.AccessDenied.Selector, r.AccessDenied.Text},
		Fields:       []fieldRule{}}
	prefixes := r.PO.Prefixes
	if len(prefixes) == 0 {
		prefixes = knownPrefixes
	}
	for _, p := range prefixes {
		if po != digits && po != p+digits {
			out.OtherPrefixes = append(out.OtherPrefixes, p)
		}
	}
	for _, f := range r.Fields {
		out.Fields = append(out.Fields, fieldRule{f.Name, f.Selector, f.Attr})
	}
	if r.Lines != nil {
		out.Lines = &linesRule{Row: r.Lines.Row}
		for _, c := range r.Lines.Columns {
			out.Lines.Columns = append(out.Lines.Columns, fieldRule{Name: c.Name, Selector: c.Selector})
		}
	}
	if r.Attachments != nil {
		out.Attachments = &attachmentRule{r.Attachments.Item, r.Attachments.Name, r.Attachments.None, slices.Clone(r.Attachments.Exclude)}
		if out.Attachments.Exclude == nil {
			out.Attachments.Exclude = []string{}
		}
	}
	return out
}

// read waits until the page is settled and returns what is on it. A page that
// leads on to another while it is read is read again there.
func (a *attempt) read(ctx context.Context) (*page, error) {
	recipe := a.portal.recipe
	for range maxReadings {
		p, err := a.settled(ctx, readerRule(recipe, a.task.PO, a.task.Digits))
		if errors.Is(err, browser.ErrNavigated) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if p.BadSelector != "" {
			return nil, a.badSelector(p.BadSelector)
		}
		if err := a.moved(); err != nil {
			return nil, err
		}
		a.page, p.Cut = p.URL, a.cutOff()
		if err := a.received(p); err != nil {
			return nil, err
		}
		return p, a.unwait(ctx, p)
	}
	return nil, fmt.Errorf("%w, %d times in a row", browser.ErrNavigated, maxReadings)
}

func (a *attempt) badSelector(selector string) error {
	return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassPage, "the recipe's selector %q is not valid CSS; mend it in %s", selector, a.portal.recipe.File)
}

// moved judges the answer of a page that the first one has led on to.
func (a *attempt) moved() error {
	doc := a.browser.Tab().Document()
	if doc == nil || doc.URL == a.page && doc.Status == a.status {
		return nil
	}
	if err := a.checkHost(doc.URL); err != nil {
		return err
	}
	return a.checkStatus(doc)
}

// refusal returns why the page is not the order that was asked for, or nil.
func (a *attempt) refusal(p *page) error {
	address := browser.Redact(p.URL)
	switch {
	case p.NotFound:
		return tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "the portal says that there is no such order at %s", address)
	case p.Denied:
		return tasks.Permanent(tasks.OutcomeAccessDenied, tasks.ClassAccessDenied, "the portal says that the order may not be seen at %s", address)
	case p.Login && len(p.Items) == 0:
		return tasks.Permanent(tasks.OutcomeSessionExpired, tasks.ClassLogin, "%s shows a sign-in form in place of the order; sign in at the portal, and run the order again", address)
	case p.NotReady == "selector":
		return tasks.Retry(tasks.ClassNotReady, "%s did not show the recipe's ready.selector %q within %v%s", address, a.portal.recipe.Ready.Selector, a.portal.recipe.Ready.Timeout, loginHint(p))
	case p.Identity == "":
		f := tasks.Retry(tasks.ClassIdentity, "%s does not show the order number %s, or is about another order%s", address, a.task.PO, loginHint(p))
		f.Outcome = tasks.OutcomeIdentityMismatch
		return f
	}
	return nil
}

// identitySure: the page says that it is about the order, and does not merely
// mention its number.
const identitySure = "sure"

func loginHint(p *page) string {
	if p.Login {
		return "; it shows a sign-in form, so the session at the portal may have expired"
	}
	return ""
}

// fields reads the page's texts by the recipe's types.
func (a *attempt) fields(p *page) map[string]tasks.Field {
	fields := map[string]tasks.Field{}
	if a.portal.recipe.Auto {
		for name, raw := range p.Fields {
			fields[name] = tasks.Field{Raw: raw, Value: raw, Type: string(FieldText)}
		}
		return fields
	}
	for _, f := range a.portal.recipe.Fields {
		raw, found := p.Fields[f.Name]
		if !found {
			continue
		}
		field := tasks.Field{Raw: raw, Type: string(f.Type)}
		var err error
		switch f.Type {
		case FieldAmount:
			field.Value, err = ParseAmount(raw, f.Locale)
		case FieldDate:
			field.Value, err = ParseDate(raw, f.Layout)
		default:
			field.Value = raw
		}
		if err != nil {
			field.Error = err.Error()
		}
		fields[f.Name] = field
	}
	return fields
}
