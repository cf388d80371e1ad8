package scrape

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/template"
)

// A portal says back what it was given: a password that was written into a field, a token of a header. So where the
// recipe makes an address of what pages and answers say, that leads to the portal's own site, to where the text comes
// from, or to hosts that the recipe names beside it (to), whether the text is called a secret or not. Addresses that
// pages themselves hold are theirs, and {po}, {digits} and {column:NAME} are the user's.

// strangeTo says why a text of a page does not go to an address, or returns "". Portal are the portal's own origins, and
// origins all others that may have it.
func strangeTo(portal, origins []string, address string) string {
	if slices.ContainsFunc(portal, func(own string) bool { return sameSite(own, address) }) {
		return ""
	}
	if why := withheld(merged(slices.Clone(portal), origins), address, writeTo); why != "" {
		return "what pages and answers say " + why
	}
	return ""
}

// sameSite reports whether an address is on the site of an origin: its host, or one below the same registered domain,
// where whoever has the one can have the cookies of the other. The scheme is no weaker.
func sameSite(origin, address string) bool {
	from, err := browser.ParseURL(origin)
	to, terr := browser.ParseURL(Origin(address))
	return err == nil && terr == nil && from.Host != "" && to.Host != "" && (to.Scheme == from.Scheme || to.Scheme == "https") &&
		siteOf(from.Host) == siteOf(to.Host)
}

// madeOrigins returns the portal's own origins, as far as the recipe, or the order, says them.
func (r *Recipe) madeOrigins(order string) []string {
	portal := r.secretOrigins(false, nil)
	for _, address := range []string{r.Address(), order} {
		if origin := Origin(address); origin != "" {
			portal = append(portal, origin)
		}
	}
	return portal
}

// hosts returns the origins of hosts that stand beside something.
func (r *Recipe) hosts(to []string) []string { return r.secretOrigins(false, to) }

// madeWithheld says why what an item or a page holds does not go into an address, or returns "". At is what makes it,
// from the address that it comes from.
func (a *attempt) madeWithheld(at string, to []string, from, address string) string {
	r := a.portal.recipe
	origins := r.hosts(to)
	if origin := Origin(from); origin != "" {
		origins = append(origins, origin)
	}
	if why := strangeTo(r.madeOrigins(a.order().String()), origins, address); why != "" {
		return at + " makes an address elsewhere: " + why
	}
	return ""
}

// tells says why an address that is made is not asked for as it has a password of the recipe's in it and leads
// elsewhere, or returns "".
func (a *attempt) tells(address string) string {
	r := a.portal.recipe
	own := func(origin string) bool { return sameSite(origin, address) }
	said := address
	if plain, err := url.QueryUnescape(address); err == nil {
		said += " " + plain
	}
	if slices.ContainsFunc(r.madeOrigins(a.order().String()), own) || a.portal.veil().data.Replace(said) == said {
		return ""
	}
	return fmt.Sprintf("the address has a secret of the recipe's in it, and leads to %s, which is not to have it", quoted(Origin(address)))
}

// strangeField says why the value of a field that is no secret does not go to an address, or returns "".
func (a *attempt) strangeField(p *page, f FieldRule, address string) string {
	r := a.portal.recipe
	origins := r.hosts(f.To)
	if p != nil {
		origins = append(origins, p.originOf(f.Name))
	}
	if why := strangeTo(r.madeOrigins(a.order().String()), origins, address); why != "" {
		return "fields." + f.Name + ": " + why
	}
	return ""
}

// linkWithheld says why a document's, or page's, address that is made of data is not asked for, or returns "".
func (a *attempt) linkWithheld(p *page, at string, rule *DataItems, it *item) string {
	if why := a.withheld(p, rule.Link.text, it.URL); why != "" || rule.Link.whole() {
		return why
	}
	return a.madeWithheld(at, rule.To, it.from, it.URL)
}

// nextWithheld says why the address of a list's next page is not asked for, or returns "".
func (a *attempt) nextWithheld(list *ListData, from, address string) string {
	if why := a.withheld(a.fieldsOf, list.Next.text, address); why != "" || list.Next.whole() {
		return why
	}
	return a.madeWithheld("list", list.To, from, address)
}

// whole reports whether the address stands in the data as it is.
func (l *DataLink) whole() bool { return !strings.Contains(l.text, "{") }

// makes reports whether the address is made of what the link holds, and is not that itself, or the address that a link
// leads to in other words.
func (l *LinkRule) makes() bool {
	name, rest := l.leading()
	parts, _ := template.Parse(rest) // its reader has seen to its errors
	return name == "" || l.Attr != "" && slices.ContainsFunc(parts, func(part template.Part) bool {
		return part.Placeholder != "" && l.takes(strings.TrimPrefix(part.Placeholder, "+"))
	})
}

// checkMade returns a *SecretError for the first address that is made, by the text of the recipe, of what pages say and
// leads where that may not go.
func (r *Recipe) checkMade(sent sentTo) error {
	portal := r.madeOrigins("")
	if len(portal) == 0 || Origin(sent.address) == "" { // each order has its own, and is looked at then
		return nil
	}
	fail := func(at position, field, why string) error {
		return &SecretError{File: r.File, Line: at.line, Field: field, Message: fmt.Sprintf("it makes %s, and %s", quoted(sent.address), why)}
	}
	for _, f := range r.fieldsIn(sent.text) {
		if f.Secret {
			continue
		}
		origins := r.hosts(f.To)
		for _, from := range []string{f.Data.Get, f.Data.Post, f.Data.Answer} {
			if origin := Origin(from); origin != "" {
				origins = append(origins, origin)
			}
		}
		if why := strangeTo(portal, origins, sent.address); why != "" {
			return fail(r.fieldsAt[f.Name], "fields."+f.Name, why)
		}
	}
	if sent.made == nil {
		return nil
	}
	origins := r.hosts(sent.made.to)
	if origin := Origin(sent.made.from); origin != "" {
		origins = append(origins, origin)
	}
	if why := strangeTo(portal, origins, sent.address); why != "" {
		return fail(sent.made.at, sent.made.path, why)
	}
	return nil
}

// madeFor returns the origins besides the portal's that addresses may lead to which are made of what pages say.
func (r *Recipe) madeFor() (origins []string) {
	portal := r.madeOrigins("")
	add := func(address string, to []string) {
		if origin := Origin(address); origin != "" {
			origins = merged(origins, []string{origin})
		}
		if len(to) > 0 {
			origins = merged(origins, r.hosts(to))
		}
	}
	for _, sent := range r.sentTo() {
		for _, f := range r.fieldsIn(sent.text) {
			add(sent.address, f.To)
		}
		if sent.made != nil {
			add(sent.address, sent.made.to)
		}
	}
	return slices.DeleteFunc(origins, func(origin string) bool { return slices.Contains(portal, origin) })
}
