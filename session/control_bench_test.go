package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/live"
	"github.com/poscrape/poscrape/internal/metrics"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/life"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// brisk is a worker that needs 40 ms for each task, and notes how long it waits for
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
	case <-time.After(40 * time.Millisecond):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return &tasks.Result{Outcome: tasks.OutcomeComplete}, nil
}

func (*brisk) Fit() error                  { return nil }
func (*brisk) Close(context.Context) error { return nil }
func (*brisk) Info() pool.Info             { return pool.Info{} }

// BenchmarkClaims measures how long workers wait for their next order, alone, and while all that
// looks at a session and steers it is at work: watchers and requests by its socket, scrapes of its
// metrics, the live page and its events. That must not add a millisecond at the 99th percentile.
func BenchmarkClaims(b *testing.B) {
	var alone, watched []time.Duration
	for b.Loop() {
		alone, watched = append(alone, claims(b, false)...), append(watched, claims(b, true)...)
	}
	slices.Sort(alone)
	slices.Sort(watched)
	report := func(unit string, d time.Duration) { b.ReportMetric(float64(d.Microseconds()), unit) }
	for _, share := range []int{50, 99} {
		of := func(all []time.Duration) time.Duration { return all[len(all)*share/100] }
		report(fmt.Sprintf("alone-p%d-µs", share), of(alone))
		report(fmt.Sprintf("added-p%d-µs", share), of(watched)-of(alone))
	}
}

// claims returns how long eight workers have waited for each of their next orders.
func claims(b *testing.B, watched bool) (took []time.Duration) {
	const n = 800
	dir := b.TempDir()
	q, err := ledger.Open(filepath.Join(dir, folder.LedgerName))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = q.Close() }()
	specs := make([]tasks.Spec, n)
	for i := range specs {
		specs[i] = tasks.Spec{Key: fmt.Sprint(i), PO: fmt.Sprint(i)}
	}
	_, err = q.Enqueue(b.Context(), specs...)
	record := tasks.Session{ID: uuid.Must(uuid.NewV7()), Status: tasks.SessionInitializing, StartedAt: time.Now(), Input: tasks.Input{Rows: n}}
	if err := errors.Join(err, q.SaveSession(b.Context(), record)); err != nil {
		b.Fatal(err)
	}
	var opening sync.Mutex
	var workers []*brisk
	s := &ProcessingSession{life: life.New(record), workers: worker.NewOpener(worker.Config{})}
	s.tally = progress.New(func(Progress) {}, 8)
	p, err := pool.New(pool.Config{Queue: s.tally.Queue(q), Size: 8, Lifetime: pool.LifetimeReusable,
		Open: func(context.Context, string) (pool.Worker, error) {
			w := &brisk{}
			opening.Lock()
			defer opening.Unlock()
			workers = append(workers, w)
			return w, nil
		}})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.life.Begin(p); err != nil {
		b.Fatal(err)
	}
	s.tally.Begin(tasks.Stats{Total: n})
	s.tally.Watch(p)
	s.tally.Start()
	unwatch := func() {}
	if watched {
		unwatch = lookAtAll(b, s.Control(), dir)
	}
	if err := errors.Join(p.Start(b.Context()), p.Wait(b.Context()), p.Stop(b.Context())); err != nil {
		b.Fatal(err)
	}
	s.life.Free()
	unwatch()
	s.tally.Stop()
	for _, w := range workers {
		took = append(took, w.gaps...)
	}
	return took
}

// lookAtAll has all that looks at a session and steers it at work, until it is told to end.
func lookAtAll(b *testing.B, c control.Session, dir string) (end func()) {
	b.Helper()
	server, err1 := control.Serve(control.Config{Session: c, Dir: dir})
	scraped, err2 := metrics.Serve("127.0.0.1:0")
	listener, err3 := live.Listen("127.0.0.1:0")
	if err := errors.Join(err1, err2, err3); err != nil {
		b.Fatal(err)
	}
	page, err1 := live.Serve(live.Config{Session: c, Dir: dir, Listener: listener, Addr: "127.0.0.1:0"})
	client, err2 := control.Dial(dir)
	if err := errors.Join(err1, err2); err != nil {
		b.Fatal(err)
	}
	scraped.Show(c)
	ctx, stop := context.WithCancel(b.Context())
	var looking sync.WaitGroup
	answered := make([]atomic.Int64, 5)
	each := func(i int, d time.Duration, ask func() error) {
		looking.Go(func() {
			ticker := time.NewTicker(d)
			defer ticker.Stop()
			for ctx.Err() == nil {
				if ask() == nil {
					answered[i].Add(1)
				}
				select {
				case <-ctx.Done():
				case <-ticker.C:
				}
			}
		})
	}
	for range 4 {
		looking.Go(func() {
			for range client.Watch(ctx) {
				answered[0].Add(1)
			}
		})
	}
	each(1, 20*time.Millisecond, func() error { _, err := client.Status(ctx); return err })
	each(1, 50*time.Millisecond, func() error { _, err := client.Scale(ctx, 8); return err })
	each(2, 100*time.Millisecond, func() error { return fetch(ctx, scraped.URL()) })
	each(3, time.Second, func() error { return fetch(ctx, page.URL()) })
	each(4, time.Second, func() error { return fetch(ctx, page.URL()+"events") })
	return func() {
		stop()
		looking.Wait()
		client.Close()
		http.DefaultClient.CloseIdleConnections()
		if err := errors.Join(server.Close(), page.Close(), scraped.Close()); err != nil {
			b.Error(err)
		}
		for i := range answered {
			if n := answered[i].Load(); n == 0 && i < 4 { // events are answered until the end
				b.Errorf("nobody has looked in way %d", i)
			}
		}
	}
}

// fetch reads what is at an address.
func fetch(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if _, err = io.Copy(io.Discard, response.Body); err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(response.Status)
	}
	return err
}
