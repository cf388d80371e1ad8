package monitor

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeSampler returns what it is given.
type fakeSampler struct {
	mu   sync.Mutex
	next Sample
	err  error
	took []time.Time
}

func (f *fakeSampler) Sample(context.Context) (Sample, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.next
	s.At = time.Now()
	f.took = append(f.took, s.At)
	return s, f.err
}

func (f *fakeSampler) say(cpu, memory float64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next, f.err = Sample{CPU: cpu, Memory: memory, Pressure: 0.25}, err
}

func (f *fakeSampler) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.took)
}

type fakeScaler struct {
	mu          sync.Mutex
	now, wanted int
	err         error
	asked       []int
}

func (f *fakeScaler) Workers() (now, wanted int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now, f.wanted
}

func (f *fakeScaler) Scale(n int, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, n)
	if f.err != nil {
		return f.err
	}
	f.now = n
	return nil
}

func (f *fakeScaler) refuse(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

// story is what a monitor reported.
type story struct {
	mu        sync.Mutex
	decisions []Decision
	samples   []Sample
	errs      []error
}

func (s *story) listen(cfg *Config) {
	cfg.OnDecision = func(d Decision) { s.mu.Lock(); defer s.mu.Unlock(); s.decisions = append(s.decisions, d) }
	cfg.OnSample = func(v Sample) { s.mu.Lock(); defer s.mu.Unlock(); s.samples = append(s.samples, v) }
	cfg.OnError = func(err error) { s.mu.Lock(); defer s.mu.Unlock(); s.errs = append(s.errs, err) }
}

// running starts a monitor in a synctest bubble and returns the function that
// ends it.
func running(t *testing.T, cfg Config, sampler Sampler, scaler Scaler) (*ResourceMonitor, func()) {
	t.Helper()
	m, err := New(cfg, sampler, scaler)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- m.Run(ctx) }()
	synctest.Wait()
	return m, func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		if m.State() != StateInactive {
			t.Errorf("after Run the state is %s", m.State())
		}
	}
}

// pass lets fake time pass.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func TestRunScalesDownAndUpAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen story
		cfg := DefaultConfig()
		seen.listen(&cfg)
		sampler, scaler := &fakeSampler{}, &fakeScaler{now: 4, wanted: 4}
		sampler.say(0.3, 0.3, nil)
		m, stop := running(t, cfg, sampler, scaler)
		pass(20 * time.Second)
		if m.State() != StateMonitoring || m.Reason() != "" || len(seen.decisions) != 0 {
			t.Errorf("in calm: %s, %q, %v", m.State(), m.Reason(), seen.decisions)
		}

		sampler.say(0.91, 0.3, nil)
		pass(6400 * time.Millisecond)
		if m.State() != StateScalingDown || m.Reason() != "3 of 4 workers: CPU 91 % over 80 %" {
			t.Errorf("at the breach: %s, %q", m.State(), m.Reason())
		}
		first := seen.decisions[0]
		if first.From != 4 || first.To != 3 || first.Reason != m.Reason() || first.CPU != 0.91 || first.Memory != 0.3 || first.Pressure != 0.25 {
			t.Errorf("decision is %+v", first)
		}
		pass(time.Minute)
		if now, _ := scaler.Workers(); now != 1 || m.State() != StateMonitoring {
			t.Errorf("under load: %d workers, %s", now, m.State())
		}

		sampler.say(0.1, 0.3, nil)
		for now := 1; now == 1; now, _ = scaler.Workers() {
			pass(time.Second)
		}
		if want := "2 of 4 workers: CPU 91 % over 80 %"; m.Reason() != want {
			t.Errorf("on the way up: %q, want %q", m.Reason(), want)
		}
		pass(time.Minute)
		if want := []int{3, 2, 1, 2, 3, 4}; !slices.Equal(scaler.asked, want) || m.Reason() != "" {
			t.Errorf("asked for %v, want %v; reason %q", scaler.asked, want, m.Reason())
		}
		if m.Latest().CPU != 0.1 || len(seen.samples)+1 != sampler.count() || len(seen.errs) != 0 {
			t.Errorf("latest %+v; %d samples reported of %d; errors %v", m.Latest(), len(seen.samples), sampler.count(), seen.errs)
		}
		stop()
	})
}

// TestDecisionComesWithinTwoSeconds of the first sample that shows the breach,
// however long the interval is.
func TestDecisionComesWithinTwoSeconds(t *testing.T) {
	t.Parallel()
	for _, interval := range []time.Duration{time.Second, 5 * time.Second, 30 * time.Second} {
		for _, samples := range []int{2, 3} {
			synctest.Test(t, func(t *testing.T) {
				var seen story
				cfg := DefaultConfig()
				cfg.Interval, cfg.Samples = interval, samples
				seen.listen(&cfg)
				sampler, scaler := &fakeSampler{}, &fakeScaler{now: 2, wanted: 2}
				_, stop := running(t, cfg, sampler, scaler)
				pass(3*interval + interval/2)
				sampler.say(0.9, 0.2, nil)
				pass(interval + 2*time.Second)
				stop()
				if len(seen.decisions) != 1 {
					t.Fatalf("%v, %d samples: decisions %+v", interval, samples, seen.decisions)
				}
				breach := slices.IndexFunc(seen.samples, func(s Sample) bool { return s.CPU > 0.8 })
				if took := seen.decisions[0].At.Sub(seen.samples[breach].At); took > 2*time.Second {
					t.Errorf("%v, %d samples: the decision came after %v", interval, samples, took)
				}
			})
		}
	}
}

// drainingScaler never gets rid of the workers that were taken away.
type drainingScaler struct{ fakeScaler }

func (d *drainingScaler) Draining() int {
	now, wanted := d.Workers()
	return wanted - now
}

func TestRunAsksHowManyDrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen story
		cfg := DefaultConfig()
		seen.listen(&cfg)
		sampler, scaler := &fakeSampler{}, &drainingScaler{fakeScaler{now: 3, wanted: 3}}
		sampler.say(0.9, 0, nil)
		m, stop := running(t, cfg, sampler, scaler)
		pass(35 * time.Second)
		if len(seen.decisions) != 1 || m.State() != StateScalingDown {
			t.Errorf("while one drains: %+v, %s", seen.decisions, m.State())
		}
		pass(5 * time.Second)
		stop()
		if len(seen.decisions) != 2 || seen.decisions[1].At.Sub(seen.decisions[0].At) < drainLimit*cfg.Interval {
			t.Errorf("decisions are %+v", seen.decisions)
		}
	})
}

func TestFailuresAreCountedAndToldOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen story
		cfg := DefaultConfig()
		cfg.Interval = time.Second
		seen.listen(&cfg)
		sampler, scaler := &fakeSampler{}, &fakeScaler{now: 2, wanted: 2}
		broken, refused := errors.New("no counters"), errors.New("the pool stops")
		sampler.say(0, 0, broken)
		m, stop := running(t, cfg, sampler, scaler)
		pass(9500 * time.Millisecond)
		if f := m.Failures(); f.Samples != 10 || !errors.Is(f.FirstSample, broken) {
			t.Errorf("failures are %+v", f)
		}
		if !m.Latest().At.IsZero() || m.State() != StateMonitoring {
			t.Errorf("latest %+v, %s", m.Latest(), m.State())
		}

		scaler.refuse(refused)
		sampler.say(0.9, 0, nil)
		pass(5 * time.Second)
		if f := m.Failures(); f.Scales < 2 || !errors.Is(f.FirstScale, refused) || len(seen.decisions) != 0 || m.State() != StateMonitoring {
			t.Errorf("failures %+v, decisions %v, %s", f, seen.decisions, m.State())
		}
		if len(seen.errs) != 2 || !errors.Is(seen.errs[0], broken) || !errors.Is(seen.errs[1], refused) {
			t.Errorf("reported %v, want each once", seen.errs)
		}

		scaler.refuse(nil)
		pass(time.Second)
		if now, _ := scaler.Workers(); now != 1 || m.Reason() == "" {
			t.Errorf("%d workers, %q", now, m.Reason())
		}
		stop()
	})
}

func TestRunOnceAtATimeAndAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sampler, scaler := &fakeSampler{}, &fakeScaler{now: 1, wanted: 1}
		m, stop := running(t, DefaultConfig(), sampler, scaler)
		if err := m.Run(t.Context()); !errors.Is(err, ErrRunning) {
			t.Errorf("second Run: %v, want ErrRunning", err)
		}
		if m.State() != StateMonitoring {
			t.Errorf("a refused Run changed the state to %s", m.State())
		}
		stop()
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := m.Run(ended); err != nil || m.State() != StateInactive {
			t.Errorf("Run again: %v, %s", err, m.State())
		}
	})
}

func TestReasonIsEmptyWhereOthersScaled(t *testing.T) {
	t.Parallel()
	m, err := New(DefaultConfig(), &fakeSampler{}, &fakeScaler{now: 2, wanted: 4})
	if err != nil {
		t.Fatal(err)
	}
	if m.Reason() != "" || m.State() != StateInactive || m.Latest().Pressure != -1 {
		t.Errorf("%q, %s, %+v", m.Reason(), m.State(), m.Latest())
	}
}
