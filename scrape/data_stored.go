package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/jsondata"
)

// What an application keeps in cookies and in the storage of its host, such as the token that its requests
// carry, is the user's own. A field can have it, for addresses, bodies and headers, and no result shows it.

// stored returns what the page has in a cookie, or in its local or session storage.
func (a *attempt) stored(ctx context.Context, p *page, source DataSource) (*dataset, error) {
	kind, name := "cookie", source.Cookie
	if source.Storage != "" {
		kind, name = "storage", source.Storage
	}
	set := &dataset{of: a.number()}
	var texts []string
	err := a.browser.Tab().EvaluateApart(ctx, fetchLibrary(), fmt.Sprintf("poscrape.stored(%q, %s)", kind, inScript(name)), &texts)
	switch {
	case err != nil && (ctx.Err() != nil || errors.Is(err, browser.ErrLost) || pageLost(err)):
		return nil, err
	case err != nil:
		set.why = fmt.Sprintf("the page's %s could not be read: %v", kind, err)
	case len(texts) == 0 && kind == "cookie":
		set.why = fmt.Sprintf("the page's scripts have no cookie %q", name)
	case len(texts) == 0:
		set.why = fmt.Sprintf("neither the local nor the session storage of the page has %q", name)
	}
	for _, text := range texts {
		value, err := jsondata.Read([]byte(text))
		if err != nil {
			value = text
		}
		set.asked = true
		set.add(datum{value: value, from: p.URL, named: true})
	}
	return set, nil
}

// conceal has veil hide the values of those fields that are secrets.
func (a *attempt) conceal(p *page) {
	for _, f := range a.portal.recipe.Fields {
		if f.Secret {
			a.hideValues(slices.Concat(p.values(f), p.Differ[f.Name]))
		}
	}
}

// concealData is conceal for all that a field's path finds in answers, whether that becomes its value or not.
func (a *attempt) concealData(f FieldRule, set *dataset) {
	if !f.Secret {
		return
	}
	found := &page{}
	for _, d := range set.list {
		for _, value := range f.Path.find(d.value) {
			if text, single := scalar(value); single && f.Match == nil {
				a.hideValues([]string{text})
			} else if single {
				found.Texts = with(found.Texts, f.Name, append(found.Texts[f.Name], text))
			}
		}
	}
	a.hideValues(found.values(f))
}

// concealShown is conceal for what the page shows now, after an attempt that may have ended before it had
// read the recipe's secrets. It notes if these are not known: then nothing of the page is kept.
func (a *attempt) concealShown(ctx context.Context) {
	fields := slices.DeleteFunc(slices.Clone(a.portal.recipe.Fields), func(f FieldRule) bool { return !f.Secret })
	if len(fields) == 0 || !a.owns() || a.browser.Tab().Document() == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lateEvidenceTimeout)
	defer cancel()
	words := readerRule(a.recipe(), a.task.PO, a.task.Digits)
	words.Late = true
	p, err := a.evaluate(ctx, words, 0)
	if err == nil && p.BadSelector == "" {
		a.conceal(p)
		stop := a.browser.Tab().KeepPace(ctx)
		defer stop()
		for _, f := range fields {
			if f.Data.none() || f.Data.Get+f.Data.Post != "" {
				continue // it is in no answer that was read
			}
			set, failed := a.ask(ctx, p, f.Data, nil)
			if failed == nil {
				f.Path, set, failed = a.pathInto(set, "fields."+f.Name+".path", f.Path)
			}
			if failed != nil {
				err = failed
				continue
			}
			a.concealData(f, set)
		}
	}
	a.revealed = err != nil
}

// hideValues has veil hide these values of secrets.
func (a *attempt) hideValues(values []string) {
	for _, text := range values {
		for _, s := range headerSecrets(text) {
			if !slices.Contains(a.concealed, s) && !strings.EqualFold(s.text, a.task.PO) && s.text != a.task.Digits {
				a.concealed = append(a.concealed, s)
			}
		}
	}
}
