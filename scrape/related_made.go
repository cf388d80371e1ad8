package scrape

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/number"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// The address of another page of the order may stand in the portal's data, or be made of the order's
// values. No link of the order's page vouches for such a page: it must not be another order's.

// where is the place in the recipe of what leads to the pages of the i-th rule.
func (r RelatedRule) where(i int) string {
	switch {
	case r.Data != nil:
		return fmt.Sprintf("related[%d].json.link %q", i, r.Data.Link)
	case r.URL != "":
		return fmt.Sprintf("related[%d].url %q", i, r.URL)
	}
	return fmt.Sprintf("related[%d].link %q", i, r.Link)
}

// selectors returns what leads to the pages of the i-th rule.
func (r RelatedRule) selectors(i int) []namedSelector {
	at := fmt.Sprintf("related[%d]", i)
	return append([]namedSelector{{field: at + ".link", selector: r.Link}, {field: at + ".url", selector: r.URL, text: true}}, r.Data.selectors(at+".json")...)
}

// relate notes the addresses of the order's other pages that no link of its page leads to.
func (a *attempt) relate(ctx context.Context, p *page) error {
	made := func(rule RelatedRule) bool { return rule.Link == "" }
	if a.related != nil || !slices.ContainsFunc(a.recipe().Related, made) || verdict.Refused(a.facts(p, nil)) {
		return nil
	}
	told := func(name string) (value, why string) { return p.told(a.recipe(), name) }
	for i, rule := range a.recipe().Related {
		var links []relatedLink
		switch {
		case rule.URL != "":
			link, met := a.madePage(p, rule, i, told), 1
			if link.unfit != nil {
				met = 0
			}
			links = []relatedLink{link}
			p.look(fmt.Sprintf("related[%d].url", i), met)
		case rule.Data != nil:
			var err error
			if links, err = a.pagesInData(ctx, p, rule, i, told); err != nil {
				return err
			}
		default:
			continue
		}
		for len(p.Related) <= i {
			p.Related = append(p.Related, nil)
		}
		p.Related[i] = links
	}
	return nil
}

// madePage returns the page whose address the recipe makes of the order's values.
func (a *attempt) madePage(p *page, rule RelatedRule, i int, told tellField) relatedLink {
	text, why := a.fillIn(rule.URL, told)
	if why == "" {
		text, why = resolved(a.order(), text)
	}
	if why == "" {
		why = a.withheld(p, rule.URL, text)
	}
	if why != "" {
		return relatedLink{unfit: tasks.Permanent("", tasks.ClassPageIncomplete, "related[%d].url was not opened: %s", i, why)}
	}
	return a.checked(rule, i, text)
}

// checked returns an address as a page that is visited, unless it is none, or says that it is another
// order's, or that it changes something.
func (a *attempt) checked(rule RelatedRule, i int, address string) relatedLink {
	link := relatedLink{URL: address}
	place := placeOf(address)
	other := ""
	if !a.names(place) {
		other = number.SameForm(place, a.task.PO)
	}
	err := checkVisit(address)
	switch {
	case !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://"):
		link = relatedLink{unfit: tasks.Permanent("", tasks.ClassPageIncomplete, "%s found what is no address of a page: %s", rule.where(i), quoted(browser.Redact(shortly(address))))}
	case other != "":
		link = relatedLink{unfit: tasks.Retry(tasks.ClassIdentity, "%s leads to a page of another order than %s: %s", rule.where(i), a.task.PO, browser.Redact(address))}
	case err != nil:
		link = relatedLink{unfit: tasks.Permanent("", tasks.ClassNotClicked, "%s was not followed: it %w", rule.where(i), err)}
	}
	return link
}

// pagesInData returns the pages whose addresses stand in the portal's data.
func (a *attempt) pagesInData(ctx context.Context, p *page, rule RelatedRule, i int, told tellField) ([]relatedLink, error) {
	set, err := a.ask(ctx, p, rule.Data.DataSource, told)
	if err != nil {
		return nil, err
	}
	own := *rule.Data
	if own.Items, set, err = a.pathInto(set, fmt.Sprintf("related[%d].json.items", i), own.Items); err != nil {
		return nil, err
	}
	read := &page{URL: p.URL}
	read.listOf(&own, set, func(text string) (filled, why string) { return a.fillIn(text, told) })
	for _, look := range read.Looks {
		look.Where = strings.Replace(look.Where, "attachments.", fmt.Sprintf("related[%d].", i), 1)
		p.Looks = append(p.Looks, look)
	}
	var links []relatedLink
	if why := cmp.Or(read.Data, read.NoList); why != "" {
		links = append(links, relatedLink{unfit: tasks.Retry(tasks.ClassPageIncomplete, "%s, so the order's other pages are not known (related[%d].json)", why, i)})
	}
	for _, it := range read.Items {
		if it.URL == "" {
			links = append(links, relatedLink{unfit: tasks.Permanent("", tasks.ClassPageIncomplete, "%s found no address of a page in an element of the list; leave such elements out (where)", rule.where(i))})
			continue
		}
		if why := a.linkWithheld(p, fmt.Sprintf("related[%d].json", i), &own, &it); why != "" {
			links = append(links, relatedLink{unfit: tasks.Permanent("", tasks.ClassPageIncomplete, "%s was not opened: %s", rule.where(i), why)})
			continue
		}
		links = append(links, a.checked(rule, i, it.URL))
	}
	return links, nil
}

// anothersPage returns why a page that was read shows another order alone, or nil.
func (a *attempt) anothersPage(ctx context.Context, q *page) error {
	text, err := a.printText(ctx)
	if err != nil {
		return err
	}
	shown, err := a.numbersIn(ctx, text+"\n"+placeOf(q.URL))
	if err != nil || shown.Own {
		return err
	}
	other := shown.Other
	if other == "" && q.Identity == verdict.IdentityOther && !q.Apart {
		other = q.Seen
	}
	if other == "" {
		return nil
	}
	return tasks.Retry(tasks.ClassIdentity, "the page shows the number of another order than %s, and not its own: %s (%s)", a.task.PO, quoted(other), browser.Redact(q.URL))
}
