package monitor

import (
	"fmt"
	"time"
)

// heldIntervals is for how many intervals new work waits at most, and goes on at least in
// between: a minute at the default interval.
const heldIntervals = 12

// Holder is implemented by a Scaler that can have new work wait while even one worker is too
// much. Hold returns at once; release ends it.
type Holder interface {
	Hold(why string) (release func(why string))
}

// brake decides when new work waits: while memory is over its threshold although one worker
// alone is left. A shortage of processor time is no reason: it only slows that worker down. It reads no
// clock.
type brake struct {
	cfg Config

	held      bool
	changedAt time.Time // zero before the first change
	over      int       // samples in a row with too little memory
	calmSince time.Time
}

// judgement is what a sample asks for: to begin a hold, or to end it, or neither.
type judgement struct {
	hold, release bool
	why           string
}

// feed judges a sample that was taken with so many workers.
func (b *brake) feed(s Sample, workers int) judgement {
	if s.Memory > b.cfg.Memory && workers == 1 {
		b.over++
	} else {
		b.over = 0
	}
	lasted := s.At.Sub(b.changedAt)
	long := b.changedAt.IsZero() || lasted >= heldIntervals*b.cfg.Interval
	if !b.held {
		if b.over < b.cfg.Samples || !long {
			return judgement{}
		}
		b.change(s.At, true)
		return judgement{hold: true, why: overText("memory", s.Memory, b.cfg.Memory) + " with one worker alone"}
	}
	switch {
	case s.Memory >= b.cfg.Memory-b.cfg.LowerMark:
		b.calmSince = time.Time{}
	case b.calmSince.IsZero():
		b.calmSince = s.At
	}
	switch {
	case !b.calmSince.IsZero() && s.At.Sub(b.calmSince) >= b.cfg.Dwell:
		b.change(s.At, false)
		return judgement{release: true, why: fmt.Sprintf("memory is at %.0f %%", 100*s.Memory)}
	case long: // what takes the memory may be the worker that waits
		b.change(s.At, false)
		return judgement{release: true, why: fmt.Sprintf("memory is at %.0f %% still; orders are tried for %v", 100*s.Memory, heldIntervals*b.cfg.Interval)}
	}
	return judgement{}
}

func (b *brake) change(at time.Time, held bool) {
	b.held, b.changedAt, b.over, b.calmSince = held, at, 0, time.Time{}
}
