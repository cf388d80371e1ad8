package load

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/tasks"
)

// diary keeps what happens when.
type diary struct {
	tasks.SessionLog
	mu       sync.Mutex
	breach   time.Time // of the first sample over a threshold
	fewer    time.Time // when the pool was told to have fewer workers
	scalings []tasks.Scaling
}

func (d *diary) AppendEvent(context.Context, tasks.Event) error { return nil }

func (d *diary) AppendScaling(_ context.Context, s tasks.Scaling) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.scalings = append(d.scalings, s)
	return nil
}

func (d *diary) tell(e pool.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e.Type == pool.EventScaled && d.fewer.IsZero() {
		d.fewer = e.At
	}
}

// noted is a machine of whose samples the diary keeps the first that shows the load.
type noted struct {
	busyMachine
	diary *diary
}

func (n *noted) Sample(ctx context.Context) (monitor.Sample, error) {
	s, err := n.busyMachine.Sample(ctx)
	n.diary.mu.Lock()
	defer n.diary.mu.Unlock()
	if n.busy.Load() && n.diary.breach.IsZero() {
		n.diary.breach = s.At
	}
	return s, err
}

// TestFewerWorkersWithinTwoSeconds of the first sample over a threshold, however rarely the load is
// measured, though all workers are at work; and that is stored.
func TestFewerWorkersWithinTwoSeconds(t *testing.T) {
	t.Parallel()
	for _, interval := range []time.Duration{monitor.MinInterval, monitor.DefaultInterval, monitor.MaxInterval} {
		t.Run(interval.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q := tasks.NewMemory()
				defer func() { _ = q.Close() }()
				for i := range 100 {
					if _, err := q.Enqueue(t.Context(), tasks.Spec{Key: fmt.Sprint(i)}); err != nil {
						t.Fatal(err)
					}
				}
				d := &diary{}
				p, err := pool.New(pool.Config{Queue: q, Size: 4, Lifetime: pool.LifetimeReusable, OnEvent: d.tell,
					Open: func(context.Context, string) (pool.Worker, error) { return sleeper{}, nil }})
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				machine := &noted{diary: d}
				cfg := setup.DefaultConfig()
				cfg.CheckInterval, cfg.Sampler = interval, machine
				w := Watch{Config: cfg, Pool: p, Tally: progress.New(nil, 4), Log: d,
					Story: &story.Story{Log: slog.New(slog.DiscardHandler), Events: d, Struck: func(error) bool { return false }}}
				ctx, stop := context.WithCancel(t.Context())
				var watching sync.WaitGroup
				watching.Go(func() { w.Run(ctx) })

				<-time.After(3*interval + interval/2)
				machine.busy.Store(true)
				<-time.After(interval/2 + 2*time.Second)
				synctest.Wait()
				d.mu.Lock()
				switch took := d.fewer.Sub(d.breach); {
				case d.breach.IsZero() || d.fewer.IsZero():
					t.Errorf("the load shows at %v, and fewer workers are wanted at %v", d.breach, d.fewer)
				case took > 2*time.Second:
					t.Errorf("fewer workers are wanted %v after the load shows", took)
				}
				if len(d.scalings) != 1 || !d.scalings[0].At.Equal(d.fewer) || d.scalings[0].From != 4 || d.scalings[0].To != 3 {
					t.Errorf("stored are %+v", d.scalings)
				}
				d.mu.Unlock()
				if s := p.Stats(); s.Wanted != 3 || s.Draining != 1 {
					t.Errorf("%d workers are wanted, and %d leave after their orders", s.Wanted, s.Draining)
				}
				stop()
				watching.Wait()
				p.Kill(nil)
				if err := p.Stop(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
