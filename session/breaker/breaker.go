package breaker

import (
	"context"
	"net"
	"net/url"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// Breaker keeps a host that is down, or that refuses nearly everything, from
// burning the list of orders. Every attempt passes through it: Admit before,
// Observe after. While a host's circuit is open, its orders wait, and what they
// meet is not charged to them; a check from here, or an order as a probe, finds
// out when it answers again.
type Breaker struct {
	Config
	// poked has a token when the news or the reason may have changed.
	poked chan struct{}

	mu    sync.Mutex
	hosts map[string]*circuit
	// work has the host of each order that has not ended, by the order's key. Of abandoned
	// portals it has none.
	work      map[string]*circuit
	abandoned map[string]bool
	// answered: any host has, in this run or one before. Only until then are
	// the orders that had no answer of any host counted in unreached.
	answered  bool
	unreached map[uuid.UUID]bool
	// reached: an order was, in this run or one before; until then, wrong may be what of the
	// settings keeps all from it.
	reached bool
	wrong   *Wrong
	// doubts counts how often orders were spared their last attempt.
	doubts map[uuid.UUID]int
	// changed is closed and replaced when orders that wait should try again.
	changed chan struct{}
	// waiting orders wait for a circuit, working ones are with the portal; a
	// probe is neither. paused: none works, and some wait.
	waiting, working int
	paused           bool
	nextCheck        time.Time
	news             []tasks.Event
}

// Config is what a Breaker needs to know of its session.
type Config struct {
	// Patience is how long a host may be down, or refuse, before it is given up.
	Patience time.Duration
	// Timeout is how long an attempt may take, Retries how many further ones an order gets.
	Timeout time.Duration
	Retries int
	// Checker checks hosts that are in trouble.
	Checker Checker
	// Quiet returns until when an address is not to be asked for anything, as its server wants it; the zero time where
	// it may be. nil: all may be.
	Quiet func(address string) time.Time
}

// New returns a Breaker that knows of no order yet.
func New(cfg Config) *Breaker {
	return &Breaker{Config: cfg,
		poked: make(chan struct{}, 1), hosts: map[string]*circuit{}, work: map[string]*circuit{}, abandoned: map[string]bool{},
		unreached: map[uuid.UUID]bool{}, doubts: map[uuid.UUID]int{}, changed: make(chan struct{})}
}

// Begin notes the orders of a new session.
func (b *Breaker) Begin(specs []tasks.Spec) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, spec := range specs {
		if spec.Invalid == nil {
			b.expect(spec)
		}
	}
}

// Load reads from the queue which orders are open, and which hosts have answered before.
func (b *Breaker) Load(ctx context.Context, queue tasks.TaskQueue) error {
	var open []tasks.Spec
	answering := map[string]bool{} // by an address of an order
	err := queue.Each(ctx, func(t *tasks.ProcessingTask) error {
		switch {
		case !t.State.Final():
			open = append(open, tasks.Spec{Key: t.Key, URL: t.URL, Portal: t.Portal, Skipped: t.Skipped})
		case t.State == tasks.StateCompleted, t.Outcome == tasks.OutcomeNotFound, t.Outcome == tasks.OutcomeIdentityMismatch:
			answering[t.URL] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.hosts {
		c.work, c.orders = 0, 0
	}
	clear(b.work)
	for _, order := range open {
		b.expect(order)
	}
	for address := range answering {
		b.circuit(address).answered, b.answered, b.reached = true, true, true
	}
	return nil
}

// Reopened notes orders that had ended and were put back.
func (b *Breaker) Reopened(ctx context.Context, queue tasks.TaskQueue, orders []uuid.UUID) error {
	var open []tasks.Spec
	for _, id := range orders {
		t, err := queue.Get(ctx, id)
		if err != nil {
			return err
		}
		if !t.State.Final() {
			open = append(open, t.Spec)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, order := range open {
		b.expect(order)
	}
	return nil
}

// Open returns how many orders have not ended.
func (b *Breaker) Open() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.work)
}

// expect notes an order that has not ended, unless it was left out. The caller holds b.mu.
func (b *Breaker) expect(order tasks.Spec) {
	if order.Skipped == "" && b.work[order.Key] == nil && !b.abandoned[order.Portal] {
		c := b.circuit(order.URL)
		c.portal = order.Portal
		b.work[order.Key] = c
		c.work++
		c.orders++
	}
}

// circuit returns that of an order's host. The caller holds b.mu.
func (b *Breaker) circuit(address string) *circuit {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		u = &url.URL{} // such an order ends before it is opened
	}
	address = dialAddress(u)
	c := b.hosts[address]
	if c == nil {
		c = newCircuit(u.Host, address, u.Scheme+"://"+u.Host+"/")
		b.hosts[address] = c
	}
	return c
}

// dialAddress returns host and port of an URL, the port its scheme's own where
// none is named.
func dialAddress(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "socks5": "1080", "socks": "1080", "socks4": "1080"}[u.Scheme]
	}
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// Ended notes that the order with a key has ended.
func (b *Breaker) Ended(order string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.work[order]; c != nil {
		delete(b.work, order)
		c.work--
		if c.work == 0 {
			b.stir()
		}
	}
}

// Abandon forgets the orders of a portal: none of them is opened any more, so their hosts keep
// nobody waiting.
func (b *Breaker) Abandon(portal string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.abandoned[portal] = true
	for order, c := range b.work {
		if c.portal == portal {
			delete(b.work, order)
			c.work--
		}
	}
	b.stir()
}

// Wake has the orders that wait check whether they still must.
func (b *Breaker) Wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stir()
}

// stir wakes who waits for a change. The caller holds b.mu.
func (b *Breaker) stir() {
	close(b.changed)
	b.changed = make(chan struct{})
	select {
	case b.poked <- struct{}{}:
	default:
	}
}
