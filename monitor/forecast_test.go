package monitor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// machine is one on which each worker adds the same load to what is there.
type machine struct {
	background, worker load
	noise              float64
}

func (m machine) load(workers int, random *rand.Rand) load {
	noise := m.noise * (2*random.Float64() - 1)
	return load{
		cpu:    clamp(m.background.cpu+float64(workers)*m.worker.cpu+noise, 1),
		memory: clamp(m.background.memory+float64(workers)*m.worker.memory, 1),
	}
}

// watch runs a decider on a machine for some time, one sample each second, and
// returns the number of workers at the end, how often it was changed, and the
// share of time during which the load was over.
func watch(d *decider, m machine, workers, wanted int, from time.Time, seconds int) (last, changes int, over float64) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range seconds {
		l := m.load(workers, random)
		s := Sample{At: from.Add(time.Duration(i) * time.Second), CPU: l.cpu, Memory: l.memory}
		if d.isOver(s) {
			over++
		}
		if p := d.feed(s, crew{now: workers, wanted: wanted}); p.to != 0 {
			d.carriedOut(s, workers, p)
			workers, changes = p.to, changes+1
		}
	}
	return workers, changes, over / float64(seconds)
}

// TestLandsOnTheHighestNumberThatFits: on a machine that can carry some of the
// workers, an hour ends with exactly that number, nearly all of it is spent
// below the thresholds, and the number hardly changes.
func TestLandsOnTheHighestNumberThatFits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		machine machine
		want    int
	}{
		{machine{worker: load{0.10, 0.01}}, 8},
		{machine{worker: load{0.15, 0.01}}, 5},
		{machine{worker: load{0.25, 0.01}}, 3},
		{machine{worker: load{0.45, 0.01}}, 1},
		{machine{worker: load{0.95, 0.01}}, 1},
		{machine{background: load{0.4, 0.5}, worker: load{0.15, 0.01}}, 2},
		{machine{background: load{0.1, 0.5}, worker: load{0.02, 0.07}}, 5},
		{machine{background: load{0.1, 0.85}, worker: load{0.02, 0.02}}, 2},
		{machine{background: load{0.95, 0.2}, worker: load{0.02, 0.02}}, 1},
		{machine{worker: load{0.22, 0.01}, noise: 0.05}, 3},
	} {
		t.Run(fmt.Sprintf("%+v", test.machine), func(t *testing.T) {
			t.Parallel()
			d := newDecider(testConfig())
			got, changes, over := watch(&d, test.machine, 8, 8, start, 3600)
			if got != test.want {
				t.Errorf("%d workers, want %d", got, test.want)
			}
			if limit := 7 + 2*12; changes > limit {
				t.Errorf("%d changes in an hour, want %d at most", changes, limit)
			}
			if fits := test.machine.load(1, rand.New(rand.NewPCG(1, 1))).cpu <= 0.8; fits && over > 0.05 {
				t.Errorf("the load was over for %.0f %% of the time", 100*over)
			}
		})
	}
}

func TestComesBackWhenTheLoadHasPassed(t *testing.T) {
	t.Parallel()
	for _, background := range []float64{0, 0.3, 0.55, 0.6} {
		t.Run(fmt.Sprint(background), func(t *testing.T) {
			t.Parallel()
			d := newDecider(testConfig())
			busy := machine{background: load{0.99, 0.3}, worker: load{0.03, 0.01}}
			if got, _, _ := watch(&d, busy, 4, 4, start, 60); got != 1 {
				t.Fatalf("%d workers under load, want 1", got)
			}
			calm := machine{background: load{background, 0.3}, worker: load{0.03, 0.01}}
			got, changes, _ := watch(&d, calm, 1, 4, start.Add(time.Minute), 240)
			if got != 4 || changes != 3 {
				t.Errorf("%d workers after %d changes, want 4 after 3", got, changes)
			}
		})
	}
}

func TestLearnsWhatAWorkerAdds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, to      int
		before, after load
		want          load
		cpuLearned    bool
	}{
		"one less":                   {4, 3, load{0.9, 0.6}, load{0.7, 0.5}, load{0.2, 0.1}, true},
		"one more":                   {3, 4, load{0.7, 0.5}, load{0.9, 0.6}, load{0.2, 0.1}, true},
		"saturated before":           {4, 3, load{1, 0.6}, load{0.9, 0.5}, load{0, 0.1}, false},
		"saturated after":            {3, 4, load{0.8, 0.6}, load{1, 0.6}, load{0.2, 0}, true},
		"other load came":            {4, 3, load{0.9, 0.6}, load{0.95, 0.7}, load{0, 0}, true},
		"no more than an equal part": {4, 3, load{0.8, 0.8}, load{0.1, 0.1}, load{0.2, 0.2}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f forecast
			f.observe(Sample{CPU: test.before.cpu, Memory: test.before.memory}, test.from, 3)
			f.changed(test.from, test.to, start)
			f.restart()
			for range 3 {
				f.observe(Sample{At: start, CPU: test.after.cpu, Memory: test.after.memory}, test.to, 3)
			}
			if got := (load{f.cpu.value, f.memory.value}); f.cpu.learned != test.cpuLearned || !f.memory.learned || !near(got, test.want) {
				t.Errorf("learned %v: %+v, want %v: %+v", f.cpu.learned, got, test.cpuLearned, test.want)
			}
		})
	}
}

func TestForecastFades(t *testing.T) {
	t.Parallel()
	f := forecast{
		mean: load{0.4, 0.4}, seen: 3,
		cpu:    share{value: 0.2, learned: true, at: start},
		memory: share{value: 0.1, learned: true, at: start},
	}
	for _, test := range []struct {
		after time.Duration
		want  load
	}{
		{0, load{0.6, 0.5}}, {time.Minute, load{0.5, 0.45}}, {2 * time.Minute, load{0.45, 0.425}},
	} {
		if got := f.withOneMore(start.Add(test.after), 2, time.Minute); !near(got, test.want) {
			t.Errorf("after %v: %+v, want %+v", test.after, got, test.want)
		}
	}
}

func near(a, b load) bool {
	return math.Abs(a.cpu-b.cpu) < 1e-9 && math.Abs(a.memory-b.memory) < 1e-9
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	b := backoff{dwell: time.Second}
	at := start
	for _, want := range []time.Duration{2, 4, 8, 16, 16, 16, 16} {
		b.raised(at)
		at = at.Add(time.Second)
		b.lowered(at)
		if b.current() != want*time.Second {
			t.Errorf("dwell is %v, want %ds", b.current(), want)
		}
	}
	if b.halfLife() != 640*time.Second {
		t.Errorf("half-life is %v, want 640s", b.halfLife())
	}
	b.lowered(at.Add(time.Second)) // not after a raise: that is no failure of one
	if b.current() != 16*time.Second {
		t.Errorf("dwell is %v", b.current())
	}
	b.raised(at)
	if b.lasted(at.Add(31 * time.Second)) {
		t.Error("a raise has lasted after 31 s")
	}
	if !b.lasted(at.Add(32 * time.Second)) {
		t.Error("a raise has not lasted after 32 s")
	}
	b.reset()
	if b.current() != time.Second {
		t.Errorf("dwell is %v", b.current())
	}
}
