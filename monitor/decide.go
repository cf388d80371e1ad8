package monitor

import "time"

// drainLimit is how many times Settle the monitor waits for workers that were
// taken away.
const drainLimit = 6

// turnIntervals is for how many intervals no worker is added after one was taken away, a minute at
// the default interval. Taking away does not wait.
const turnIntervals = 12

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
	loweredAt time.Time // when a worker was taken away last
	over      int       // samples in a row above a threshold
	calmSince time.Time // begin of the present calm; zero if there is none

	// What had been over when workers were taken away, and how it was said.
	cpuOver, memoryOver bool
	breach              string

	forecast forecast
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
	d.follow(s.At, c)
	if d.settling = d.isSettling(s.At, c); d.settling {
		return proposal{}
	}
	over := d.isOver(s)
	if over && d.over == 0 {
		d.forecast.restart() // from here on the average is that of the breach
	}
	d.forecast.observe(s, c.now, d.cfg.Samples)
	if c.now == c.wanted {
		d.cpuOver, d.memoryOver, d.breach = false, false, ""
	}
	if over {
		d.over++
		d.rising, d.calmSince = false, time.Time{}
		return d.lower(s, c)
	}
	d.over = 0
	return d.raise(s, c)
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
		d.rising, d.loweredAt = false, s.At
	} else {
		d.rising = true
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

// lower proposes one worker less once the breach is confirmed.
func (d *decider) lower(s Sample, c crew) proposal {
	if d.over < d.cfg.Samples || c.now == 1 {
		return proposal{}
	}
	return proposal{to: c.now - 1, why: breachText(s, d.cfg)}
}

// raise proposes one worker more once the load has passed for long enough and
// the forecast agrees.
func (d *decider) raise(s Sample, c crew) proposal {
	if d.backoff.lasted(s.At) {
		d.backoff.reset()
	}
	if c.now == c.wanted || !d.isCalm(s) {
		d.calmSince = time.Time{}
		return proposal{}
	}
	if d.calmSince.IsZero() {
		d.calmSince = s.At
	}
	next := d.forecast.withOneMore(s.At, c.now, d.backoff.halfLife())
	if s.At.Sub(d.calmSince) < d.dwell(next) || !d.loweredAt.IsZero() && s.At.Sub(d.loweredAt) < turnIntervals*d.cfg.Interval {
		return proposal{}
	}
	if next.cpu > d.cfg.CPU || next.memory > d.cfg.Memory {
		return proposal{}
	}
	return proposal{to: c.now + 1, why: raiseText(next)}
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
