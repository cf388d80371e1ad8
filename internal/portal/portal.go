package portal

import (
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"sync"
	"time"
)

// Portal is a supplier portal. It is an http.Handler; its methods may be
// called by many goroutines at once.
type Portal struct {
	config Config
	orders []*order
	// byNumber has the orders, and those that are shown instead of others.
	byNumber map[string]*order
	pages    *template.Template
	assets   map[string]asset
	mux      *http.ServeMux
	counter  counter
	memory   memory
	passes   passes

	// handling counts the requests that are being answered.
	handling sync.WaitGroup
	// stopping is closed by Close; it ends every wait of a handler.
	stopping chan struct{}

	// life guards the fields below it, and every Add to handling.
	life    sync.Mutex
	closed  bool
	server  *http.Server
	serving chan struct{}
}

// New makes all orders and works out the hash of every document, which takes
// some seconds for each gigabyte of them. It listens to nothing yet.
func New(c Config) (*Portal, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	c = c.withDefaults()
	pages, err := parsePages()
	if err != nil {
		return nil, fmt.Errorf("portal: reading the page templates: %w", err)
	}
	assets, err := allAssets()
	if err != nil {
		return nil, fmt.Errorf("portal: making the scripts, styles and pictures: %w", err)
	}
	p := &Portal{
		config: c, pages: pages, assets: assets,
		byNumber: map[string]*order{}, stopping: make(chan struct{}),
	}
	p.makeOrders()
	p.mux = p.routes()
	return p, nil
}

func (p *Portal) makeOrders() {
	known := map[Variation]shape{}
	for _, s := range allShapes() {
		known[s.variation] = s
	}
	for i := range p.config.Orders {
		o := newOrder(p.config, i, known[p.config.Variations[i%len(p.config.Variations)]])
		p.orders = append(p.orders, o)
		p.byNumber[o.Number] = o
		if o.other != nil {
			p.byNumber[o.other.Number] = o.other
		}
	}
}

// Orders returns all orders, by number.
func (p *Portal) Orders() []Order {
	orders := make([]Order, len(p.orders))
	for i, o := range p.orders {
		orders[i] = o.clone()
	}
	return orders
}

// Order returns the order of this number, and whether there is one. It knows
// those that are shown instead of others as well.
func (p *Portal) Order(number string) (Order, bool) {
	o, ok := p.byNumber[number]
	if !ok {
		return Order{}, false
	}
	return o.clone(), true
}

// WriteCSV writes all orders as poscrape's input, with the columns po,
// supplier, amount, currency and url. The URLs begin with baseURL.
func (p *Portal) WriteCSV(w io.Writer, baseURL string) error {
	rows := [][]string{{"po", "supplier", "amount", "currency", "url"}}
	for _, o := range p.orders {
		rows = append(rows, []string{o.Number, o.Supplier, o.Total, o.Currency, baseURL + o.Path})
	}
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		return fmt.Errorf("portal: writing the orders as CSV: %w", err)
	}
	return nil
}

// pause waits for d. It returns false if the request or the portal ended
// before.
func (p *Portal) pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-p.stopping:
	}
	return false
}
