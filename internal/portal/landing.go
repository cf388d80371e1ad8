package portal

import (
	"net/http"
	"strconv"
)

// landingRows is how many orders the landing page shows at once.
const landingRows = 25

// landingPage is what the template "landing" shows.
type landingPage struct {
	Title                             string
	Rows                              []landingRow
	Count, Page, Pages, Before, After int
}

type landingRow struct {
	Order                Order
	Issued, Total, About string
}

// serveLanding answers with a page of the list of orders.
func (p *Portal) serveLanding(w http.ResponseWriter, r *http.Request) {
	v := landingPage{Title: "Orders", Count: len(p.orders), Page: 1}
	v.Pages = (len(p.orders) + landingRows - 1) / landingRows
	if n, err := strconv.Atoi(r.URL.Query().Get("page")); err == nil {
		v.Page = min(max(n, 1), v.Pages)
	}
	v.Before = v.Page - 1
	if v.Page < v.Pages {
		v.After = v.Page + 1
	}
	first := (v.Page - 1) * landingRows
	for _, o := range p.orders[first:min(first+landingRows, len(p.orders))] {
		v.Rows = append(v.Rows, landingRow{o.Order, o.Issued.Format(dayShown), grouped(o.Total), o.Variation.About()})
	}
	page, err := p.render("landing", v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writePage(w, http.StatusOK, page)
}
