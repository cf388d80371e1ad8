package monitor

import (
	"math"
	"time"
)

// drainLimit is how many times Settle the monitor waits for workers that were
// taken away.
const drainLimit = 6

// turnIntervals is for how many intervals no worker is added after one was taken away, a minute at
// the default interval. Taking away does not wait.
const turnIntervals = 12

// backIntervals is for how many intervals the load must have passed before all workers are had back
// at once; for twice as many where a raise has failed lately, and for one after a raise.
const backIntervals = 2

// crew is how many workers there are when a sample is judged.
type crew struct {
	now, wanted, draining int
}

// proposal is what a sample asks for.
type proposal struct {
	to  int // the number of workers, or 0 for no change
	why string
}

// decider decides from samples alone: it reads no clock and does no I/O. Feed it
// every sample; report to it each proposal that was carried out.
type decider struct {
	cfg Config

	workers   int // as of the last sample; 0 before the first
	changedAt time.Time
	settling  bool
	rising    bool      // the last change was a raise, and nothing was over since
	falling   bool      // the last change took a worker away
	loweredAt time.Time // when one was taken away last
	turnedAt  time.Time // when the number last rose after it had fallen
	over      int       // samples in a row above a threshold
	calmSince time.Time // begin of the present calm; zero if there is none
	memory    float64   // of the last sample, which was taken at sampledAt
	sampledAt time.Time
	growths   [2]float64 // of memory in a second, from each of the last two samples to the next

	// What had been over when workers were taken away, and how it was said.
	cpuOver, memoryOver bool
	breach              string

	forecast forecast
	usual    usual
	backoff  backoff
}

func newDecider(cfg Config) decider {
	return decider{cfg: cfg, backoff: backoff{dwell: cfg.Dwell}}
}

// feed judges a sample.
func (d *decider) feed(s Sample, c crew) proposal {
	if c.now < 1 || c.now > c.wanted {
		return proposal{} // stopped, or about to follow the user's own wish
	}
	d.watchMemory(s)
	d.follow(s.At, c)
	if d.settling = d.isSettling(s.At, c); d.settling {
		return proposal{}
	}
	over := d.isOver(s)
	calm := !over && c.now < c.wanted && d.isCalm(s)
	switch {
	case over && d.over == 0: // from here on the average is that of the breach
		d.forecast.restart()
	case calm && d.calmSince.IsZero(): // or of the calm
		d.calmSince = s.At
		d.forecast.calmed()
	case !calm:
		d.calmSince = time.Time{}
	}
	d.forecast.observe(s, c.now, d.cfg.Samples)
	if c.now == c.wanted {
		d.cpuOver, d.memoryOver, d.breach = false, false, ""
		if !over {
			d.usual.observe(s, c.now)
		}
	}
	if over {
		d.over++
		d.rising = false
		return d.lower(s, c)
	}
	d.over = 0
	return d.raise(s, c)
}

// watchMemory takes note of how fast memory grows.
func (d *decider) watchMemory(s Sample) {
	d.growths = [2]float64{d.growths[1], 0}
	if took := s.At.Sub(d.sampledAt).Seconds(); !d.sampledAt.IsZero() && took > 0 {
		d.growths[1] = max(0, (s.Memory-d.memory)/took)
	}
	d.memory, d.sampledAt = s.Memory, s.At
}

// follow takes note of a number of workers that somebody else has changed.
func (d *decider) follow(at time.Time, c crew) {
	if d.workers != 0 && d.workers != c.now {
		d.startOver(at)
		d.rising = false
		d.forecast.forgetChange()
		d.backoff.forgetRaise()
	}
	d.workers = c.now
}

// carriedOut takes note of a proposal that was carried out.
func (d *decider) carriedOut(s Sample, from int, p proposal) {
	if p.to < from {
		d.cpuOver = d.cpuOver || s.CPU > d.cfg.CPU
		d.memoryOver = d.memoryOver || s.Memory > d.cfg.Memory
		d.breach = breachText(s, d.cfg)
		d.backoff.lowered(s.At)
		d.rising, d.falling, d.loweredAt = false, true, s.At
	} else {
		if d.falling {
			d.turnedAt = s.At
		}
		d.rising, d.falling = true, false
		d.backoff.raised(s.At)
	}
	d.forecast.changed(from, p.to, s.At)
	d.workers = p.to
	d.startOver(s.At)
	d.settling = true
}

func (d *decider) startOver(at time.Time) {
	d.changedAt, d.over, d.calmSince = at, 0, time.Time{}
	d.forecast.restart()
}

func (d *decider) isSettling(at time.Time, c crew) bool {
	if d.changedAt.IsZero() {
		return false
	}
	limit := d.cfg.Settle
	if c.draining > 0 {
		limit = drainLimit * d.cfg.Settle
	}
	return at.Sub(d.changedAt) < limit
}

func (d *decider) isOver(s Sample) bool { return s.CPU > d.cfg.CPU || s.Memory > d.cfg.Memory }

// lower proposes fewer workers once the breach is confirmed.
func (d *decider) lower(s Sample, c crew) proposal {
	if d.over < d.cfg.Samples || c.now == 1 {
		return proposal{}
	}
	if d.isBearable(s) {
		d.backoff.strained(s.At)
		return proposal{}
	}
	return proposal{to: c.now - d.leaving(s, c), why: breachText(s, d.cfg)}
}

// leaving returns how many workers are to go: one, but where memory grows fast as many as have what
// it would be over by once they are gone.
func (d *decider) leaving(s Sample, c crew) int {
	share := s.Memory / float64(c.now)
	if d.usual.seen >= usualFrom {
		share = min(share, d.usual.load.memory/float64(d.usual.workers))
	}
	growth := min(d.growths[0], d.growths[1]) // one alone may be chance
	over := s.Memory + growth*d.cfg.Settle.Seconds() - d.cfg.Memory
	if s.Memory <= d.cfg.Memory || share <= 0 {
		return 1
	}
	return min(max(1, int(math.Ceil(min(over/share, float64(c.now))))), c.now-1)
}

// isBearable reports whether the number of workers has risen a short while ago, and is a little too
// much for the CPU alone: that makes them slow, and harms nobody.
func (d *decider) isBearable(s Sample) bool {
	return !d.turnedAt.IsZero() && s.At.Sub(d.turnedAt) < turnIntervals*d.cfg.Interval &&
		s.Memory <= d.cfg.Memory && d.forecast.mean.cpu < saturated
}

// raise proposes one worker more once the load has passed for long enough and the forecast agrees, or
// all of them where the load leaves room for what is usual.
func (d *decider) raise(s Sample, c crew) proposal {
	if d.backoff.lasted(s.At) {
		d.backoff.reset()
	}
	if d.calmSince.IsZero() || !d.loweredAt.IsZero() && s.At.Sub(d.loweredAt) < turnIntervals*d.cfg.Interval {
		return proposal{}
	}
	calm := s.At.Sub(d.calmSince)
	if calm >= d.backDwell() && d.usual.fits(d.forecast.mean, c.now, c.wanted, d.cfg) {
		return proposal{to: c.wanted, why: backText(d.forecast.mean)}
	}
	next := d.forecast.withOneMore(s.At, c.now, d.backoff.halfLife())
	spare := d.cfg.LowerMark / 2 // samples vary
	if calm < d.dwell(next) || next.cpu > d.cfg.CPU-spare || next.memory > d.cfg.Memory-spare {
		return proposal{}
	}
	return proposal{to: c.now + 1, why: raiseText(next)}
}

func (d *decider) backDwell() time.Duration {
	if d.rising {
		return d.cfg.Interval
	}
	return time.Duration(min(max(d.backoff.factor, 1), 2)*backIntervals) * d.cfg.Interval
}

// dwell returns how long the load must have passed for a raise with this forecast. One that is far
// below the thresholds is not that of the raises that failed.
func (d *decider) dwell(next load) time.Duration {
	far := next.cpu <= d.cfg.CPU-2*d.cfg.LowerMark && next.memory <= d.cfg.Memory-2*d.cfg.LowerMark
	dwell := d.backoff.current()
	if far {
		dwell = min(dwell, d.cfg.Dwell)
	}
	if d.rising && (far || d.backoff.factor <= 1) {
		dwell = min(dwell, d.cfg.Interval)
	}
	return dwell
}

// isCalm reports whether whatever had been over is below its lower mark. Memory
// that other programs fill to just below its threshold is no reason to stay
// down after a breach of the CPU's.
func (d *decider) isCalm(s Sample) bool {
	return (!d.cpuOver || s.CPU < d.cfg.CPU-d.cfg.LowerMark) &&
		(!d.memoryOver || s.Memory < d.cfg.Memory-d.cfg.LowerMark)
}

// next returns how long to wait for the next sample: while a breach is being
// confirmed, so short that all samples that this takes come within 2 s.
func (d *decider) next() time.Duration {
	if d.over > 0 && d.over < d.cfg.Samples && d.workers > 1 {
		return min(d.cfg.Interval, confirmWithin/time.Duration(d.cfg.Samples))
	}
	return d.cfg.Interval
}
