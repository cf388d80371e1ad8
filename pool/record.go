package pool

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// end publishes and records the attempt in the background, while the slot goes on.
// It first waits until the slot's batch before this one is recorded, so that never
// more than one batch is being recorded.
func (a *attempt) end() {
	a.slot.earlier.Wait()
	a.slot.recordings.Go(a.finish)
}

// finish publishes and records the attempt, and emits its event when the record is
// durable.
func (a *attempt) finish() {
	defer a.letGo()
	recorded := false
	phases := map[string]float64{"claim": ms(a.lease.ClaimTook), "wait": ms(a.run.pool.waited(a.lease))}
	res, err := a.report()
	if err == nil && res != nil && a.run.cfg.Publish != nil {
		began := time.Now()
		if err = a.publish(res); err != nil {
			res = nil
		} else {
			published := res
			defer func() { a.settle(published, recorded) }()
		}
		phases["publish"] = ms(time.Since(began))
	}
	a.stopKeep()
	<-a.kept
	if a.held.Err() != nil {
		a.dropped()
		return
	}
	d := a.decide(res, err, phases)
	ctx, cancel := a.run.durable()
	defer cancel()
	switch failed := a.run.cfg.Queue.Record(ctx, a.lease, d); {
	case failed == nil:
		recorded = true
		a.recorded(d)
	case errors.Is(failed, tasks.ErrLeaseLost):
		a.dropped()
	default:
		a.run.fail(fmt.Errorf("recording what became of %s: %w", a.order, failed))
	}
}

// settle calls Config.Settled for a published result. A panic there is its own, and
// not the pool's end.
func (a *attempt) settle(res *tasks.Result, recorded bool) {
	if a.run.cfg.Settled == nil {
		return
	}
	_, err := bounded(a.run.base, a.run.calls, 0, "settling "+a.order,
		func() (struct{}, error) { a.run.cfg.Settled(a.lease, res, recorded); return struct{}{}, nil }, nil)
	if err != nil {
		notice := a.event(EventNotice, 0)
		notice.Err, notice.Detail = err, err.Error()
		a.run.events.emit(notice)
	}
}

// letGo ends the slot's account of the task.
func (a *attempt) letGo() {
	a.stopKeep()
	<-a.kept
	a.lose(nil)
	p := a.run.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	a.run.inHand--
	a.run.gate.poke()
	p.announce()
}

// publish puts the result in its final place, provided that the lease holds.
func (a *attempt) publish(res *tasks.Result) error {
	ctx, cancel := context.WithTimeout(a.held, a.run.cfg.RecordTimeout)
	defer cancel()
	if err := a.run.cfg.Queue.Extend(ctx, a.lease); err != nil {
		if errors.Is(err, tasks.ErrLeaseLost) {
			a.lose(err)
		}
		return tasks.Release(tasks.ClassReleased, "the lease of %s could not be extended before publishing: %w", a.order, err)
	}
	_, err := bounded(ctx, a.run.calls, a.run.cfg.Grace, "publishing "+a.order,
		func() (struct{}, error) { return struct{}{}, a.run.cfg.Publish(ctx, a.lease, res) }, nil)
	var f *tasks.Failure
	var p *PanicError
	switch {
	case err == nil, errors.As(err, &f):
		return err
	case errors.As(err, &p):
		return tasks.Retry(tasks.ClassPanic, "publishing %s panicked: %w", a.order, p)
	}
	return tasks.Retry(tasks.ClassStorage, "publishing %s: %w", a.order, err)
}

// decide asks the policy, and writes what the queue does not know by itself into
// the record of the attempt. One that did not start leaves no times.
func (a *attempt) decide(res *tasks.Result, err error, phases map[string]float64) tasks.Decision {
	now := time.Now()
	d := a.run.cfg.Policy.After(a.lease.Task, res, err, now)
	evidence := []string{}
	if res != nil {
		d.Attempt.Executor = res.Executor
		maps.Copy(phases, res.PhaseMS)
		evidence = append(evidence, res.Evidence...)
	}
	if d.Failure != nil {
		maps.Copy(phases, d.Failure.PhaseMS)
		if d.Attempt.Executor == "" {
			d.Attempt.Executor = d.Failure.Executor
		}
		evidence = append(evidence, d.Failure.Evidence...)
	}
	d.Attempt.Worker, d.Attempt.PhaseMS, d.Attempt.Evidence = a.slot.id, phases, evidence
	if !a.started.IsZero() {
		d.Attempt.StartedAt, d.Attempt.EndedAt = a.started, now
	}
	return d
}

// recorded emits the event of an attempt that is durable: only now does it count.
func (a *attempt) recorded(d tasks.Decision) {
	s, p := a.slot, a.run.pool
	event := a.event(EventTaskEnded, time.Since(a.began))
	event.State, event.Outcome = d.To, d.Outcome
	event.Attempt, event.RetryAt = a.lease.Task.Attempts+1, d.NotBefore
	if d.Failure != nil {
		event.Err, event.Detail = d.Failure, d.Failure.Message
	}
	broke := d.Outcome.State() == tasks.StateFailed || d.Result == nil && d.Failure != nil
	s.lock(func() {
		s.status.LastActivity = time.Now()
		if !d.Released {
			s.status.Processed++
			if broke {
				s.status.Failed++
			} else {
				s.status.Succeeded++
			}
		}
		if p.cfg.KeepResults && d.To.Final() {
			p.finished = append(p.finished, a.lease.Task.ID)
		}
	})
	a.run.events.emit(event)
}

// dropped emits the event of a lost lease: what the attempt found is dropped.
func (a *attempt) dropped() {
	event := a.event(EventLeaseLost, time.Since(a.began))
	event.Err = tasks.ErrLeaseLost
	event.Detail = fmt.Sprintf("what %s found of %s is dropped: the task was taken from it", a.slot.id, a.order)
	a.run.events.emit(event)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
