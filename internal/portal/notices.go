package portal

import "net/http"

// noticePage is what the template "notice" shows: a page that is no order.
type noticePage struct {
	Title, Heading, Text string
	// Class is the page's CSS class, Icon the name of its icon.
	Class, Icon string
}

// noOrder says that there is no such order. It repeats the number, as portals do.
func noOrder(number string) noticePage {
	return noticePage{
		Title: "Order not found", Heading: "No such order", Class: "not-found", Icon: "search",
		Text: "No such order: " + number + ". It may have been removed, or the number may be wrong.",
	}
}

func serverError() noticePage {
	return noticePage{
		Title: "Error", Heading: "Something went wrong", Class: "error", Icon: "warning",
		Text: "The server could not answer. Please try again in a moment.",
	}
}

func (p *Portal) serveNotice(w http.ResponseWriter, status int, notice noticePage) {
	page, err := p.render("notice", notice)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writePage(w, status, page)
}

// placeholders are the pages that links of the portal's frame lead to.
func placeholders() map[string]string {
	return map[string]string{
		"/invoices": "Invoices", "/catalogue": "Catalogue", "/suppliers": "Suppliers",
		"/help": "Help", "/help/attachments": "About attachments", "/apps/mobile": "The mobile app",
		"/privacy": "Privacy", "/terms": "Terms of use", "/accessibility": "Accessibility",
	}
}

// serveElse answers what no other route does.
func (p *Portal) serveElse(w http.ResponseWriter, r *http.Request) {
	heading, ok := placeholders()[r.URL.Path]
	if !ok {
		p.serveNotice(w, http.StatusNotFound, noticePage{
			Title: "Page not found", Heading: "Page not found", Class: "not-found", Icon: "search",
			Text: "There is nothing at this address.",
		})
		return
	}
	p.serveBlank(w, heading)
}

// serveAttachmentForms answers the links around the list of documents that
// lead to no document.
func (p *Portal) serveAttachmentForms(w http.ResponseWriter, _ *http.Request) {
	p.serveBlank(w, "Attachments")
}

func (p *Portal) serveBlank(w http.ResponseWriter, heading string) {
	p.serveNotice(w, http.StatusOK, noticePage{
		Title: heading, Heading: heading, Class: "blank", Icon: "page",
		Text: "This part of the demo portal is empty.",
	})
}
