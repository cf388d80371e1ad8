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
		var mu sync.Mutex
		var closedAt, again time.Time
		note := func(at *time.Time) {
			mu.Lock()
			defer mu.Unlock()
			if at.IsZero() {
				*at = time.Now()
			}
		}
		stuck := func(task *tasks.ProcessingTask) bool { return task.PO == "PO00001" || task.PO == "PO00002" }
		y := &yard{make: func(_ context.Context, w *standIn) error {
			w.do = func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
				switch {
				case stuck(task) && len(task.History) > 0:
					note(&again)
				case stuck(task):
					return nil, spend(context.WithoutCancel(ctx), 3*time.Minute)
				}
				return complete(), nil
			}
			w.close = func(ctx context.Context) error {
				defer note(&closedAt)
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
		if got := p.Workers()[0].Tasks; !slices.Equal(got, []string{"PO00001", "PO00003"}) {
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

// TestAStopDrainsAndAHoldKeepsAllOfSeveral: what is in hand is finished, and
// nothing more is claimed.
func TestAStopDrainsAndAHoldKeepsAllOfSeveral(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(*pool.WorkerPool) (undo func(string)){
		"stop": func(p *pool.WorkerPool) func(string) { p.StopFetching(); return func(string) {} },
		"hold": func(p *pool.WorkerPool) func(string) { return hold(p, "user", "a breath") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q, y := newQueue(t, 9), taking(time.Second)
				p := started(t, pool.Config{Queue: q, Open: rooms(y, roomFor(4)), Size: 1, Lifetime: pool.LifetimeReusable})
				synctest.Wait()
				undo := act(p)
				if err := spend(t.Context(), time.Minute); err != nil {
					t.Fatal(err)
				}
				if got := doneOf(t, q); got != 4 {
					t.Errorf("%d tasks are done, want the 4 that were in hand", got)
				}
				undo("")
				if name == "hold" {
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
