package breaker

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// Pass lets one attempt through to its host.
type Pass struct {
	breaker *Breaker
	circuit *circuit
	order   uuid.UUID
	// charged attempts of the order before this one.
	charged int
	// probe: the circuit is half open, and waits for what this attempt meets.
	probe bool
	ended bool
}

// Admit blocks until the order may be opened, and returns its pass, which must
// be ended. It returns a release when the order is to be given back: ctx has
// ended, its worker is leaving, orders of other hosts could be worked on
// meanwhile, or the waiting has taken time that the attempt needs.
func (b *Breaker) Admit(ctx context.Context, task *tasks.ProcessingTask, leaving func() bool) (*Pass, error) {
	began := time.Now()
	p := &Pass{breaker: b, order: task.ID, charged: task.Attempts}
	for {
		b.mu.Lock()
		if p.circuit == nil {
			p.circuit = b.circuit(task.URL)
		}
		entered, err := b.enter(p, time.Since(began))
		changed, quiet := b.changed, b.quiet(p.circuit, time.Now())
		if !entered && err == nil {
			b.waiting++
			b.pause()
		}
		b.mu.Unlock()
		switch {
		case err != nil:
			return nil, err
		case entered:
			return p, nil
		}
		err = b.await(ctx, changed, quiet, leaving)
		b.mu.Lock()
		b.waiting--
		b.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
}

// enter lets an order go that has waited so long, or says that it must be given
// back; neither: it has to wait. The caller holds b.mu.
func (b *Breaker) enter(p *Pass, waited time.Duration) (bool, error) {
	c, now := p.circuit, time.Now()
	quiet := b.quiet(c, now)
	late := waited > b.Timeout/4
	switch {
	case c.state == stateGivenUp:
		return false, given(0, "%s: no more orders are opened there", c.trouble())
	case !quiet.IsZero() && b.othersGo(c, now):
		return false, given(quiet.Sub(now), "%s: it waits, while those of other hosts go on", c.quietly(quiet))
	case !quiet.IsZero():
		return false, nil
	case c.state == stateClosed && late, c.due(now) && late:
		return false, given(0, "the order has waited for %s; it begins anew, with all of its time", c.host)
	case c.state == stateClosed:
		b.working++
		b.resume()
		return true, nil
	case c.due(now):
		p.probe = c.become(stateHalfOpen)
		return p.probe, nil
	case b.othersGo(c, now):
		return false, given(c.untilProbe(now), "%s: the order waits, while those of other hosts go on", c.trouble())
	}
	return false, nil
}

// await blocks until something has changed, or the host's quiet time is over, and returns a release when the
// waiting is over without that.
func (b *Breaker) await(ctx context.Context, changed <-chan struct{}, quiet time.Time, leaving func() bool) error {
	if leaving() {
		return given(0, "the worker that held the order, which waited for its host, was stopped")
	}
	var over <-chan time.Time
	if !quiet.IsZero() {
		timer := time.NewTimer(time.Until(quiet))
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-changed:
		return nil
	case <-over:
		return nil
	case <-ctx.Done():
		return given(0, "the order waited for its host: %w", context.Cause(ctx))
	}
}

// given returns the failure of an order that is given back without having been
// opened, and is not due again before so long.
func given(after time.Duration, format string, args ...any) *tasks.Failure {
	f := tasks.Release(tasks.ClassReleased, format, args...)
	f.After = after
	return f
}

// othersGo reports whether a worker could do something for another host. The
// caller holds b.mu.
func (b *Breaker) othersGo(than *circuit, now time.Time) bool {
	for _, c := range b.hosts {
		if c != than && c.work > 0 && (c.state == stateClosed && b.quiet(c, now).IsZero() || c.state == stateHalfOpen || c.due(now)) {
			return true
		}
	}
	return false
}

// pause says that the session waits, once no order is being worked on but as a
// probe. The caller holds b.mu.
func (b *Breaker) pause() {
	if b.paused || b.working > 0 || b.waiting == 0 {
		return
	}
	b.paused = true
	b.tell(tasks.EventPaused, b.reason())
}

// resume says that orders are worked on again. The caller holds b.mu.
func (b *Breaker) resume() {
	if b.paused {
		b.paused = false
		b.tell(tasks.EventResumed, "")
	}
}

// tell adds an event to the news. The caller holds b.mu.
func (b *Breaker) tell(kind, detail string) {
	b.news = append(b.news, tasks.Event{At: time.Now(), Type: kind, Detail: detail})
	b.stir()
}
