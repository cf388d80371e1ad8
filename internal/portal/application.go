package portal

import (
	"encoding/json"
	"net/http"
)

// ApplicationPath is the address of the portal as an application of one page. The order is
// behind the "#": ApplicationPath + "#/orders/PO4500001001". Orders that were opened before
// stay in the page, hidden; values stand in inputs; a menu has the documents, which a script
// makes when they are clicked. All of it comes as JSON from applicationData + the number.
const ApplicationPath = "/application"

const applicationData = "/api/application/orders/"

// applicationOrder is an order as the application's scripts get it.
type applicationOrder struct {
	Order struct {
		Number   string      `json:"number"`
		Supplier string      `json:"supplier"`
		Buyer    string      `json:"buyer"`
		Total    json.Number `json:"total"`
		Currency string      `json:"currency"`
		Issued   string      `json:"issued"`
	} `json:"order"`
	Documents []applicationFile `json:"documents"`
}

type applicationFile struct {
	Name string `json:"name"`
	Href string `json:"href"`
}

func (p *Portal) serveApplication(w http.ResponseWriter, _ *http.Request) {
	page, err := p.render("application", nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writePage(w, http.StatusOK, page)
}

func (p *Portal) serveApplicationOrder(w http.ResponseWriter, r *http.Request) {
	o := p.byNumber[r.PathValue("number")]
	if o == nil {
		http.NotFound(w, r)
		return
	}
	if !p.pause(r, p.config.Latency) {
		return
	}
	data := applicationOrder{Documents: []applicationFile{}}
	data.Order.Number, data.Order.Supplier, data.Order.Buyer = o.Number, o.Supplier, o.Buyer
	data.Order.Total, data.Order.Currency, data.Order.Issued = json.Number(o.Total), o.Currency, o.Issued.Format("2006-01-02")
	for _, doc := range o.Documents {
		if doc.Path != "" {
			data.Documents = append(data.Documents, applicationFile{doc.Name, doc.Path})
		}
	}
	writeJSON(w, data)
}
