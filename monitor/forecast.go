package monitor

import (
	"math"
	"time"
)

const (
	// leastWeight is what a new sample weighs at least in the moving average.
	leastWeight = 0.25
	// saturated is the CPU load from which on a difference says nothing about
	// one worker: the machine could not have shown more.
	saturated = 0.97
)

// load is CPU and memory, each 0 to 1.
type load struct{ cpu, memory float64 }

// forecast knows the smoothed load since the last change of the number of
// workers, and what one worker adds to it.
type forecast struct {
	mean load
	seen int // samples in mean

	// The change whose effect is still to be learned; from is 0 without one.
	from, to int
	before   load

	cpu, memory share
}

// share is what one worker adds to one kind of load.
type share struct {
	value   float64
	learned bool
	at      time.Time // when it was learned; before that, of the last change
}

// restart begins a new average.
func (f *forecast) restart() { f.mean, f.seen = load{}, 0 }

// calmed begins a new average where other load than the workers' has gone: nothing can be learned of
// a change that was made under it.
func (f *forecast) calmed() {
	if f.seen > 0 {
		f.restart()
		f.forgetChange()
	}
}

// changed takes note of a change that is made now. restart comes after it.
func (f *forecast) changed(from, to int, at time.Time) {
	f.from, f.to, f.before = from, to, f.mean
	for _, s := range []*share{&f.cpu, &f.memory} {
		if !s.learned {
			s.at = at
		}
	}
}

// forgetChange: nothing can be learned from the last change any more.
func (f *forecast) forgetChange() { f.from = 0 }

// observe adds a sample to the average and, at the enough-th one after a change,
// learns from it.
func (f *forecast) observe(s Sample, workers, enough int) {
	f.seen++
	weight := max(1/float64(f.seen), leastWeight)
	f.mean.cpu += weight * (s.CPU - f.mean.cpu)
	f.mean.memory += weight * (s.Memory - f.mean.memory)
	if f.from != 0 && f.to == workers && f.seen == enough {
		f.learn(s.At)
		f.from = 0
	}
}

// learn compares the load before and after the last change. Where the CPU had
// been saturated before a worker was taken away, the difference is too small to
// be believed, and nothing is learned of it.
func (f *forecast) learn(at time.Time) {
	high, low, most, least := f.before, f.mean, f.from, f.to
	raised := f.to > f.from
	if raised {
		high, low, most, least = f.mean, f.before, f.to, f.from
	}
	if raised || high.cpu < saturated {
		f.cpu.learn(high.cpu, low.cpu, most, most-least, at)
	}
	f.memory.learn(high.memory, low.memory, most, most-least, at)
}

// learn takes what a load changed by with some of all workers.
func (s *share) learn(high, low float64, all, some int, at time.Time) {
	// All workers together are not more than the whole load.
	found := clamp((high-low)/float64(some), high/float64(all))
	if s.learned {
		found = (found + s.value) / 2
	}
	s.value, s.learned, s.at = found, true, at
}

// withOneMore returns the load to expect with one worker more.
func (f *forecast) withOneMore(at time.Time, workers int, halfLife time.Duration) load {
	return load{
		cpu:    f.mean.cpu + f.cpu.expect(f.mean.cpu/float64(workers), at, halfLife),
		memory: f.mean.memory + f.memory.expect(f.mean.memory/float64(workers), at, halfLife),
	}
}

// expect returns what one worker more is expected to add: what was learned, but
// not more than the equal part of one worker now. As long as nothing was
// learned, it is that part. Either figure loses half of its weight in each
// half-life.
func (s *share) expect(equalPart float64, at time.Time, halfLife time.Duration) float64 {
	value := equalPart
	if s.learned {
		value = min(s.value, equalPart)
	}
	return value * math.Exp2(-float64(at.Sub(s.at))/float64(halfLife))
}

func clamp(value, highest float64) float64 { return max(0, min(value, highest)) }
