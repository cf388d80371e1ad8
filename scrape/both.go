package scrape

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/claims"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// both is what there is of an order that is read both ways.
type both struct {
	page    *page
	fetched *fetched
	// sums are the SHA-256 of its documents, as far as they were had, as they come where
	// its page is only fetched; by their keys.
	sums sums
	kind string
	// mark is the trust's when the order was begun.
	mark int
}

type sums map[string]string

// compare has the trust know how a page was that was read both ways, and its documents
// after each.
func (a *attempt) compare(b *both, rendered sums) {
	f, p := b.fetched, b.page
	if f == nil || f.Why != "" || p.Identity != verdict.IdentitySure || p.Unseen != "" || len(p.frames) > 0 || p.Unsettled != "" || verdict.Hindrance(a.facts(p, nil)) != nil {
		return
	}
	c := comparison{kind: b.kind, print: f.Print, order: a.task.PO, id: a.task.ID, mark: b.mark,
		differs: f.differs(p), lacking: a.lack(f) != ""}
	for key, sum := range b.sums {
		switch other := rendered[key]; {
		case other == "":
		case other == sum:
			c.bytes++
		case c.differs == "":
			c.differs = "a document has other bytes where the page is only fetched"
		}
	}
	if a.portal.Mode() == ModeFetch {
		a.portal.trust.vouch(c)
		return
	}
	a.portal.trust.compared(c)
}

// sumsOf returns the sums of the documents that an attempt has brought.
func sumsOf(res *tasks.Result) sums {
	brought := sums{}
	for _, doc := range res.Attachments {
		if doc.State == tasks.AttachmentDone {
			brought[parseKey(doc.Key).exact] = doc.SHA256
		}
	}
	return brought
}

// fetchBefore fetches the order's page, and its documents as they come where it is only
// fetched beside others, before it is rendered: what a portal remembers of the orders
// that were opened is another one's then. It returns nil where that is not possible.
func (a *attempt) fetchBefore(ctx context.Context) (*fetched, sums, error) {
	if a.tab.standing() != originOf(a.address) {
		return nil, nil, nil
	}
	if err := a.own(ctx); err != nil {
		return nil, nil, err
	}
	f, err := a.fetchAsWell(ctx)
	if err != nil || f == nil || f.Elsewhere {
		return nil, nil, err
	}
	a.openAnother(ctx)
	return f, a.sample(ctx, f.Items), nil
}

// openAnother fetches the page of the order that was opened before this one in the tab,
// if there was one.
func (a *attempt) openAnother(ctx context.Context) {
	if before := a.tab.before(a.address); before != nil {
		other := *a
		other.address = before
		_, _ = other.fetchAsWell(ctx) // what becomes of it does not matter
	}
}

// sample downloads documents by their addresses, for their sums alone: those that the order would
// have, and no others, as an address may accept or cancel it. It leaves out what does not come
// within a quarter of the attempt's time.
func (a *attempt) sample(ctx context.Context, items []item) sums {
	ctx, cancel := aQuarter(ctx)
	defer cancel()
	dir, err := os.MkdirTemp(a.places.Staging, "sample-")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(dir)
	var mu sync.Mutex
	found := sums{}
	var group errgroup.Group
	for i, key := range itemKeys(items) {
		if key.address != "" && a.allowed(items[i].URL) && !a.unwanted(&document{item: items[i]}, i, len(items)) {
			group.Go(func() error {
				if sum := a.sum(ctx, items[i], dir); sum != "" {
					mu.Lock()
					defer mu.Unlock()
					found[key.exact] = sum
				}
				return nil
			})
		}
	}
	_ = group.Wait()
	return found
}

// sum returns the SHA-256 of a document, or "" where it cannot be downloaded.
func (a *attempt) sum(ctx context.Context, it item, dir string) string {
	if a.portal.wait(ctx, it.URL) != nil {
		return ""
	}
	load := a.load(it.URL)
	file, err := a.browser.Fetch(ctx, browser.Request{URL: it.URL, Referrer: it.Source, Dir: dir,
		MaxSize: a.portal.recipe.Limits.MaxFileSize, Allowed: a.allowed, WantsPage: slices.Contains(a.portal.recipe.documentTypes(), claims.DocumentHTML), Load: load})
	if err != nil {
		return ""
	}
	if load {
		a.loaded(it.URL, file)
	}
	if file.SHA256 != "" {
		return file.SHA256
	}
	_, sum, err := move(file, filepath.Join(dir, uuid.NewString()))
	if err != nil {
		return ""
	}
	return sum
}

// opened notes which order's page was opened in the tab.
func (t *tab) opened(address *url.URL) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil || *t.last != *address {
		t.last, t.second = address, t.last
	}
}

// before returns the order that was opened in the tab last, but for this one, or nil.
func (t *tab) before(address *url.URL) *url.URL {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last != nil && *t.last == *address {
		return t.second
	}
	return t.last
}
