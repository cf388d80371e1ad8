package monitor

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// run feeds samples one second apart, carries out what is proposed, and returns
// the number of workers after each.
func run(d *decider, workers, wanted int, loads ...load) []int {
	var after []int
	for i, l := range loads {
		s := Sample{At: start.Add(time.Duration(i+1) * time.Second), CPU: l.cpu, Memory: l.memory, Pressure: -1}
		if p := d.feed(s, crew{now: workers, wanted: wanted}); p.to != 0 {
			d.carriedOut(s, workers, p)
			workers = p.to
		}
		after = append(after, workers)
	}
	return after
}

func repeat(n int, l load) []load { return slices.Repeat([]load{l}, n) }

func TestDecisions(t *testing.T) {
	t.Parallel()
	high, full, fine, low := load{0.85, 0.5}, load{0.5, 0.95}, load{0.75, 0.5}, load{0.1, 0.1}
	for name, test := range map[string]struct {
		workers, wanted int
		loads           []load
		want            []int
	}{
		"calm":                            {4, 4, repeat(4, low), []int{4, 4, 4, 4}},
		"at the threshold is not over it": {4, 4, repeat(5, load{0.8, 0.9}), []int{4, 4, 4, 4, 4}},
		"CPU over, three in a row":        {4, 4, repeat(3, high), []int{4, 4, 3}},
		"memory over, three in a row":     {4, 4, repeat(3, full), []int{4, 4, 3}},
		"memory that grows fast":          {8, 8, []load{{0.5, 0.91}, {0.5, 0.95}, {0.5, 1}}, []int{8, 8, 6}},
		"CPU that grows fast":             {8, 8, []load{{0.81, 0.5}, {0.9, 0.5}, {1, 0.5}}, []int{8, 8, 7}},
		"CPU and memory in turn":          {4, 4, []load{high, full, high}, []int{4, 4, 3}},
		"not in a row":                    {4, 4, []load{high, high, fine, high, high, fine}, []int{4, 4, 4, 4, 4, 4}},
		"again and again, never below 1":  {3, 4, repeat(12, high), []int{3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1}},
		"the only worker stays":           {1, 1, repeat(5, high), []int{1, 1, 1, 1, 1}},
		"lands where it stays below":      {4, 4, append(repeat(3, high), repeat(20, fine)...), append([]int{4, 4}, slices.Repeat([]int{3}, 21)...)},
		"a stopped pool is left alone":    {0, 4, repeat(5, low), []int{0, 0, 0, 0, 0}},
		"never above what is wanted":      {2, 2, repeat(9, low), slices.Repeat([]int{2}, 9)},
		"more than wanted: not ours":      {4, 2, repeat(5, high), slices.Repeat([]int{4}, 5)},
		// A dwell of 3 s for the first step; the next ones settle for 1 s and dwell as long.
		"up again, one at a time": {1, 4, repeat(10, low), []int{1, 1, 1, 2, 2, 3, 3, 4, 4, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDecider(testConfig())
			if got := run(&d, test.workers, test.wanted, test.loads...); !slices.Equal(got, test.want) {
				t.Errorf("workers were %v, want %v", got, test.want)
			}
		})
	}
}

func TestTwoSamplesAreEnoughIfSoConfigured(t *testing.T) {
	t.Parallel()
	cfg := testConfig()
	cfg.Samples = 2
	d := newDecider(cfg)
	if got := run(&d, 4, 4, repeat(4, load{0.9, 0})...); !slices.Equal(got, []int{4, 3, 3, 2}) {
		t.Errorf("workers were %v", got)
	}
}

func TestCalmIsBelowTheLowerMarkOfWhatWasOver(t *testing.T) {
	t.Parallel()
	breachCPU, breachMemory := repeat(3, load{0.99, 0.5}), repeat(3, load{0.5, 0.95})
	for name, test := range map[string]struct {
		breach []load
		then   load
		raised bool
	}{
		"CPU between its marks":                    {breachCPU, load{0.75, 0.3}, false},
		"CPU below":                                {breachCPU, load{0.2, 0.3}, true},
		"memory between its marks":                 {breachMemory, load{0.2, 0.85}, false},
		"memory below":                             {breachMemory, load{0.2, 0.3}, true},
		"CPU below, and memory was never the case": {breachCPU, load{0.2, 0.85}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDecider(testConfig())
			got := run(&d, 3, 3, append(test.breach, repeat(60, test.then)...)...)
			if raised := slices.Max(got[3:]) > 2; raised != test.raised {
				t.Errorf("raised: %v, want %v; workers were %v", raised, test.raised, got)
			}
		})
	}
}

func TestWorkersThatDrainAreWaitedFor(t *testing.T) {
	t.Parallel()
	d := newDecider(testConfig())
	workers, lowered := 4, []int(nil)
	for second := 1; second <= 30; second++ {
		s := Sample{At: start.Add(time.Duration(second) * time.Second), CPU: 0.9}
		if p := d.feed(s, crew{now: workers, wanted: 4, draining: 4 - workers}); p.to != 0 {
			d.carriedOut(s, workers, p)
			workers, lowered = p.to, append(lowered, second)
		}
	}
	// Never drained: six settling times, then three samples.
	if want := []int{3, 11, 19}; !slices.Equal(lowered, want) {
		t.Errorf("one less at seconds %v, want %v", lowered, want)
	}
}

func TestAChangeBySomebodyElseBeginsAnew(t *testing.T) {
	t.Parallel()
	d := newDecider(testConfig())
	run(&d, 4, 4, repeat(2, load{0.9, 0})...)
	s := Sample{At: start.Add(3 * time.Second), CPU: 0.9}
	if p := d.feed(s, crew{now: 6, wanted: 6}); p.to != 0 {
		t.Errorf("samples with 4 workers counted against 6: %+v", p)
	}
}

func TestSamplesComeSoonerWhileABreachIsConfirmed(t *testing.T) {
	t.Parallel()
	for _, samples := range []int{2, 3} {
		cfg := DefaultConfig()
		cfg.Interval, cfg.Samples = 30*time.Second, samples
		d := newDecider(cfg.withDefaults())
		if d.next() != 30*time.Second {
			t.Errorf("at first %v", d.next())
		}
		at, confirming := start, time.Duration(0)
		for i := range samples {
			s := Sample{At: at, CPU: 0.9}
			if p := d.feed(s, crew{now: 2, wanted: 2}); p.to != 0 {
				d.carriedOut(s, 2, p)
			} else {
				confirming += d.next()
				at = at.Add(d.next())
			}
			if want := i < samples-1; want != (d.next() < 30*time.Second) {
				t.Errorf("after sample %d the next is due in %v", i+1, d.next())
			}
		}
		if confirming > 2*time.Second || confirming == 0 {
			t.Errorf("%d samples took %v to confirm", samples, confirming)
		}
		if p := d.feed(Sample{At: at.Add(time.Hour), CPU: 0.9}, crew{now: 1, wanted: 2}); p.to != 0 || d.next() != 30*time.Second {
			t.Errorf("with one worker there is nothing to confirm, but the next sample is due in %v", d.next())
		}
	}
}

// TestRandomSamples: whatever the samples say, several workers are taken away at once for memory
// alone, and their number stays from 1 to what is wanted.
func TestRandomSamples(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		cfg := testConfig()
		cfg.Samples = 2 + random.IntN(2)
		d := newDecider(cfg)
		wanted := 1 + random.IntN(8)
		workers, at, level := 1+random.IntN(wanted), start, random.Float64()
		for range 400 {
			at = at.Add(time.Duration(random.IntN(6000)) * time.Millisecond)
			if random.IntN(20) == 0 {
				level = random.Float64() * 1.2
			}
			if random.IntN(100) == 0 { // the user changes his mind
				wanted = 1 + random.IntN(8)
				workers = wanted
			}
			s := Sample{At: at, CPU: min(1, level*random.Float64()*2), Memory: min(1, level*random.Float64()*2)}
			c := crew{now: workers, wanted: wanted, draining: random.IntN(2)}
			p := d.feed(s, c)
			if p.to == 0 {
				continue
			}
			if p.to < workers-1 && s.Memory <= cfg.Memory || p.to < 1 || p.to > wanted || p.to == workers || p.why == "" {
				t.Fatalf("seed %d: from %d of %d workers: %+v", seed, workers, wanted, p)
			}
			if p.to < workers && s.CPU <= cfg.CPU && s.Memory <= cfg.Memory {
				t.Fatalf("seed %d: one less at %+v", seed, s)
			}
			if random.IntN(10) > 0 { // some are refused
				d.carriedOut(s, workers, p)
				workers = p.to
			}
		}
	}
}
