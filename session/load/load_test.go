package load

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/tasks"
)

// sleeper is a worker that needs a minute for each task.
type sleeper struct{}

func (sleeper) Do(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
	select {
	case <-time.After(time.Minute):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return &tasks.Result{Outcome: tasks.OutcomeComplete}, nil
}

func (sleeper) Fit() error                  { return nil }
func (sleeper) Close(context.Context) error { return nil }
func (sleeper) Info() pool.Info             { return pool.Info{} }

// busyMachine is a sampler whose processors are busy, or not.
type busyMachine struct{ busy atomic.Bool }

func (m *busyMachine) Sample(context.Context) (monitor.Sample, error) {
	s := monitor.Sample{At: time.Now(), CPU: 0.2, Memory: 0.3, Pressure: -1}
	if m.busy.Load() {
		s.CPU = 0.97
	}
	return s, nil
}

// TestAPersonAndTheMonitorDoNotUndoEachOther: what a person asks for is a ceiling
// under which the monitor works.
func TestAPersonAndTheMonitorDoNotUndoEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := tasks.NewMemory()
		defer func() { _ = q.Close() }()
		var specs []tasks.Spec
		for i := range 5000 {
			specs = append(specs, tasks.Spec{Key: fmt.Sprint(i), PO: fmt.Sprint(i)})
		}
		if _, err := q.Enqueue(t.Context(), specs...); err != nil {
			t.Fatal(err)
		}
		p, err := pool.New(pool.Config{Queue: q, Size: 4, Lifetime: pool.LifetimeReusable,
			Open: func(context.Context, string) (pool.Worker, error) { return sleeper{}, nil }})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		tally := progress.New(nil, 4)
		tally.Watch(p)
		machine, decisions := &busyMachine{}, []monitor.Decision(nil)
		cfg := monitor.DefaultConfig()
		cfg.OnDecision = func(d monitor.Decision) { decisions = append(decisions, d) }
		m, err := monitor.New(cfg, machine, scaler{p})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var monitoring sync.WaitGroup
		monitoring.Go(func() { _ = m.Run(ctx) })
		after := func(what string, d time.Duration, size int, reason string) {
			t.Helper()
			<-time.After(d)
			synctest.Wait()
			if got, why := p.Stats().Wanted, tally.Now().Reason; got != size || !strings.HasPrefix(why, reason) || reason == "" && why != "" {
				t.Errorf("%s: %d workers, %q; want %d, %q", what, got, why, size, reason)
			}
		}
		ask := func(n int) {
			t.Helper()
			if err := p.Scale(n); err != nil {
				t.Error(err)
			}
		}
		after("at rest", time.Minute, 4, "")
		machine.busy.Store(true)
		after("under load", time.Hour, 1, "1 of 4 workers: CPU 97 % over ")
		ask(6)
		after("asked for 6 under load", time.Hour, 1, "1 of 6 workers: CPU 97 % over ")
		ask(2)
		machine.busy.Store(false)
		after("the load has passed, and 2 are asked for", 3*time.Hour, 2, "")
		ask(5)
		after("asked for 5 without load", time.Second, 5, "")
		machine.busy.Store(true)
		after("loaded once more", time.Hour, 1, "1 of 5 workers: CPU 97 % over ")
		machine.busy.Store(false)
		after("at rest again", 6*time.Hour, 5, "")
		for _, d := range decisions {
			if d.To-d.From != 1 && d.From-d.To != 1 {
				t.Errorf("the monitor changed %d workers to %d: %s", d.From, d.To, d.Reason)
			}
		}
		if !slices.ContainsFunc(decisions, func(d monitor.Decision) bool {
			return strings.HasPrefix(d.Reason, "2 of 2 workers: the load has passed")
		}) {
			t.Errorf("no decision raises to the 2 that are asked for: %+v", decisions)
		}
		stop()
		monitoring.Wait()
		p.Kill(nil)
		if err := p.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}
