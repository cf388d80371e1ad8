package monitor

import (
	"math/rand/v2"
	"os"
	"slices"
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

// loadAt returns what the machine shows, and for how long nobody else has put a load on it: the
// workers together use most of the machine, and are not served before the others.
func loadAt(spells []spell, at time.Duration, workers, wanted int, held bool, random *rand.Rand) (l load, quiet time.Duration) {
	var others load
	quiet = at
	for _, s := range spells {
		if s.from <= at && at < s.until {
			others, quiet = s.load, 0
		} else if s.until <= at {
			quiet = at - s.until
		}
	}
	share := float64(workers) / float64(wanted)
	if held {
		share = 0.02
	}
	return load{cpu: clamp(others.cpu+0.6*share+0.05*random.NormFloat64(), 1), memory: clamp(others.memory+0.1+0.1*share, 1)}, quiet
}

// played is what became of a day.
type played struct {
	spells, fewest int
	// turns are when the number of workers began to rise, or to fall, that had done the other before.
	turns []time.Duration
	// back is how long after each spell all workers were there, of those that had been taken away.
	back []time.Duration
	// over is for how long CPU or memory were over with more workers than one.
	over time.Duration
}

// play plays spells through the monitor, by its own clock.
func play(t *testing.T, spells []spell, wanted int, until time.Duration, random *rand.Rand) played {
	t.Helper()
	cfg := DefaultConfig().withDefaults()
	d, b := newDecider(cfg), brake{cfg: cfg}
	workers, y := wanted, played{spells: len(spells), fewest: wanted}
	var lowered, changed, last time.Duration
	rising, back := false, true
	for at := time.Duration(0); at < until; at += d.next() {
		l, quiet := loadAt(spells, at, workers, wanted, b.held, random)
		s := Sample{At: start.Add(at), CPU: l.cpu, Memory: l.memory, Pressure: -1}
		if d.isOver(s) && workers > 1 {
			y.over += at - last
		}
		last = at
		if p := d.feed(s, crew{now: workers, wanted: wanted}); p.to != 0 {
			up := p.to > workers
			if up && at-lowered < time.Minute {
				t.Errorf("at %v a worker is added, %v after one was taken away", at, at-lowered)
			}
			if up != rising {
				y.turns = append(y.turns, at)
			}
			if rising = up; !up {
				lowered = at
			}
			d.carriedOut(s, workers, p)
			workers = p.to
		}
		if j := b.feed(s, workers); j.hold || j.release {
			if j.hold && changed > 0 && at-changed < time.Minute {
				t.Errorf("at %v work waits again, %v after it went on", at, at-changed)
			}
			changed = at
		}
		y.fewest = min(y.fewest, workers)
		if whole := workers == wanted && !b.held; quiet == 0 || !whole {
			back = whole
		} else if !back {
			back = true
			// Whoever was taken away just before the end comes back a minute later.
			y.back = append(y.back, min(quiet, at-lowered-time.Minute+30*time.Second))
		}
	}
	return y
}

// TestADay: over a day, the number of workers follows the load. It turns at most once a minute, and
// soon after each spell all of them are back.
func TestADay(t *testing.T) {
	t.Parallel()
	days := uint64(5)
	if os.Getenv("POSCRAPE_THOROUGH") != "" {
		days = 20
	}
	for _, wanted := range []int{4, 8} {
		var all played
		for seed := range days {
			random := rand.New(rand.NewPCG(seed, 3))
			y := play(t, day(random), wanted, 24*time.Hour, random)
			for i, at := range y.turns[1:] {
				if at-y.turns[i] < time.Minute {
					t.Errorf("seed %d: it turns at %v and at %v", seed, y.turns[i], at)
				}
			}
			if y.fewest != 1 {
				t.Errorf("seed %d: never fewer than %d workers", seed, y.fewest)
			}
			all.spells += y.spells
			all.turns, all.back, all.over = append(all.turns, y.turns...), append(all.back, y.back...), all.over+y.over
		}
		slices.Sort(all.back)
		if worst := all.back[len(all.back)-1]; worst > 40*time.Second {
			t.Errorf("%d workers: after a spell, all of them are back after %v", wanted, worst)
		}
		t.Logf("%d workers, %d days, %d spells: %d turns; all back after %v (median), %v (99 of 100), %v (worst); over for %v",
			wanted, days, all.spells, len(all.turns), all.back[len(all.back)/2], all.back[len(all.back)*99/100], all.back[len(all.back)-1], all.over)
	}
}

// TestBackAtFullRate: half a minute after a load of any kind that has left one worker, all are back.
func TestBackAtFullRate(t *testing.T) {
	t.Parallel()
	for _, others := range []load{{0.95, 0.2}, {0.1, 0.97}, {0.9, 0.9}} {
		for _, wanted := range []int{2, 4, 6, 8} {
			random := rand.New(rand.NewPCG(1, 1))
			y := play(t, []spell{{others, 5 * time.Minute, 15 * time.Minute}}, wanted, 20*time.Minute, random)
			if y.fewest != 1 || len(y.turns) != 1 || len(y.back) != 1 || y.back[0] > 25*time.Second {
				t.Errorf("%d workers, %+v: %d were left, all back after %v, turns at %v", wanted, others, y.fewest, y.back, y.turns)
			}
		}
	}
}
