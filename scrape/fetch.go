package scrape

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

//go:embed page/extract.js
var extractScript string

//go:embed page/inert.js
var inertScript string

//go:embed page/fetch.js
var fetchScript string

// fetchLibrary makes the reader in the tab.
var fetchLibrary = "(" + fetchScript + ")(" + extractScript + ", " + inertScript + ")"

// maxFetched in bytes bounds a page that is fetched: it is held in the tab twice.
const maxFetched = 16 << 20

// abortTimeout bounds the attempt to end a fetch that is not wanted any more.
const abortTimeout = 2 * time.Second

// fetched is what fetch.js returns.
type fetched struct {
	page
	// Why says why there is no page, or is empty. Elsewhere: because the tab is not
	// at the order's host. Status is the answer's, if that is why.
	Why       string `json:"why"`
	Elsewhere bool   `json:"elsewhere"`
	Status    int    `json:"status"`
	// Unfit says why the page's text cannot stand for the page, or is empty.
	Unfit string `json:"unfit"`
	// Print is the same for pages that run the same scripts.
	Print string `json:"print"`
}

// fetchPage fetches the order's page in the tab, and reads it. What keeps the page
// from being fetched is told by its Why; an error ends the attempt.
func (a *attempt) fetchPage(ctx context.Context) (*fetched, error) {
	a.enter(PhaseFetch)
	if err := a.portal.wait(ctx, a.address.String()); err != nil {
		return nil, err
	}
	words, err := json.Marshal(readerRule(a.portal.recipe, a.task.PO, a.task.Digits))
	if err != nil {
		return nil, fmt.Errorf("preparing the reading of the page: %w", err)
	}
	address, err := json.Marshal(a.address.String())
	if err != nil {
		return nil, fmt.Errorf("preparing the fetching of the page: %w", err)
	}
	tab, id := a.browser.Tab(), uuid.NewString()
	f := &fetched{}
	if a.executor == tasks.ExecutorFetch {
		err = tab.Unaccounted(ctx)
	}
	if err == nil {
		err = tab.EvaluateApart(ctx, fetchLibrary, fmt.Sprintf("poscrape.read(%q, %s, %d, %s)", id, address, maxFetched, words), f)
	}
	switch {
	case err == nil && f.BadSelector != "":
		return nil, a.badSelector(f.BadSelector)
	case err == nil:
		return f, nil
	case ctx.Err() != nil:
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTimeout)
		defer cancel()
		_ = tab.EvaluateApart(late, fetchLibrary, fmt.Sprintf("poscrape.abort(%q)", id), nil) // it ends with its page at the latest
		return nil, err
	case errors.Is(err, browser.ErrLost):
		return nil, err
	case pageLost(err):
		return &fetched{Why: "the tab was lost meanwhile", Elsewhere: true}, nil
	}
	return &fetched{Why: "the tab left its page meanwhile", Elsewhere: true}, nil
}

// lack says what a fetched page lacks to stand for its order, or "".
func (a *attempt) lack(f *fetched) string {
	recipe := a.portal.recipe
	missing := missingFields(recipe, &tasks.Result{Fields: a.fields(&f.page)})
	switch {
	case f.Unfit != "":
		return f.Unfit
	case f.NotFound:
		return "it says that there is no such order"
	case f.Denied:
		return "it says that the order may not be seen"
	case f.Login:
		return "it shows a sign-in form"
	case f.NotReady == "selector":
		return "the recipe's ready.selector is not in it"
	case f.NotReady != "":
		return "it shows that it is loading"
	case f.Identity != identitySure:
		return "it does not say that it is about the order"
	case len(missing) > 0:
		return fmt.Sprintf("the required field %s is not in it", missing[0])
	case slices.ContainsFunc(f.Items, func(it item) bool { return it.URL == "" }):
		return "a document of it has to be clicked"
	case len(f.Items) == 0 && !f.None && (recipe.Attachments != nil || recipe.Auto):
		return "it lists no document, and does not say that there is none"
	}
	return ""
}

// differs says what of a page is not the same when it is only fetched, or "".
func (f *fetched) differs(p *page) string {
	switch {
	case len(p.Items) != len(f.Items):
		return fmt.Sprintf("it lists %d documents rendered, and %d fetched", len(p.Items), len(f.Items))
	case p.Asks:
		return "its scripts ask for more than the page itself"
	case p.Identity != f.Identity || p.NotFound != f.NotFound || p.Denied != f.Denied || p.Login != f.Login:
		return "it is another kind of page rendered than fetched"
	case p.None != f.None:
		return "it says that it has no documents only one way"
	}
	for i, it := range p.Items {
		if other := f.Items[i]; it.Name != other.Name || it.URL != other.URL {
			return fmt.Sprintf("document %d is another one rendered than fetched", i+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Fields)) {
		if value, there := f.Fields[name]; !there || value != p.Fields[name] {
			return fmt.Sprintf("the field %s is not the same rendered and fetched", name)
		}
	}
	switch {
	case len(p.Fields) != len(f.Fields):
		return "it has more fields fetched than rendered"
	case !slices.EqualFunc(p.Lines, f.Lines, maps.Equal[map[string]string, map[string]string]):
		return "its lines are not the same rendered and fetched"
	}
	for _, source := range p.Sources {
		if !slices.Contains(f.Sources, source) {
			return "its scripts load more scripts or frames than the page itself"
		}
	}
	return ""
}
