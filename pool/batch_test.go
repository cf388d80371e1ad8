package pool_test

import (
	"context"
	"errors"
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
		if got, n := p.Workers()[0].Task, p.Stats().InHand; got != "PO00001 and 3 more" || n != 4 {
			t.Errorf("the worker has %q, %d tasks are in hand", got, n)
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
		if w := p.Workers()[0]; w.Processed != 8 || w.Task != "" {
			t.Errorf("the worker has processed %d, and has %q", w.Processed, w.Task)
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

// TestWhatBreaksOneOfSeveralBreaksNoOther has one attempt of a batch of four go
// wrong, in each way, at once or while the others are still at work.
func TestWhatBreaksOneOfSeveralBreaksNoOther(t *testing.T) {
	t.Parallel()
	for name, test := range brokenAttempts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := doing(func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
					if task.PO == "PO00002" && task.Attempts == 0 && task.History == nil {
						return test.first(ctx, task)
					}
					return complete(), spend(ctx, time.Second)
				})
				q := newQueue(t, 4)
				p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(4)), Size: 1, Lifetime: pool.LifetimeReusable, TaskTimeout: time.Minute})
				if err := p.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err := spend(t.Context(), 2*time.Hour); err != nil {
					t.Fatal(err)
				}
				finish(t, p, y)
				for po, task := range all(t, q) {
					want := 1
					if po == "PO00002" {
						want = test.want.attempts
						wantMessage(t, task.History[0].Error, test.want.message)
					}
					if task.Outcome != tasks.OutcomeComplete || task.Attempts != want {
						t.Errorf("%s is %s after %d attempts, want complete after %d", po, task.Outcome, task.Attempts, want)
					}
				}
				if opened, _, _ := y.count(); opened != test.want.opened {
					t.Errorf("%d workers were opened, want %d", opened, test.want.opened)
				}
			})
		})
	}
}

// TestAStuckAttemptGoesToNoOtherBeforeItsWorkerIsClosed has two of a worker's
// three attempts ignore their end: their tasks may only be claimed again when the
// worker is gone, though another waits for them.
func TestAStuckAttemptGoesToNoOtherBeforeItsWorkerIsClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var closedAt, again time.Time
		stuck := func(task *tasks.ProcessingTask) bool { return task.PO == "PO00001" || task.PO == "PO00002" }
		y := &yard{make: func(_ context.Context, w *standIn) error {
			w.do = func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
				switch {
				case stuck(task) && len(task.History) > 0:
					if again.IsZero() {
						again = time.Now()
					}
				case stuck(task):
					return nil, spend(context.WithoutCancel(ctx), 3*time.Minute)
				}
				return complete(), nil
			}
			w.close = func(ctx context.Context) error {
				if closedAt.IsZero() {
					defer func() { closedAt = time.Now() }()
				}
				return spend(ctx, 7*time.Second)
			}
			return nil
		}}
		q := newQueue(t, 6) // three for each
		p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(3)), Size: 2, Lifetime: pool.LifetimeReusable,
			TaskTimeout: time.Minute, Policy: tasks.Policy{Retries: 1, MaxLosses: 1}})
		if err := spend(t.Context(), time.Hour); err != nil {
			t.Fatal(err)
		}
		finish(t, p, y)
		if again.IsZero() || again.Before(closedAt) {
			t.Errorf("the task was begun again at %v, its worker was closed at %v", again, closedAt)
		}
	})
}

func TestALeaseThatIsLostOfSeveralIsDroppedAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y, s := newQueue(t, 3), taking(time.Minute), &story{}
		lost := false
		q.extend = func(lease *tasks.Lease) error {
			if lease.Task.PO == "PO00002" && !lost {
				lost = true
				return tasks.ErrLeaseLost
			}
			return nil
		}
		p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(3)), Size: 1, Lifetime: pool.LifetimeReusable, OnEvent: s.tell})
		if err := spend(t.Context(), 15*time.Second); err != nil {
			t.Fatal(err)
		}
		if got := p.Workers()[0].Task; got != "PO00001 and 1 more" {
			t.Errorf("the worker has %q after one lease was lost", got)
		}
		for range 3 {
			// What was dropped is still assigned in this queue, which has not said so itself.
			if err := spend(t.Context(), 2*time.Minute); err != nil {
				t.Fatal(err)
			}
			if _, err := q.Reap(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		finish(t, p, y)
		if lost := s.of(pool.EventLeaseLost); len(lost) != 1 || lost[0].Order != "PO00002" {
			t.Errorf("lost leases: %+v", lost)
		}
		for po, task := range all(t, q) {
			if task.Outcome != tasks.OutcomeComplete {
				t.Errorf("%s is %s %s", po, task.State, task.Outcome)
			}
		}
	})
}

func TestAKillReleasesAllOfSeveral(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 6), taking(time.Hour)
		p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(4)), Size: 1, Lifetime: pool.LifetimeReusable})
		synctest.Wait()
		p.Kill(errors.New("enough"))
		stopClean(t, p, y)
		released := 0
		for po, task := range all(t, q) {
			released += len(task.History)
			if task.State != tasks.StatePending || task.Attempts != 0 {
				t.Errorf("%s is %s after %d charged attempts", po, task.State, task.Attempts)
			}
		}
		if n := p.Stats().InHand; released != 4 || n != 0 {
			t.Errorf("%d attempts were released, %d are in hand", released, n)
		}
	})
}

// TestAStopDrainsAndAPauseHoldsAllOfSeveral: what is in hand is finished, and
// nothing more is claimed.
func TestAStopDrainsAndAPauseHoldsAllOfSeveral(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(*pool.WorkerPool){
		"stop":  func(p *pool.WorkerPool) { p.StopFetching() },
		"pause": func(p *pool.WorkerPool) { p.Pause("a breath") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q, y := newQueue(t, 9), taking(time.Second)
				p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(4)), Size: 1, Lifetime: pool.LifetimeReusable})
				synctest.Wait()
				act(p)
				if err := spend(t.Context(), time.Minute); err != nil {
					t.Fatal(err)
				}
				if got := doneOf(t, q); got != 4 {
					t.Errorf("%d tasks are done, want the 4 that were in hand", got)
				}
				p.Continue()
				if name == "pause" {
					finish(t, p, y)
				}
				stopClean(t, p, y)
			})
		})
	}
}

func doneOf(t *testing.T, q *queue) int {
	t.Helper()
	stats, err := q.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return stats.ByOutcome[tasks.OutcomeComplete]
}

func TestAnUnfitWorkerGivesAllOfSeveralBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{make: func(_ context.Context, w *standIn) error {
			if w.n == 1 {
				w.fit = func() error { return errors.New("it is gone") }
			}
			return nil
		}}
		q := newQueue(t, 4)
		p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(4)), Size: 1, Lifetime: pool.LifetimeReusable})
		finish(t, p, y)
		for po, task := range all(t, q) {
			if task.Outcome != tasks.OutcomeComplete || task.Attempts != 1 || len(task.History) != 1 {
				t.Errorf("%s is %s after %d charged attempts of %d", po, task.Outcome, task.Attempts, len(task.History))
			}
		}
		if opened, _, _ := y.count(); opened != 2 {
			t.Errorf("%d workers were opened, want 2", opened)
		}
	})
}

func TestAWorkerThatPanicsWhenAskedForRoomIsReplaced(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		q, y := newQueue(t, 2), taking(time.Second)
		p := started(t, pool.Config{Queue: q, Size: 1, Lifetime: pool.LifetimeReusable, Open: rooms(y, func() int {
			if asked++; asked == 1 {
				panic("no idea")
			}
			return 2
		})})
		finish(t, p, y)
		if opened, _, _ := y.count(); opened != 2 || doneOf(t, q) != 2 {
			t.Errorf("%d workers were opened, %d tasks are done", opened, doneOf(t, q))
		}
	})
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
		if got := p.Workers()[0]; doneOf(t, q) != 3 || got.Task != "PO00001" || got.State != pool.WorkerProcessing {
			t.Errorf("%d tasks are done, the worker is %s with %q", doneOf(t, q), got.State, got.Task)
		}
		finish(t, p, y)
	})
}
