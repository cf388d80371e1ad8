package portal

import (
	"net/http"
	"slices"
	"strings"
)

// SearchPath is the address of a search, which finds an order by its number. Its results show
// others beside it, whose numbers begin alike. Of what the portal refuses to show, it finds
// nothing; SearchedTwice is found twice.
const SearchPath = "/search"

// DeskPath comes before an order's number in the address of a page of frames, one of which
// shows the order, and another one within that its documents.
const DeskPath = "/desk/"

// SearchedTwice: a search shows the order in two results that lead to different pages. It ends
// failed, class search, where it has to be searched for.
const SearchedTwice Variation = "searched_twice"

// classSearch is the class of the failure that SearchedTwice calls for.
const classSearch = "search"

const (
	// Paged: the documents are on three pages of the list, and a button leads to the next. Ends
	// complete, and partial with the built-in recipe.
	Paged Variation = "paged"
	// Menu: each document has a menu, an entry of which makes the file. Ends complete.
	Menu Variation = "menu"
)

// deskShapes is the table of the variations that take a recipe of their own.
func deskShapes() []shape {
	return []shape{
		{SearchedTwice, 0, "A search shows the order twice.", func(d *draft) {
			drawTwo(d)
			d.order.WantRecipe = Want{Outcome: outcomeFailed, Class: classSearch, Attempts: 1}
		}},
		{Paged, 0, "The documents have three pages.", func(d *draft) {
			d.order.odd = "pages"
			for _, name := range []string{"Purchase order.pdf", "Terms.pdf", "Drawing.pdf", "Quotation.pdf", "Invoice.pdf"} {
				d.sized(name)
			}
			d.order.Want = Want{Outcome: outcomePartial, Done: 2, Attempts: wantedAttempts}
			d.order.WantRecipe = Want{Outcome: outcomeComplete, Done: 5, Attempts: 1}
		}},
		{Menu, 0, "The documents are behind menus.", drawListed("menu")},
	}
}

// searchPage is what the template "search" shows.
type searchPage struct {
	Title, Query string
	Found        []foundOrder
}

type foundOrder struct{ Number, Supplier, Path string }

// serveSearch answers with the form of the search, and what it has found.
func (p *Portal) serveSearch(w http.ResponseWriter, r *http.Request) {
	if !p.pause(r, p.config.Latency) {
		return
	}
	query := strings.TrimSpace(r.URL.Query().Get("q"))
	p.writeTemplate(w, "search", searchPage{"Search", query, p.find(query)})
}

// find returns the results of a search.
func (p *Portal) find(query string) []foundOrder {
	o := p.byNumber[query]
	if o == nil || slices.Contains([]pageKind{pageMissing, pageSoftMissing}, o.page) {
		return nil
	}
	other := p.orders[(slices.Index(p.orders, o)+1)%len(p.orders)]
	found := []foundOrder{
		{o.Number + "A", other.Supplier, other.Path},
		{o.Number + "-2", other.Supplier, other.Path},
		{o.Number, o.Supplier, o.Path},
	}
	if o.Variation == SearchedTwice {
		found = append(found, foundOrder{o.Number, other.Supplier, o.Path + "?archived"})
	}
	return found
}

// serveDesk answers with a page of frames, and serveDeskPart with what is in them.
func (p *Portal) serveDesk(w http.ResponseWriter, r *http.Request) {
	o := p.byNumber[r.PathValue("number")]
	if !p.serveRefusal(w, o, r.PathValue("number")) {
		p.writeTemplate(w, "desk", o.Order)
	}
}

func (p *Portal) serveDeskPart(w http.ResponseWriter, r *http.Request) {
	o := p.byNumber[r.PathValue("number")]
	part := "desk-" + r.PathValue("part")
	if o == nil || p.pages.Lookup(part) == nil {
		p.serveElse(w, r)
		return
	}
	if p.pause(r, p.config.Latency) {
		p.writeTemplate(w, part, newOrderPage(o, r.Host))
	}
}
