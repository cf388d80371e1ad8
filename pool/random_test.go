package pool_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// storm is a pool under random actions, and the account of what its workers did.
type storm struct {
	*pool.WorkerPool
	yard
	rand      *rand.Rand
	submitted int

	mu        sync.Mutex
	alive     []*atomic.Bool
	with      map[uuid.UUID]string // who works on the task now
	published map[uuid.UUID]int
	twice     []string // tasks that were with two workers at once
}

func newStorm(t *testing.T, q tasks.TaskQueue, seed uint64, lifetime pool.Lifetime, dist tasks.Distribution) *storm {
	s := &storm{
		rand: rand.New(rand.NewPCG(seed, seed)),
		with: map[uuid.UUID]string{}, published: map[uuid.UUID]int{},
	}
	s.make = s.outfit
	policy := tasks.Policy{Retries: 1000, MaxLosses: 1000}
	if dist == tasks.LoadBalanced {
		policy.Backoff, policy.MaxBackoff = time.Millisecond, time.Millisecond
	}
	s.WorkerPool = mustNew(t, pool.Config{
		Queue: q, Open: rooms(&s.yard, func() int { return rand.IntN(5) }), Size: 4, Lifetime: lifetime, Distribution: dist,
		Policy:        policy,
		LaunchBackoff: time.Millisecond, MaxLaunchBackoff: time.Millisecond, MaxLaunchFailures: 1 << 30,
		Publish: s.publish, OnEvent: func(pool.Event) {},
	})
	return s
}

// outfit gives a stand-in a life that kill can end, and luck that runs out.
func (s *storm) outfit(_ context.Context, w *standIn) error {
	if w.n%11 == 0 {
		return errNoChrome
	}
	alive := &atomic.Bool{}
	alive.Store(true)
	s.mu.Lock()
	s.alive = append(s.alive, alive)
	s.mu.Unlock()
	w.fit = func() error {
		if !alive.Load() {
			return errors.New("it was killed")
		}
		return nil
	}
	var begun atomic.Int64
	w.do = func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
		release := s.hold(w.id, task)
		defer release()
		done := int(begun.Add(1))
		for range 20 {
			runtime.Gosched()
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if !alive.Load() {
				return nil, tasks.Release(tasks.ClassBrowserLost, "killed in the middle")
			}
		}
		switch (done + w.n) % 17 {
		case 3:
			panic("out of luck")
		case 5:
			return nil, tasks.Retry(tasks.ClassNotReady, "not yet")
		}
		return complete(), nil
	}
	return nil
}

// hold notes who works on a task until the function that it returns is called.
func (s *storm) hold(id string, task *tasks.ProcessingTask) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if other, taken := s.with[task.ID]; taken {
		s.twice = append(s.twice, fmt.Sprintf("%s with %s and %s", task.PO, other, id))
	}
	s.with[task.ID] = id
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.with, task.ID)
	}
}

func (s *storm) publish(_ context.Context, lease *tasks.Lease, _ *tasks.Result) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.published[lease.Task.ID]++
	return nil
}

func (s *storm) killAWorker() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.alive) > 0 {
		s.alive[s.rand.IntN(len(s.alive))].Store(false)
	}
}

// act does one random thing.
func (s *storm) act(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	switch s.rand.IntN(8) {
	case 0, 1, 2:
		list := specs(s.submitted + s.rand.IntN(20) + 1)
		if err := s.Submit(ctx, list[s.submitted:]...); err != nil {
			t.Fatal(err)
		}
		s.submitted = len(list)
	case 3, 4:
		scale(t, s.WorkerPool, s.rand.IntN(8)+1)
	case 5, 6:
		s.killAWorker()
	case 7:
		s.restart(t)
	}
	for range s.rand.IntN(200) {
		runtime.Gosched()
	}
}

// restart stops the pool in one of three ways, and starts it again.
func (s *storm) restart(t *testing.T) {
	t.Helper()
	switch s.rand.IntN(3) {
	case 0:
		s.StopFetching()
	case 1:
		s.Kill(errors.New("the storm"))
	}
	stopClean(t, s.WorkerPool, &s.yard)
	if err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestRandomActions(t *testing.T) {
	t.Parallel()
	actions := 300
	if testing.Short() || underRace {
		actions = 50
	}
	queues := map[string]func(t testing.TB) tasks.TaskQueue{
		"memory": func(testing.TB) tasks.TaskQueue { return tasks.NewMemory() },
		"ledger": openLedger,
	}
	for name, open := range queues {
		for _, lifetime := range []pool.Lifetime{pool.LifetimeTransient, pool.LifetimeReusable} {
			for _, dist := range []tasks.Distribution{tasks.LoadBalanced, tasks.RoundRobin} {
				t.Run(fmt.Sprintf("%s %s %s", name, lifetime, dist), func(t *testing.T) {
					t.Parallel()
					seed := rand.Uint64()
					t.Logf("seed %d", seed)
					q := open(t)
					s := newStorm(t, q, seed, lifetime, dist)
					if err := s.Start(context.Background()); err != nil {
						t.Fatal(err)
					}
					for range actions {
						s.act(t)
					}
					finish(t, s.WorkerPool, &s.yard)
					s.check(t, q)
				})
			}
		}
	}
}

// check checks that every task was done exactly once, and by one worker at a time.
func (s *storm) check(t *testing.T, q tasks.TaskQueue) {
	t.Helper()
	found := all(t, q)
	if len(found) != s.submitted {
		t.Errorf("%d tasks were submitted, the queue has %d", s.submitted, len(found))
	}
	for po, task := range found {
		if task.Outcome != tasks.OutcomeComplete || s.published[task.ID] != 1 {
			t.Errorf("%s is %s %s and was published %d times", po, task.State, task.Outcome, s.published[task.ID])
		}
	}
	if len(s.twice) > 0 {
		t.Errorf("with two workers at once: %v", s.twice)
	}
}

func openLedger(t testing.TB) tasks.TaskQueue {
	t.Helper()
	l, err := ledger.Open(filepath.Join(t.TempDir(), "session.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}
