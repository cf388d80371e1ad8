package portal

import (
	"maps"
	"sync"
)

// Requests is what the portal was asked for.
type Requests struct {
	// Pages is how often the order's page was asked for, with success or not.
	Pages int
	// Documents is how often each document was asked for, by Document.Name;
	// those of the same name are counted together. Following a redirect to
	// another path counts as one.
	Documents map[string]int
	// Lists is how often a script asked for the order's list of documents.
	Lists int
	// Assets is how often scripts, styles and pictures were asked for, for
	// all orders together, and Polls how often scripts asked for news.
	Assets, Polls int
}

// counter counts requests. The zero value is ready.
type counter struct {
	mu     sync.Mutex
	orders map[string]*Requests
	assets int
	polls  int
}

// of returns the entry of an order. The caller holds mu.
func (c *counter) of(number string) *Requests {
	if c.orders == nil {
		c.orders = map[string]*Requests{}
	}
	if c.orders[number] == nil {
		c.orders[number] = &Requests{Documents: map[string]int{}}
	}
	return c.orders[number]
}

// page counts a request for the order's page, and returns how many there were
// before.
func (c *counter) page(number string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.of(number)
	r.Pages++
	return r.Pages - 1
}

// document counts a request for a document, and returns how many there were before.
func (c *counter) document(number, name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.of(number)
	r.Documents[name]++
	return r.Documents[name] - 1
}

func (c *counter) list(number string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of(number).Lists++
}

func (c *counter) asset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.assets++
}

func (c *counter) poll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.polls++
}

// Requests returns what the portal was asked for about the order of this
// number since it was made, or reset. For an order with Shown, ask for that
// number as well.
func (p *Portal) Requests(number string) Requests {
	p.counter.mu.Lock()
	defer p.counter.mu.Unlock()
	all := Requests{Documents: map[string]int{}}
	if r := p.counter.orders[number]; r != nil {
		all.Pages, all.Lists, all.Documents = r.Pages, r.Lists, maps.Clone(r.Documents)
	}
	all.Assets, all.Polls = p.counter.assets, p.counter.polls
	return all
}

// Reset forgets what was asked for, so that each order behaves as if it had
// never been opened.
func (p *Portal) Reset() {
	p.counter.mu.Lock()
	defer p.counter.mu.Unlock()
	p.counter.orders, p.counter.assets, p.counter.polls = nil, 0, 0
}
