package portal

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// BenchConfig says what a portal to measure against serves. All orders of it
// are of one kind, and what an order shows follows from its index alone.
type BenchConfig struct {
	// Orders is how many orders there are, 1 to 100,000.
	Orders int
	// Documents is how many documents an order lists, and DocumentSize how many
	// bytes each of them has.
	Documents    int
	DocumentSize int64
	// Mount is when a script mounts the documents; 0 means that the page lists
	// them as it is served.
	Mount time.Duration
	// Late is when the script of every LateEvery-th order mounts them. With 0
	// there is no such order.
	Late      time.Duration
	LateEvery int
	// Empty: the orders that are not late have no documents. Their script runs
	// at Mount all the same, so until Late nothing distinguishes them from the others.
	Empty bool
	// Latency passes before anything is answered: page, asset or document.
	Latency time.Duration
}

// Bench is a portal that costs next to nothing while it serves: its pages are
// rendered and its documents made beforehand. It is an http.Handler.
type Bench struct {
	config    BenchConfig
	orders    []BenchOrder
	pages     map[string][]byte
	documents map[string]benchDocument
	assets    map[string]asset
	mux       *http.ServeMux
}

// BenchOrder is what a reader has to bring home of an order.
type BenchOrder struct {
	PO string `json:"po"`
	// Path of its page.
	Path string `json:"path"`
	// Fields by name, as the page shows them: supplier, buyer, currency, total
	// and issued.
	Fields map[string]string `json:"fields"`
	// Documents in the order in which the page lists them.
	Documents []BenchListed `json:"documents"`
}

// BenchListed is a document that a page lists.
type BenchListed struct {
	Name string `json:"name"`
	// Size as the page shows it, Bytes as it is.
	Size  string `json:"size"`
	Bytes int64  `json:"bytes"`
	// SHA256 in lower-case hexadecimal.
	SHA256 string `json:"sha256"`
}

// NewBench makes everything that is going to be served, which takes some seconds
// for each gigabyte of documents.
func NewBench(c BenchConfig) (*Bench, error) {
	if c.Orders < 1 || c.Orders > maxOrders {
		return nil, fmt.Errorf("portal: Orders is %d: it must be between 1 and %d", c.Orders, maxOrders)
	}
	if c.Documents > 0 && c.DocumentSize < minDocument {
		return nil, fmt.Errorf("portal: DocumentSize is %d: it must be at least %d bytes", c.DocumentSize, minDocument)
	}
	assets, err := allAssets()
	if err != nil {
		return nil, err
	}
	templates, err := parsePages()
	if err != nil {
		return nil, fmt.Errorf("portal: reading the page templates: %w", err)
	}
	b := &Bench{config: c, assets: assets, pages: map[string][]byte{}, documents: map[string]benchDocument{}}
	renderer := &Portal{pages: templates}
	padding := newPadding(c.DocumentSize)
	for i := range c.Orders {
		o := c.order(i)
		page, err := renderer.render("order", newOrderPage(o, ""))
		if err != nil {
			return nil, err
		}
		b.pages[o.Path] = page
		b.orders = append(b.orders, shownOrder(o))
		for _, doc := range o.Documents {
			if b.documents[doc.Path], err = padding.split(doc); err != nil {
				return nil, err
			}
		}
	}
	b.mux = http.NewServeMux()
	b.mux.HandleFunc("GET /orders/{number}", b.servePage)
	b.mux.HandleFunc("GET /orders/{number}/attachments/{n}/{name}", b.serveDocument)
	b.mux.HandleFunc("GET /assets/{file}", b.serveAsset)
	return b, nil
}

// Orders returns all orders. They are shared: read them only.
func (b *Bench) Orders() []BenchOrder { return b.orders }

// order makes the order of this index.
func (c BenchConfig) order(index int) *order {
	rng := rand.New(rand.NewPCG(0, uint64(index)))
	o := &order{Order: newHead(rng, fmt.Sprintf("PO%d", 4_500_001_001+index*37), 3+rng.IntN(10))}
	d := &draft{order: o, config: Config{MaxDocument: c.DocumentSize}, rng: rng}
	late := c.LateEvery > 0 && index%c.LateEvery == c.LateEvery/5
	if late || !c.Empty {
		for n := range c.Documents {
			d.padded(fmt.Sprintf("Document %d.pdf", n+1), c.DocumentSize)
		}
	}
	switch {
	case late:
		o.mounts = []mount{{c.Late, len(d.documents)}}
	case c.Mount > 0:
		o.mounts = []mount{{c.Mount, len(d.documents)}}
	}
	d.finish()
	return o
}

// shownOrder returns the order as its page shows it.
func shownOrder(o *order) BenchOrder {
	shown := BenchOrder{PO: o.Number, Path: o.Path, Documents: []BenchListed{}, Fields: map[string]string{
		"supplier": o.Supplier, "buyer": o.Buyer, "currency": o.Currency,
		"total": grouped(o.Total), "issued": o.Issued.Format(dayShown),
	}}
	for _, doc := range o.Documents {
		shown.Documents = append(shown.Documents, BenchListed{doc.Listed, humanSize(doc.Size), doc.Size, doc.SHA256})
	}
	return shown
}

// ServeHTTP answers one request, after the latency.
func (b *Bench) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if b.config.Latency > 0 {
		timer := time.NewTimer(b.config.Latency)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
			return
		}
	}
	b.mux.ServeHTTP(w, r)
}

func (b *Bench) servePage(w http.ResponseWriter, r *http.Request) {
	page, ok := b.pages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	writePage(w, http.StatusOK, page)
}

func (b *Bench) serveDocument(w http.ResponseWriter, r *http.Request) {
	doc, ok := b.documents[r.URL.EscapedPath()]
	if !ok {
		http.NotFound(w, r)
		return
	}
	doc.serve(w)
}

func (b *Bench) serveAsset(w http.ResponseWriter, r *http.Request) {
	a, ok := b.assets[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	writeAsset(w, a)
}
