package portal

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
)

//go:embed templates
var templateFiles embed.FS

func parsePages() (*template.Template, error) {
	return template.ParseFS(templateFiles, "templates/*.html")
}

// pageFailures is how often the page of ServerErrors fails before it answers.
const pageFailures = 2

// serveOrder answers with the page of an order.
func (p *Portal) serveOrder(w http.ResponseWriter, r *http.Request) {
	number := r.PathValue("number")
	before := p.counter.page(number)
	if !p.pause(r, p.config.Latency) {
		return
	}
	o := p.byNumber[number]
	switch {
	case p.serveRefusal(w, o, number):
	case o.page == pageSoftMissing:
		p.serveNotice(w, http.StatusOK, noOrder(number))
	case p.serveUnsteady(w, r, o, before):
	case o.page == pageUnsteady && before == 0:
		p.serveNotice(w, http.StatusInternalServerError, serverError())
	case o.page == pageUnsteady && before < pageFailures:
		w.Header().Set("Retry-After", "1")
		p.serveNotice(w, http.StatusServiceUnavailable, serverError())
	default:
		p.serveOrderPage(w, r, o, before)
	}
}

// serveRefusal answers for an order that is not there, or not for everybody, and reports whether
// it did.
func (p *Portal) serveRefusal(w http.ResponseWriter, o *order, number string) bool {
	switch {
	case o == nil, o.page == pageMissing:
		p.serveNotice(w, http.StatusNotFound, noOrder(number))
	case o.page == pageDenied:
		p.serveNotice(w, http.StatusForbidden, noticePage{
			Title: "Access denied", Heading: "Access denied", Class: "denied", Icon: "lock",
			Text: "Your role does not allow you to see this order. Ask its buyer.",
		})
	default:
		return false
	}
	return true
}

func (p *Portal) serveOrderPage(w http.ResponseWriter, r *http.Request, o *order, before int) {
	p.memory.open(w, r, o)
	shown := o
	if o.other != nil {
		shown = o.other
	}
	view := newOrderPage(shown, r.Host)
	if shown.odd != "" {
		view.Odd, view.Served = p.newOddPage(shown, r.Host, before), nil
	}
	page, err := p.render("order", view)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	switch o.page {
	case pageSlow:
		p.drip(w, r, page)
	case pageRedirected, pageSilent, pageEndless, pageCut:
		p.serveFaulty(w, r, o, page)
	case pageWindows1252, pageShiftJIS, pageMislabelled:
		writeEncoded(w, o, page)
	default:
		writePage(w, http.StatusOK, page)
	}
}

// render executes a template.
func (p *Portal) render(name string, view any) ([]byte, error) {
	var page bytes.Buffer
	if err := p.pages.ExecuteTemplate(&page, name, view); err != nil {
		return nil, fmt.Errorf("portal: rendering %q: %w", name, err)
	}
	return page.Bytes(), nil
}

// writePage sends a page whole. An error means that the client has gone.
func writePage(w http.ResponseWriter, status int, page []byte) {
	pageHeader(w)
	w.WriteHeader(status)
	_, _ = w.Write(page)
}

func pageHeader(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
}
