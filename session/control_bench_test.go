package session

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/life"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// brisk is a worker that needs two milliseconds for each task, and notes how long it waits for
// the next.
type brisk struct {
	ended time.Time
	gaps  []time.Duration
}

func (w *brisk) Do(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
	if !w.ended.IsZero() {
		w.gaps = append(w.gaps, time.Since(w.ended))
	}
	defer func() { w.ended = time.Now() }()
	select {
	case <-time.After(2 * time.Millisecond):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return &tasks.Result{Outcome: tasks.OutcomeComplete}, nil
}

func (*brisk) Fit() error                  { return nil }
func (*brisk) Close(context.Context) error { return nil }
func (*brisk) Info() pool.Info             { return pool.Info{} }

// BenchmarkClaims measures how long workers wait for their next order, alone, and while they are
// watched by four clients and asked for their status two hundred times a second: watching must
// not add a millisecond at the 99th percentile.
func BenchmarkClaims(b *testing.B) {
	for _, watched := range []bool{false, true} {
		b.Run(fmt.Sprintf("watched=%v", watched), func(b *testing.B) {
			for b.Loop() {
				claims(b, watched)
			}
		})
	}
}

func claims(b *testing.B, watched bool) {
	const n = 4000
	q := tasks.NewMemory()
	defer func() { _ = q.Close() }()
	specs := make([]tasks.Spec, n)
	for i := range specs {
		specs[i] = tasks.Spec{Key: fmt.Sprint(i), PO: fmt.Sprint(i)}
	}
	if _, err := q.Enqueue(b.Context(), specs...); err != nil {
		b.Fatal(err)
	}
	var opening sync.Mutex
	var workers []*brisk
	s := &ProcessingSession{life: life.New(tasks.Session{Status: tasks.SessionInitializing}), opener: worker.NewOpener(worker.Config{})}
	s.tally = progress.New(func(Progress) {}, 8)
	p, err := pool.New(pool.Config{Queue: q, Size: 8, Lifetime: pool.LifetimeReusable,
		Open: func(context.Context, string) (pool.Worker, error) {
			w := &brisk{}
			opening.Lock()
			defer opening.Unlock()
			workers = append(workers, w)
			return w, nil
		},
		OnEvent: func(e pool.Event) {
			if e.Type == pool.EventTaskEnded {
				s.tally.Ended(e.State, e.Outcome)
			}
		}})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.life.Begin(p); err != nil {
		b.Fatal(err)
	}
	s.tally.Begin(tasks.Stats{Total: n})
	s.tally.Watch(p)
	ctx, stop := context.WithCancel(b.Context())
	var watching sync.WaitGroup
	if watched {
		s.tally.Start()
		for range 4 {
			watching.Go(func() {
				for range control.Watch(ctx, s.Control()) {
				}
			})
		}
		watching.Go(func() {
			s.every(ctx, 5*time.Millisecond, func(context.Context) error { s.Control().Snapshot(); return nil })
		})
	}
	if err := p.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := p.Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := p.Stop(b.Context()); err != nil {
		b.Fatal(err)
	}
	stop()
	s.life.Free()
	watching.Wait()
	s.tally.Stop()
	var took []time.Duration
	for _, w := range workers {
		took = append(took, w.gaps...)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
}
