package portal

import (
	"crypto/rand"
	"net/http"
	"sync"
)

// The mix-ups: variations on which a reader who is not careful takes one document for
// another. They are in no demo and not among Variations. All of them end complete.
const (
	// LateDownload: a click's download begins when Config.Slow has passed.
	LateDownload Variation = "late_download"
	// DoubledDownload: a click downloads its document twice, and the order's first one
	// some time later.
	DoubledDownload Variation = "doubled_download"
	// Remembered: the invoice has one address for all orders. The portal answers with
	// that of the order which was opened last in the same session.
	Remembered Variation = "remembered"
	// SharedTerms: beside its own document, each order lists one that is the same for
	// all, at one address.
	SharedTerms Variation = "shared_terms"
)

// Mixups lists all mix-ups in a fixed order.
func Mixups() []Variation {
	var all []Variation
	for _, s := range mixupShapes() {
		all = append(all, s.variation)
	}
	return all
}

// mixupShapes is the table of all mix-ups. Their weight is 0: no demo has them.
func mixupShapes() []shape {
	return []shape{
		{LateDownload, 0, "Downloads begin late.", drawLinked(linkLate)},
		{DoubledDownload, 0, "Clicks download more than their document.", drawLinked(linkDoubled)},
		{Remembered, 0, "The invoice is that of the order opened last.", drawRemembered},
		{SharedTerms, 0, "All orders list the same terms.", drawSharedTerms},
	}
}

// The addresses that several orders list.
const (
	rememberedPath = "/invoice.pdf"
	termsPath      = "/terms.pdf"
)

func drawRemembered(d *draft) {
	d.sized("Purchase order.pdf")
	d.sized("Invoice.pdf").link = linkRemembered
}

func drawSharedTerms(d *draft) {
	d.sized("Purchase order.pdf")
	d.sized("Terms.pdf").terms()
}

// terms makes the document the portal's terms.
func (doc *Document) terms() {
	doc.link, doc.content = linkTerms, newContent(kindPDF, "Terms and conditions", [32]byte{}, 20<<10)
}

// memory knows which order each session of the portal has opened last.
type memory struct {
	mu     sync.Mutex
	opened map[string]*order
}

const sessionCookie = "portal_session"

// open notes that a session has opened an order whose invoice it will ask for.
func (m *memory) open(w http.ResponseWriter, r *http.Request, o *order) {
	if o.Variation != Remembered {
		return
	}
	var session string
	if c, err := r.Cookie(sessionCookie); err == nil {
		session = c.Value
	} else {
		session = rand.Text()
		http.SetCookie(w, &http.Cookie{Name: sessionCookie, Value: session, Path: "/", HttpOnly: true})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opened == nil {
		m.opened = map[string]*order{}
	}
	m.opened[session] = o
}

func (m *memory) last(r *http.Request) *order {
	c, err := r.Cookie(sessionCookie)
	if err != nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.opened[c.Value]
}

// serveRemembered answers with the invoice of the order that was opened last.
func (p *Portal) serveRemembered(w http.ResponseWriter, r *http.Request) {
	o := p.memory.last(r)
	if o == nil {
		p.serveElse(w, r)
		return
	}
	if !p.pause(r, p.config.Latency) {
		return
	}
	for i := range o.Documents {
		if doc := &o.Documents[i]; doc.link == linkRemembered {
			p.counter.document(o.Number, doc.Name)
			documentHeader(w, doc)
			send(w, doc)
		}
	}
}

// serveTerms answers with the document that all orders of SharedTerms list.
func (p *Portal) serveTerms(w http.ResponseWriter, r *http.Request) {
	if !p.pause(r, p.config.Latency) {
		return
	}
	doc := &Document{Name: "Terms.pdf", Sent: "Terms.pdf", MIME: kindPDF.mime()}
	doc.terms()
	doc.Size, doc.SHA256 = doc.content.size, doc.content.digest()
	documentHeader(w, doc)
	send(w, doc)
}
