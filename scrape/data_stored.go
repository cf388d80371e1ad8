package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
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
		value, err := parseJSON([]byte(text))
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
		if !f.Secret {
			continue
		}
		for _, text := range slices.Concat(p.Texts[f.Name], p.Differ[f.Name], []string{p.Fields[f.Name]}) {
			for _, s := range headerSecrets(text) {
				if !slices.Contains(a.concealed, s) && !strings.EqualFold(s.text, a.task.PO) && s.text != a.task.Digits {
					a.concealed = append(a.concealed, s)
				}
			}
		}
	}
}
