package breaker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

const (
	// checkTimeout bounds a check of a host. lateCheckTimeout does when the
	// attempt's time is up already: the pool waits 5 s for it then.
	checkTimeout, lateCheckTimeout = 3 * time.Second, 2 * time.Second
	// doubtWait is how long an order waits that would have had its last attempt
	// before anything is known of any host.
	doubtWait = 5 * time.Second
)

// Observe ends the pass with the result or error of the attempt. It returns what is wrong with
// the host if the host is to blame and not the order, else nil.
func (p *Pass) Observe(ctx context.Context, res *tasks.Result, err error) *tasks.HostTrouble {
	b, s := p.breaker, readSign(res, err)
	f := p.check(ctx, s)
	b.mu.Lock()
	p.circuit.asked = true
	b.suspect(p.circuit, s, tasks.AsFailure(err))
	s = p.weigh(s, f)
	after, release := b.decide(p, s, f)
	p.over()
	b.mu.Unlock()
	if !release {
		return nil
	}
	return &tasks.HostTrouble{Text: p.circuit.host + ": " + s.text, After: after}
}

// End gives the pass back. A probe that has observed nothing, because it
// panicked, has found nothing out. It may be called again.
func (p *Pass) End() {
	p.breaker.mu.Lock()
	defer p.breaker.mu.Unlock()
	p.over()
}

// over is End, for who holds the breaker's mu.
func (p *Pass) over() {
	if p.ended {
		return
	}
	p.ended = true
	b := p.breaker
	switch {
	case !p.probe:
		b.working--
		b.pause()
	case p.circuit.state == stateHalfOpen:
		p.circuit.become(stateOpen)
		p.circuit.nextProbe = time.Now().Add(checkEvery)
		b.stir()
	}
}

// found is what a check of a host has found. The zero value: there was none.
type found struct {
	checked bool
	// unreached is why there was no connection, and mute why there was no answer
	// on it either, if that was asked for.
	unreached, mute error
}

// check finds out what of the sign is the host's doing. It blocks for
// checkTimeout at most.
func (p *Pass) check(ctx context.Context, s sign) found {
	b, c := p.breaker, p.circuit
	b.mu.Lock()
	learn := c.dialling == trustUnknown && s.answered() && s.kind != signBroken
	if !s.doubtful() && !learn {
		b.mu.Unlock()
		return found{}
	}
	if s.kind == signUnreached {
		c.unreached[p.order] = true
	}
	deep := s.kind == signUnreached && (p.probe || len(c.unreached) >= differentOrders)
	b.mu.Unlock()

	timeout := checkTimeout
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		ctx, timeout = context.WithoutCancel(ctx), lateCheckTimeout
	}
	checking, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	f := found{checked: true, unreached: b.Checker.Reach(checking, c.address)}
	if f.unreached == nil && deep {
		f.mute = b.Checker.Ask(checking, c.site)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return found{} // the work is being stopped, and the check with it
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case f.unreached == nil:
		c.checked(time.Now(), true)
	case learn:
		// The browser has just had an answer, so a connection from here tells nothing.
		c.dialling = trustNo
	}
	return f
}

// weigh returns what the sign means in the light of what a check has found: a
// host that has gone is as one that was not reached.
func (p *Pass) weigh(s sign, f found) sign {
	gone := f.checked && f.unreached != nil && p.circuit.dialling != trustNo
	switch {
	case s.kind == signBroken && gone, s.kind == signSilent && gone:
		s.kind = signUnreached
		s.text = "it cannot be connected to any more"
	case s.kind == signBroken:
		s.kind = signAnswer
	case s.kind == signSilent:
		s.kind = signRefused
		s.deaf = true
	}
	return s
}

// decide updates the circuit after a sign, and reports whether the order is to be
// released, and for how long. The caller holds b.mu.
func (b *Breaker) decide(p *Pass, s sign, f found) (after time.Duration, release bool) {
	c := p.circuit
	if s.answered() {
		c.answered, b.answered = true, true
		clear(c.unreached)
		clear(b.unreached)
	}
	switch s.kind {
	case signNone:
		return 0, false
	case signUnreached:
		return b.unreachedBy(p, s, f)
	case signRefused:
		if !p.probe || !s.denied || c.refuses {
			return b.refusedTo(p, s, f)
		}
		// After an outage, one order that is denied shows that the host is back.
	}
	if c.state == stateClosed && s.kind != signLogin {
		c.note(windowed{p.order, false, s.kind == signWell})
	}
	if p.probe {
		b.shut(c)
	}
	return 0, false
}

// refusedTo updates the circuit after a refusal. The caller holds b.mu.
func (b *Breaker) refusedTo(p *Pass, s sign, f found) (time.Duration, bool) {
	c, now := p.circuit, time.Now()
	if c.state == stateClosed && !s.barred {
		if c.note(windowed{p.order, true, false}); !c.refusing() {
			// A host that did well, and has refused all for some time, may be
			// about to refuse nearly all.
			doubt := c.proven && !s.denied && len(c.refused) >= differentOrders
			return maxProbe, doubt && b.spare(p, maxDoubts)
		}
	}
	if p.probe || c.state == stateClosed {
		b.open(c, s, f)
	}
	return c.untilProbe(now), true
}

// unreachedBy updates the circuit after an order that had no answer. The caller
// holds b.mu.
func (b *Breaker) unreachedBy(p *Pass, s sign, f found) (time.Duration, bool) {
	c := p.circuit
	c.unreached[p.order] = true
	if !b.answered {
		b.unreached[p.order] = true
	}
	gone := f.unreached != nil && c.dialling != trustNo
	// A host that answers here on the same connection is not down, whatever
	// becomes of that order's page.
	alive := f.checked && f.unreached == nil && f.mute == nil && c.dialling == trustYes
	switch {
	case p.probe && alive:
		b.shut(c)
		return checkEvery, true
	case p.probe:
		b.open(c, s, f)
		return checkEvery, true
	case c.state != stateClosed:
		return checkEvery, true
	}
	known := c.answered || len(b.unreached) >= differentOrders
	if known && (gone || !alive && len(c.unreached) >= differentOrders) {
		b.open(c, s, f)
		return checkEvery, true
	}
	if c.note(windowed{p.order, true, false}); c.refusing() {
		b.open(c, s, f)
		return checkEvery, true
	}
	// Nothing is known of any host yet, but there are orders enough to know soon.
	doubt := !b.answered && gone && len(b.work) >= differentOrders
	return doubtWait, doubt && b.spare(p, math.MaxInt)
}

// spare reports whether an order is spared its last attempt, which happens so
// often at most. The caller holds b.mu.
func (b *Breaker) spare(p *Pass, atMost int) bool {
	if p.charged < b.Retries || b.doubts[p.order] >= atMost {
		return false
	}
	b.doubts[p.order]++
	return true
}

// open opens a circuit, for the first time or again. The caller holds b.mu.
func (b *Breaker) open(c *circuit, s sign, f found) {
	first := c.state == stateClosed
	now := time.Now()
	c.open(now, s, f.unreached == nil)
	if first {
		b.nextCheck = now.Add(checkEvery)
		b.tell(tasks.EventBreakerOpened, fmt.Sprintf("%s: its orders wait, and what they meet is not charged to them", c.trouble()))
	}
	b.stir()
}

// shut closes a circuit. The caller holds b.mu.
func (b *Breaker) shut(c *circuit) {
	since := c.since
	c.shut()
	b.tell(tasks.EventBreakerClosed, fmt.Sprintf("%s answers again, after %v", c.host, time.Since(since).Round(time.Second)))
	b.resume()
}
