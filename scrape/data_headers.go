package scrape

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/template"
)

// Some portals ask for more than cookies: a token that the page's scripts have in their storage, or
// make. The recipe names such headers, and what is sent in them is what the page itself has sent to the
// same origin since it was opened for this order, unless the recipe says what it is made of. No secret is
// known to the recipe, nor told to anybody.

// headersFor returns these headers for a request to an address, or why they are not known. told tells the
// values of fields.
func (a *attempt) headersFor(address string, wanted []Header, told tellField) (headers browser.Headers, why string) {
	var names []string
	for _, h := range wanted {
		if h.ofPage() {
			names = append(names, h.Name)
		}
	}
	if headers, why = a.sentHeaders(address, names); why != "" {
		return headers, why
	}
	for _, h := range wanted {
		if h.ofPage() {
			continue
		}
		if why := a.headerWithheld(h, address); why != "" {
			return headers, why
		}
		value, why := a.headerValue(h, told)
		if why != "" {
			return headers, why
		}
		headers = headers.With(h.Name, value)
	}
	return headers, ""
}

// headerValue returns the value of a header as the recipe says, or why it has none.
func (a *attempt) headerValue(h Header, told tellField) (value, why string) {
	if h.Secret != (Secret{}) {
		value, err := h.Secret.Read("headers." + h.Name)
		switch {
		case err != nil:
			return "", err.Error()
		case !headerText(value):
			return "", fmt.Sprintf("what headers.%s reads has characters that no header can have", h.Name)
		}
		return value, ""
	}
	parts, err := template.Parse(h.Text)
	if err != nil {
		return "", err.Error()
	}
	for _, part := range parts {
		text := part.Literal
		if part.Placeholder != "" {
			if text, why = a.standsFor(h.Text, part.Placeholder, told); why != "" {
				return "", why
			}
		}
		value += text
	}
	if !headerText(value) {
		return "", fmt.Sprintf("the header %s would have characters that no header can have", h.Name)
	}
	return value, ""
}

// sentHeaders returns the headers of these names that the page has sent, or why they are not known.
func (a *attempt) sentHeaders(address string, names []string) (headers browser.Headers, why string) {
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
	// Another host, as of a signed address, is asked without them.
	wanted := slices.DeleteFunc(slices.Clone(docs.Headers), func(h Header) bool { return !h.ofPage() && a.headerWithheld(h, it.URL) != "" })
	return a.headersFor(it.URL, wanted, a.told)
}

// unsent says which of them the page has not sent, or is empty.
func (a *attempt) unsent(it item) string {
	_, why := a.documentHeaders(it)
	return why
}

// readBy returns the attempt that has read the page which lists the document.
func (a *attempt) readBy(it item) *attempt { return cmp.Or(it.by, a) }

// sendsHeaders reports whether anything is asked for with headers of the page.
func (r *Recipe) sendsHeaders() bool { return len(r.headers()) > 0 }

// headers returns all headers that the recipe has sent along.
func (r *Recipe) headers() (all []Header) {
	of := func(docs *AttachmentsRule) {
		if docs != nil {
			all = append(all, docs.Headers...)
			if docs.Data != nil {
				all = append(all, docs.Data.Headers...)
			}
		}
	}
	of(r.Attachments)
	if r.List != nil && r.List.Data != nil {
		all = append(all, r.List.Data.Headers...)
	}
	for _, related := range r.Related {
		of(related.Attachments)
		if related.Data != nil {
			all = append(all, related.Data.Headers...)
		}
	}
	for _, step := range r.Open.Steps {
		if step.Go != nil {
			all = append(all, step.Go.Data.Headers...)
		}
	}
	for _, f := range r.Fields {
		all = append(all, f.Data.Headers...)
	}
	return all
}
