package scrape

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// maxRelated bounds how many other pages of one order are visited.
const maxRelated = 20

// relatedLink is a link to another page of the order.
type relatedLink struct {
	// URL is empty where it has no address. Refused is the label of what must not be followed.
	URL     string `json:"url"`
	Refused string `json:"refused"`
	// unfit is why an address that is made, or stands in data, is not visited, or nil.
	unfit *tasks.Failure
}

// related says how a page is read that is not the order's own.
type related struct {
	// order is the order's own address.
	order  *url.URL
	recipe *Recipe
	// others are the numbers of other orders that it must not show without this one's.
	others []string
}

// visit is the reading of one such page.
type visit struct {
	by    *attempt
	items []item
	// list is its list of documents, or nil where the order's own page has it too.
	list *tasks.List
}

// recipe returns what the attempt's page is read by.
func (a *attempt) recipe() *Recipe {
	if a.related != nil {
		return a.related.recipe
	}
	if a.unframed != nil {
		return a.unframed
	}
	return a.portal.recipe
}

// order returns the order's own address.
func (a *attempt) order() *url.URL {
	if a.related != nil {
		return a.related.order
	}
	return a.address
}

// relatedRecipe returns what other pages of an order are read by: they show neither its
// number nor its fields.
func relatedRecipe(r *Recipe, rule RelatedRule) *Recipe {
	other := *r
	if other.Ready.Selector = ""; rule.Attachments.Shows != "" && !rule.Attachments.printsItems() {
		other.Ready.Selector, other.Ready.Frame = rule.Attachments.Shows, ""
	}
	other.Identity, other.IdentityFrame = "", ""
	other.List = nil
	other.Fields, other.Lines, other.Related = nil, nil, nil
	other.Attachments = rule.Attachments
	return &other
}

// visitRelated reads the other pages of the order that its own page links to, each address
// once, and no page that those link to. What keeps one from being read is noted; its error
// is that of the attempt.
func (a *attempt) visitRelated(ctx context.Context, p *page) error {
	known := map[string]bool{withoutFragment(p.URL): true, withoutFragment(a.address.String()): true}
	for i, links := range p.Related {
		for _, link := range links {
			address := withoutFragment(link.URL)
			if link.URL != "" && known[address] {
				continue
			}
			known[address] = true
			if err := a.visitOne(ctx, p, i, link); err != nil {
				f := a.failure(ctx, err)
				if f.Advice == tasks.AdviceRelease || ctx.Err() != nil || pageLost(err) || f.Facts.Disk != nil {
					return err
				}
				a.unread = append(a.unread, f)
			}
		}
	}
	return nil
}

func (a *attempt) visitOne(ctx context.Context, p *page, i int, link relatedLink) error {
	rule := a.portal.recipe.Related[i]
	where := rule.where(i)
	u, err := browser.ParseURL(link.URL)
	switch {
	case link.unfit != nil:
		return link.unfit
	case link.Refused != "":
		return tasks.Permanent("", tasks.ClassNotClicked, "%s was not followed: %q says that it does more than show a page", where, link.Refused)
	case err != nil || u.Host == "":
		return tasks.Permanent("", tasks.ClassPageIncomplete, "%s met something that has no address", where)
	case !a.allowed(link.URL):
		return tasks.Permanent("", tasks.ClassHost, "%s leads to a host that the recipe's allowed_hosts do not name: %s", where, u.Host)
	case len(a.visits)+len(a.unread) >= maxRelated:
		return tasks.Permanent("", tasks.ClassLimit, "%s meets more than the %d pages that are visited for one order", where, maxRelated)
	}
	sub, q, err := a.visitPage(ctx, p, u, relatedRecipe(a.portal.recipe, rule))
	if err == nil && rule.Link == "" {
		err = sub.anothersPage(ctx, q)
	}
	if err != nil {
		return err
	}
	whole := verdict.NotWhole(sub.facts(q, nil))
	if whole == nil {
		if err := sub.printPage(ctx, q); err != nil {
			return err
		}
	}
	a.added += a.took(sub, p, fmt.Sprintf("related[%d].", i), q)
	if whole != nil {
		return whole
	}
	return nil
}

// visitPage reads a page that belongs to the order by a recipe of its own.
func (a *attempt) visitPage(ctx context.Context, p *page, u *url.URL, recipe *Recipe) (*attempt, *page, error) {
	sub := *a
	sub.thens = nil
	sub.address, sub.related = u, &related{order: a.address, recipe: recipe}
	ahead := a.ahead
	sub.chooseClock()
	sub.ahead = sub.ahead && ahead
	var err error
	if withoutFragment(a.page) == withoutFragment(u.String()) || strings.Contains(u.String(), "#") { // else no document may be loaded
		err = a.browser.Replace(ctx)
	}
	var q *page
	if err == nil {
		q, err = sub.openAndRead(ctx)
	}
	if why := clockTrouble(err); why != "" {
		q, err = sub.readInRealTime(ctx, why)
	}
	a.phase, a.began = sub.phase, sub.began
	if err == nil {
		err = sub.refused(q)
	}
	if err == nil && withoutFragment(q.URL) == withoutFragment(p.URL) {
		err = tasks.Retry(tasks.ClassPageIncomplete, "it led back to the order's own page")
	}
	return &sub, q, err
}

// framedParts are those of a recipe that a frame of another host may have in place of its page.
var framedParts = []string{"ready", "identity", "fields", "lines"}

// took notes what another page lists, but for what is listed already at the same address, and how
// many documents that is. at is where what it was read by stands in the recipe.
func (a *attempt) took(sub *attempt, p *page, at string, q *page) int {
	listed := map[string]bool{}
	items, _ := a.listed(p)
	for _, it := range items {
		listed[it.URL] = it.URL != ""
	}
	items = slices.DeleteFunc(q.Items, func(it item) bool { return listed[it.URL] })
	v := visit{by: sub, items: items}
	if at != "" {
		list := sub.listOf(q)
		list.Page = browser.Redact(q.URL)
		v.list = &list
	}
	a.visits = append(a.visits, v)
	var looks []tasks.Look
	for _, look := range q.Looks {
		if part, _, _ := strings.Cut(look.Where, "."); part == "attachments" || at == "" && slices.Contains(framedParts, part) {
			look.Where = at + look.Where
			looks = append(looks, look)
		}
	}
	p.Looks = addLooks(p.Looks, looks)
	return len(items)
}

// listed returns the documents of the order's page and of its other pages, with their keys.
func (a *attempt) listed(p *page) (items []item, keys []itemKey) {
	pages := append([]visit{{by: a, items: p.Items}}, a.visits...)
	for _, v := range pages {
		for _, it := range v.items {
			it.by = v.by
			items = append(items, it)
		}
		keys = append(keys, itemKeys(v.items)...)
	}
	return items, keys
}

// clickPages brings the documents that have to be clicked, page by page, while each is shown.
func (a *attempt) clickPages(ctx context.Context, docs []*document) error {
	shown := a
	if n := len(a.visits); n > 0 || len(a.unread) > 0 {
		shown = nil // the tab has left the order's page
	}
	var last *document
	for len(docs) > 0 {
		by, number, n := docs[0].item.by, docs[0].item.Page, 0
		for n < len(docs) && docs[n].item.by == by && docs[n].item.Page == number {
			n++
		}
		var err error
		if shown != by || by.showing() != number {
			if shown != by {
				last = nil
			}
			err = by.turnTo(ctx, docs[:n], last)
		}
		if err != nil {
			for _, doc := range docs[:n] {
				if err := by.settle(ctx, doc, nil, err); err != nil {
					return err
				}
			}
		} else if err := by.clickAll(ctx, docs[:n]); err != nil {
			return err
		}
		a.phase, a.began = by.phase, by.began
		last, shown, docs = docs[n-1], by, docs[n:]
	}
	return nil
}

// withoutFragment returns an address without its fragment, unless that is a route of an
// application.
func withoutFragment(address string) string {
	before, fragment, _ := strings.Cut(address, "#")
	if strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!") {
		return address
	}
	return before
}
