package scrape

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

//go:embed page/inert.js
var inertScript string

//go:embed page/fetch.js
var fetchScript string

//go:embed page/print.js
var printScript string

//go:embed page/alone.js
var aloneScript string

// fetchLibrary returns what makes the reader in the tab.
var fetchLibrary = sync.OnceValue(func() string {
	return asExpression(fetchScript) + "(" + asExpression(aloneScript) + "(" + extractScript() + "), " + withDOM(asExpression(inertScript)) +
		", " + asExpression(printScript) + "(new Map()))"
})

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
	// Led: because its address led on to another, which may be a sign-in page.
	Led    bool `json:"led"`
	Status int  `json:"status"`
	// RetryAfter is the answer's header of that name.
	RetryAfter string `json:"retryAfter"`
	// Print is the same for pages that run the same scripts, on data of the same shape.
	Print string `json:"print"`
}

// fetchPage fetches the order's page in the tab, and reads it. What keeps the page
// from being fetched is told by its Why; an error ends the attempt.
func (a *attempt) fetchPage(ctx context.Context) (*fetched, error) {
	a.enter(tasks.PhaseFetch)
	if err := a.portal.wait(ctx, a.address.String()); err != nil {
		return nil, err
	}
	tab, id := a.browser.Tab(), uuid.NewString()
	f := &fetched{page: page{Fetched: true}}
	var err error
	if a.executor == tasks.ExecutorFetch {
		err = tab.Unaccounted(ctx)
	}
	if err == nil {
		words := readerRule(a.portal.recipe, a.task.PO, a.task.Digits)
		words.Values = a.portal.values.Any()
		err = tab.EvaluateApart(ctx, fetchLibrary(), call("read", id, a.address.String(), maxFetched, words), f)
	}
	if refused := a.portal.servers.refused(a.address.String()); refused != nil {
		return nil, refused
	}
	switch {
	case err == nil && f.BadSelector != "":
		return nil, a.badSelector(f.BadSelector)
	case err == nil:
		if f.Why == "" {
			tasks.Active(ctx)
			a.charset = f.Charset
			a.recognise(&f.page)
			a.conceal(&f.page)
			f.match(a.portal.recipe)
			a.makeAddresses(&f.page)
			a.makeItems(&f.page)
			f.leaveOut(a.portal.recipe)
		}
		return f, nil
	case ctx.Err() != nil:
		a.abort(ctx, id)
		return nil, err
	case errors.Is(err, browser.ErrLost):
		return nil, err
	case pageLost(err):
		return &fetched{Why: "the tab was lost meanwhile", Elsewhere: true}, nil
	}
	return &fetched{Why: "the tab left its page meanwhile", Elsewhere: true}, nil
}

// answer returns the answer to the fetch as far as its status is to be judged.
func (f *fetched) answer(address string) *browser.Response {
	return &browser.Response{URL: address, Status: f.Status, Header: map[string]string{"retry-after": f.RetryAfter}}
}

// asksToWait reports whether the portal, by its recipe, is not to be asked again at once.
func (f *fetched) asksToWait(r *Recipe) bool {
	return f != nil && (f.Status >= http.StatusInternalServerError || slices.Contains(r.Throttled.Status, f.Status))
}

// lack says what a fetched page lacks to stand for its order, or "".
func (a *attempt) lack(f *fetched) string {
	if slices.ContainsFunc(f.Items, func(it item) bool { return it.URL == "" }) {
		return "a document of it has to be clicked"
	}
	if failure := verdict.Lack(a.facts(&f.page, a.fields(&f.page))); failure != nil {
		return failure.Message
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
	case p.Identity != f.Identity || p.Refusal.Kind != f.Refusal.Kind:
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
