package pool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// standIn is a worker whose every method can be replaced.
type standIn struct {
	yard *yard
	id   string
	n    int // the how manieth of its yard it is, from 1

	do    func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error)
	fit   func() error
	close func(ctx context.Context) error
}

func (w *standIn) Do(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
	if w.do == nil {
		return complete(), nil
	}
	return w.do(ctx, task)
}

func (w *standIn) Fit() error {
	if w.fit == nil {
		return nil
	}
	return w.fit()
}

func (w *standIn) Close(ctx context.Context) error {
	if w.close != nil {
		if err := w.close(ctx); err != nil {
			return err
		}
	}
	w.yard.closed(w)
	return nil
}

func (w *standIn) Info() pool.Info {
	return pool.Info{PID: 1000 + w.n, Profile: "/profiles/" + w.id}
}

// yard opens stand-ins and keeps account of them.
type yard struct {
	// make prepares a new stand-in, or says why it cannot be opened.
	make func(ctx context.Context, w *standIn) error

	mu     sync.Mutex
	opened int
	there  map[*standIn]bool
	most   int // the most that were there at once
}

func (y *yard) open(ctx context.Context, id string) (pool.Worker, error) {
	y.mu.Lock()
	y.opened++
	w := &standIn{yard: y, id: id, n: y.opened}
	y.mu.Unlock()
	if y.make != nil {
		if err := y.make(ctx, w); err != nil {
			return nil, err
		}
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.there == nil {
		y.there = map[*standIn]bool{}
	}
	y.there[w] = true
	y.most = max(y.most, len(y.there))
	return w, nil
}

func (y *yard) closed(w *standIn) {
	y.mu.Lock()
	defer y.mu.Unlock()
	delete(y.there, w)
}

// count returns how many stand-ins were opened, and how many are there.
func (y *yard) count() (opened, there, most int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.opened, len(y.there), y.most
}

// doing has every stand-in of the yard work so.
func doing(do func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error)) *yard {
	return &yard{make: func(_ context.Context, w *standIn) error {
		w.do = do
		return nil
	}}
}

// taking has every stand-in need so long for each task, and obey its context.
func taking(d time.Duration) *yard {
	return doing(func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
		return complete(), spend(ctx, d)
	})
}

// spend lets a time of the bubble pass, or returns why ctx ended.
func spend(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func complete() *tasks.Result {
	return &tasks.Result{Outcome: tasks.OutcomeComplete, Executor: tasks.ExecutorRender}
}

func specs(n int) []tasks.Spec {
	list := make([]tasks.Spec, n)
	for i := range list {
		po := fmt.Sprintf("PO%05d", i+1)
		list[i] = tasks.Spec{Key: po, PO: po, Dir: po}
	}
	return list
}

// story collects events.
type story struct {
	mu     sync.Mutex
	events []pool.Event
}

func (s *story) tell(e pool.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
}

// of returns the events of one type, in order.
func (s *story) of(kind string) []pool.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []pool.Event
	for _, e := range s.events {
		if e.Type == kind {
			found = append(found, e)
		}
	}
	return found
}

func mustNew(t testing.TB, cfg pool.Config) *pool.WorkerPool {
	t.Helper()
	p, err := pool.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// started returns a running pool.
func started(t testing.TB, cfg pool.Config) *pool.WorkerPool {
	t.Helper()
	p := mustNew(t, cfg)
	if err := p.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	return p
}

// finish waits until the queue is drained, stops the pool, and checks that
// nothing is left of it.
func finish(t testing.TB, p *pool.WorkerPool, y *yard) {
	t.Helper()
	if err := p.Wait(context.Background()); err != nil {
		t.Errorf("Wait: %v", err)
	}
	stopClean(t, p, y)
}

func stopClean(t testing.TB, p *pool.WorkerPool, y *yard) {
	t.Helper()
	if err := p.Stop(context.Background()); err != nil {
		t.Errorf("Stop: %v", err)
	}
	if got := p.State(); got != pool.StateIdle {
		t.Errorf("after Stop the pool is %s", got)
	}
	if _, there, _ := y.count(); there != 0 {
		t.Errorf("after Stop %d workers are left", there)
	}
}

func wantErr(t testing.TB, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s returned %v, want %v", what, got, want)
	}
}

func wantMessage(t testing.TB, got error, parts ...string) {
	t.Helper()
	if got == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(got.Error(), part) {
			t.Errorf("error %q does not say %q", got, part)
		}
	}
}
