package monitor

import (
	"math/rand/v2"
	"testing"
	"time"
)

// spell is for how long other programs put a load on the machine.
type spell struct {
	load
	from, until time.Duration
}

// day returns 24 hours of what other programs do: builds of some minutes, backups that fill the
// memory, and rest between them.
func day(random *rand.Rand) []spell {
	var spells []spell
	at := 10 * time.Minute
	for at < 24*time.Hour {
		s := spell{from: at, until: at + time.Minute + time.Duration(random.Int64N(int64(20*time.Minute)))}
		switch random.IntN(4) {
		case 0: // a backup
			s.load = load{0.1, 0.97}
		case 1: // a short build
			s.load, s.until = load{0.9, 0.1}, at+30*time.Second
		default: // builds
			s.load = load{0.3 + 0.7*random.Float64(), 0.1 + 0.3*random.Float64()}
		}
		spells = append(spells, s)
		at = s.until + 5*time.Minute + time.Duration(random.Int64N(int64(30*time.Minute)))
	}
	return spells
}

// loadAt returns what the machine shows: the workers are not served before the others.
func loadAt(spells []spell, at time.Duration, workers int, held bool, random *rand.Rand) (l load, quiet time.Duration) {
	var others load
	quiet = at
	for _, s := range spells {
		if s.from <= at && at < s.until {
			others, quiet = s.load, 0
		} else if s.until <= at {
			quiet = at - s.until
		}
	}
	own := float64(workers) * 0.15
	if held {
		own = 0.01
	}
	return load{cpu: clamp(others.cpu+own+0.05*random.NormFloat64(), 1), memory: clamp(others.memory+0.1+float64(workers)*0.02, 1)}, quiet
}

// TestADay: over a day, the number of workers follows the load without flapping, and soon after
// each spell all of them are back.
func TestADay(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 3))
		spells := day(random)
		cfg := DefaultConfig().withDefaults()
		d, b := newDecider(cfg), brake{cfg: cfg}
		const wanted = 4
		workers, fewest, takenBack, spellsSeen := wanted, wanted, 0, len(spells)
		var lowered, raised, changed time.Duration
		for at := time.Duration(0); at < 24*time.Hour; at += d.next() {
			l, quiet := loadAt(spells, at, workers, b.held, random)
			s := Sample{At: start.Add(at), CPU: l.cpu, Memory: l.memory, Pressure: -1}
			p := d.feed(s, crew{now: workers, wanted: wanted})
			switch {
			case p.to == 0:
			case p.to < workers:
				if lowered < raised && at-raised < time.Minute {
					takenBack++
				}
				lowered = at
			default:
				if lowered > 0 && at-lowered < time.Minute {
					t.Errorf("seed %d: at %v a worker is added, %v after one was taken away", seed, at, at-lowered)
				}
				raised = at
			}
			if p.to != 0 {
				d.carriedOut(s, workers, p)
				workers = p.to
			}
			if j := b.feed(s, workers); j.hold || j.release {
				if j.hold && changed > 0 && at-changed < time.Minute {
					t.Errorf("seed %d: at %v work waits again, %v after it went on", seed, at, at-changed)
				}
				changed = at
			}
			fewest = min(fewest, workers)
			if quiet > 3*time.Minute && (workers < wanted || b.held) {
				t.Errorf("seed %d: at %v, %v after the last spell, there are %d workers", seed, at, quiet, workers)
			}
		}
		if takenBack > spellsSeen/2 {
			t.Errorf("seed %d: %d raises were taken back within a minute, with %d spells", seed, takenBack, spellsSeen)
		}
		if fewest != 1 {
			t.Errorf("seed %d: never fewer than %d workers", seed, fewest)
		}
	}
}

// TestBackAtFullRate: half a minute after a load that has left one worker, all are back but for
// the last steps.
func TestBackAtFullRate(t *testing.T) {
	t.Parallel()
	cfg := DefaultConfig().withDefaults()
	d := newDecider(cfg)
	random := rand.New(rand.NewPCG(1, 1))
	spells := []spell{{load{0.95, 0.2}, time.Minute, 10 * time.Minute}}
	workers := 4
	var after []int
	for at := time.Duration(0); at < 12*time.Minute; at += d.next() {
		l, quiet := loadAt(spells, at, workers, false, random)
		s := Sample{At: start.Add(at), CPU: l.cpu, Memory: l.memory, Pressure: -1}
		if p := d.feed(s, crew{now: workers, wanted: 4}); p.to != 0 {
			d.carriedOut(s, workers, p)
			workers = p.to
		}
		if at >= 10*time.Minute && quiet <= 45*time.Second {
			after = append(after, workers)
		}
	}
	if after[0] != 1 || after[len(after)-1] != 4 {
		t.Errorf("in the 45 s after the load there were %v workers, want 1 at first and 4 at last", after)
	}
}
