package scrape

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
)

// Some portals ask for more than cookies: a token that the page's scripts have in their storage, or
// make. The recipe names such headers, and what is sent in them is what the page itself has sent to the
// same origin since it was opened for this order. It is never known to the recipe, nor told to anybody.

// headersFor returns the headers of these names for a request to an address, or why they are not known.
func (a *attempt) headersFor(address string, names []string) (headers browser.Headers, why string) {
	headers, missing, unclear := a.sent.To(address, names)
	to := address
	if u, err := a.address.Parse(address); err == nil {
		to = originOf(u)
	}
	switch {
	case len(missing) == 0 && len(unclear) == 0:
		return headers, ""
	case len(missing) == 0:
		return headers, fmt.Sprintf("the page has sent several values of %s to %s, as for several accounts, and none of them alone to an address like this one", strings.Join(unclear, ", "), to)
	}
	which := "header " + missing[0]
	if len(missing) > 1 {
		which = "headers " + strings.Join(missing, ", ")
	}
	others := slices.DeleteFunc(a.sent.Names(address), func(name string) bool { return checkHeader(name) != nil })
	also := "its scripts have sent none there that a recipe may name"
	if n := len(others) - maxNamed; n > 0 {
		others = append(others[:maxNamed], fmt.Sprintf("%d more", n))
	}
	if len(others) > 0 {
		also = "its scripts have sent " + strings.Join(others, ", ")
	}
	return headers, fmt.Sprintf("the page has sent no %s to %s (%s)", which, to, also)
}

// documentHeaders returns the headers that an item's document is asked for with, or why they are not
// known.
func (a *attempt) documentHeaders(it item) (headers browser.Headers, why string) {
	docs := a.recipe().Attachments
	if docs == nil || len(docs.Headers) == 0 || it.URL == "" || isData(it.URL) || !a.allowed(it.URL) {
		return headers, ""
	}
	return a.headersFor(it.URL, docs.Headers)
}

// unsent says which of them the page has not sent, or is empty.
func (a *attempt) unsent(it item) string {
	_, why := a.documentHeaders(it)
	return why
}

// readBy returns the attempt that has read the page which lists the document.
func (a *attempt) readBy(it item) *attempt { return cmp.Or(it.by, a) }

// sendsHeaders reports whether anything is asked for with headers of the page.
func (r *Recipe) sendsHeaders() bool { return len(r.headerNames()) > 0 }

// headerNames returns the names of all headers that the recipe has sent along.
func (r *Recipe) headerNames() (names []string) {
	of := func(docs *AttachmentsRule) {
		if docs != nil {
			names = append(names, docs.Headers...)
			if docs.Data != nil {
				names = append(names, docs.Data.Headers...)
			}
		}
	}
	of(r.Attachments)
	if r.List != nil && r.List.Data != nil {
		names = append(names, r.List.Data.Headers...)
	}
	for _, related := range r.Related {
		of(related.Attachments)
		if related.Data != nil {
			names = append(names, related.Data.Headers...)
		}
	}
	for _, step := range r.Open.Steps {
		if step.Go != nil {
			names = append(names, step.Go.Data.Headers...)
		}
	}
	for _, f := range r.Fields {
		names = append(names, f.Data.Headers...)
	}
	return names
}
