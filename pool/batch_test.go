package pool_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// roomy is a stand-in that takes several tasks at once.
type roomy struct {
	*standIn
	room func() int
}

func (w *roomy) Room() int { return w.room() }

// rooms has the stand-ins of a yard take so many at once.
func rooms(y *yard, room func() int) pool.Open {
	return func(ctx context.Context, id string) (pool.Worker, error) {
		w, err := y.open(ctx, id)
		if err != nil {
			return nil, err
		}
		return &roomy{w.(*standIn), room}, nil
	}
}

func roomFor(n int) func() int { return func() int { return n } }

// claims notes how many tasks each claim was given.
func claims(q *queue) func() []int {
	var mu sync.Mutex
	var list []int
	q.claimed = func(leases []*tasks.Lease) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, len(leases))
	}
	return func() []int {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

func TestAWorkerWithRoomTakesSeveralTasksAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y, s := newQueue(t, 8), taking(time.Second), &story{}
		began := time.Now()
		p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(4)), Size: 1, Lifetime: pool.LifetimeReusable, OnEvent: s.tell})
		synctest.Wait()
		w, n := p.Workers()[0], p.Stats().InHand
		if want := []string{"PO00001", "PO00002", "PO00003", "PO00004"}; !slices.Equal(w.Tasks, want) || w.Task != want[0] || n != 4 {
			t.Errorf("the worker has %q, %q first, and %d tasks are in hand", w.Tasks, w.Task, n)
		}
		finish(t, p, y)
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("8 tasks of 1 s, 4 at once, took %v", took)
		}
		for po, task := range all(t, q) {
			if task.Outcome != tasks.OutcomeComplete || len(task.History) != 1 {
				t.Errorf("%s is %s after %d attempts", po, task.Outcome, len(task.History))
			}
		}
		if a, e := len(s.of(pool.EventTaskAssigned)), len(s.of(pool.EventTaskEnded)); a != 8 || e != 8 {
			t.Errorf("%d assignments and %d ends were told, want 8 of each", a, e)
		}
		if w := p.Workers()[0]; w.Processed != 8 || len(w.Tasks) != 0 || w.Task != "" {
			t.Errorf("the worker has processed %d, and has %q, %q first", w.Processed, w.Tasks, w.Task)
		}
	})
}

func TestRoomIsAskedBeforeEachClaimAndBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 14), taking(time.Second)
		given, answers := claims(q), []int{2, 0, -3, 100}
		p := started(t, pool.Config{Queue: q, Size: 1, Lifetime: pool.LifetimeReusable, Open: rooms(y, func() int {
			n := answers[0]
			answers = append(answers[1:], 1)
			return n
		})})
		finish(t, p, y)
		if got := given(); !slices.Equal(got, []int{2, 1, 1, 8, 1, 1}) {
			t.Errorf("the claims were given %v tasks", got)
		}
	})
}

func TestATransientWorkerHasOneTask(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 5), taking(time.Second)
		p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(4)), Size: 1})
		finish(t, p, y)
		if opened, _, _ := y.count(); opened != 5 {
			t.Errorf("%d workers were opened for 5 tasks", opened)
		}
	})
}

// TestTheLastTasksAreShared has four workers with room for eight each take what
// two of them could carry.
func TestTheLastTasksAreShared(t *testing.T) {
	t.Parallel()
	for _, distribution := range []tasks.Distribution{tasks.LoadBalanced, tasks.RoundRobin} {
		t.Run(string(distribution), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q, y := newQueue(t, 16), taking(time.Second)
				p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(8)), Size: 4,
					Lifetime: pool.LifetimeReusable, Distribution: distribution})
				synctest.Wait()
				if stats := p.Stats(); stats.Busy != 4 {
					t.Errorf("%d of 4 workers are busy", stats.Busy)
				}
				finish(t, p, y)
				for _, w := range p.Workers() {
					if distribution == tasks.RoundRobin && w.Processed != 4 {
						t.Errorf("%s had %d of 16 tasks that were dealt in turn", w.ID, w.Processed)
					}
				}
			})
		})
	}
}

// TestEachOfSeveralIsRecordedAsItEnds: the quick ones do not wait for the slow one.
func TestEachOfSeveralIsRecordedAsItEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := doing(func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
			if task.PO == "PO00001" {
				return complete(), spend(ctx, time.Minute)
			}
			return complete(), spend(ctx, time.Second)
		})
		q := newQueue(t, 4)
		p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(4)), Size: 1, Lifetime: pool.LifetimeReusable})
		if err := spend(t.Context(), 2*time.Second); err != nil {
			t.Fatal(err)
		}
		if got := p.Workers()[0]; doneOf(t, q) != 3 || !slices.Equal(got.Tasks, []string{"PO00001"}) || got.State != pool.WorkerProcessing {
			t.Errorf("%d tasks are done, the worker is %s with %q", doneOf(t, q), got.State, got.Tasks)
		}
		finish(t, p, y)
	})
}
