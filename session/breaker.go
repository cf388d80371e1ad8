package session

import (
	"context"
	"net"
	"net/url"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// breaker keeps a host that is down, or that refuses nearly everything, from
// burning the list of orders. Every attempt passes through it: admit before,
// observe after. While a host's circuit is open, its orders wait, and what they
// meet is not charged to them; a look from here, or an order as a probe, finds
// out when it answers again.
type breaker struct {
	// patience is how long a circuit may be open, timeout how long an attempt
	// may take, retries how many further ones an order gets.
	patience, timeout time.Duration
	retries           int
	looker            looker
	// poked has something when the news or the reason may be other than before.
	poked chan struct{}

	mu    sync.Mutex
	hosts map[string]*circuit
	// work has the host of each order that has not ended, by the order's key.
	work map[string]*circuit
	// answered: any host has, in this run or one before. Only until then are
	// the orders that had no answer of any host counted in unreached.
	answered  bool
	unreached map[uuid.UUID]bool
	// doubts counts how often orders were spared their last attempt.
	doubts map[uuid.UUID]int
	// changed is closed and replaced when an order that waits may find things
	// other than before.
	changed chan struct{}
	// waiting orders wait for a circuit, working ones are with the portal; a
	// probe is neither. paused: none works, and some wait.
	waiting, working int
	paused           bool
	nextLook         time.Time
	news             []tasks.Event
}

func newBreaker(cfg Config, l looker) *breaker {
	return &breaker{patience: cfg.BreakerPatience, timeout: cfg.TaskTimeout, retries: cfg.Retries, looker: l,
		poked: make(chan struct{}, 1), hosts: map[string]*circuit{}, work: map[string]*circuit{},
		unreached: map[uuid.UUID]bool{}, doubts: map[uuid.UUID]int{}, changed: make(chan struct{})}
}

// begin takes over the orders of a new session.
func (b *breaker) begin(specs []tasks.Spec) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, spec := range specs {
		if spec.Invalid == nil {
			b.expect(spec)
		}
	}
}

// load takes over which orders are open, and which hosts have answered before.
func (b *breaker) load(ctx context.Context, queue tasks.TaskQueue) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.hosts {
		c.work = 0
	}
	clear(b.work)
	return queue.Each(ctx, func(t *tasks.ProcessingTask) error {
		switch {
		case !t.State.Final():
			b.expect(t.Spec)
		case t.State == tasks.StateCompleted, t.Outcome == tasks.OutcomeNotFound, t.Outcome == tasks.OutcomeIdentityMismatch:
			c := b.circuit(t.URL)
			c.answered, b.answered = true, true
		}
		return nil
	})
}

// reopened takes note of orders that had ended and were put back.
func (b *breaker) reopened(ctx context.Context, queue tasks.TaskQueue, orders []uuid.UUID) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range orders {
		t, err := queue.Get(ctx, id)
		if err != nil {
			return err
		}
		if !t.State.Final() {
			b.expect(t.Spec)
		}
	}
	return nil
}

// expect notes an order that has not ended, unless it was left out. The caller holds b.mu.
func (b *breaker) expect(order tasks.Spec) {
	if order.Skipped == "" && b.work[order.Key] == nil {
		c := b.circuit(order.URL)
		b.work[order.Key] = c
		c.work++
	}
}

// circuit returns that of an order's host. The caller holds b.mu.
func (b *breaker) circuit(address string) *circuit {
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

// ended takes note that the order with a key has come to its end.
func (b *breaker) ended(order string) {
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

// wake has the orders that wait look again whether they still should.
func (b *breaker) wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stir()
}

// stir wakes who waits for a change. The caller holds b.mu.
func (b *breaker) stir() {
	close(b.changed)
	b.changed = make(chan struct{})
	select {
	case b.poked <- struct{}{}:
	default:
	}
}
