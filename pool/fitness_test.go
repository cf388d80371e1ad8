package pool_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

var errWorn = errors.New("it has done enough tasks")

func TestUnfitWorkersAreReplacedBetweenTasks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		y.make = func(_ context.Context, w *standIn) error {
			done := 0
			w.do = func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
				done++
				return complete(), nil
			}
			w.fit = func() error {
				if done == 4 {
					return errWorn
				}
				return nil
			}
			return nil
		}
		q, events := newQueue(t, 10), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
		finish(t, p, y)
		if opened, _, most := y.count(); opened != 3 || most != 1 {
			t.Errorf("10 tasks, 4 for each worker: %d workers, %d at once", opened, most)
		}
		recycled := events.of(pool.EventWorkerRecycled)
		if len(recycled) != 2 || !errors.Is(recycled[0].Err, errWorn) {
			t.Errorf("recycled: %+v, want two with the reason", recycled)
		}
		if got := p.Workers()[0]; got.Restarts != 2 || got.Processed != 10 || got.PID != 1003 {
			t.Errorf("the slot says %+v", got)
		}
		if _, charged := states(t, q); charged != 10 {
			t.Errorf("%d attempts were charged", charged)
		}
	})
}

func TestLostWorkerIsReplacedAndItsTaskNotCharged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		y.make = func(_ context.Context, w *standIn) error {
			lost := false
			w.do = func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
				if w.n == 1 {
					lost = true
					return nil, tasks.Release(tasks.ClassBrowserLost, "its process has ended")
				}
				return complete(), nil
			}
			w.fit = func() error {
				if lost {
					return errors.New("it is dead")
				}
				return nil
			}
			return nil
		}
		q, events := newQueue(t, 2), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
		finish(t, p, y)
		if task := all(t, q)["PO00001"]; task.Attempts != 1 || task.Losses != 1 || task.Outcome != tasks.OutcomeComplete {
			t.Errorf("the task ended as %s with %d attempts and %d losses", task.Outcome, task.Attempts, task.Losses)
		}
		if got := events.of(pool.EventWorkerFailed); len(got) != 1 {
			t.Errorf("failed: %+v, want one", got)
		}
		if got := p.Workers()[0]; got.Restarts != 1 || got.Processed != 2 || got.Succeeded != 2 || got.Failed != 0 {
			t.Errorf("the slot says %+v", got)
		}
	})
}

func TestWorkerThatDiedWhileItWaited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y, dead := &yard{}, false
		y.make = func(_ context.Context, w *standIn) error {
			w.fit = func() error {
				if w.n == 1 && dead {
					return errors.New("it is dead")
				}
				return nil
			}
			w.do = func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
				if w.n == 1 && dead {
					t.Error("a dead worker was given a task")
				}
				return complete(), nil
			}
			return nil
		}
		q := newQueue(t, 1)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable})
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		dead = true
		if err := p.Submit(t.Context(), specs(2)...); err != nil {
			t.Fatal(err)
		}
		finish(t, p, y)
		task := all(t, q)["PO00002"]
		if task.Outcome != tasks.OutcomeComplete || task.Attempts != 1 || len(task.History) != 1 {
			t.Errorf("the task ended as %s with history %+v", task.Outcome, task.History)
		}
	})
}

func TestFitThatBreaksMeansUnfit(t *testing.T) {
	t.Parallel()
	breaks := map[string]func() error{
		"panics": func() error { panic("no answer") },
		"hangs":  func() error { return spend(context.Background(), time.Hour) },
	}
	for name, breakFit := range breaks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := &yard{}
				y.make = func(_ context.Context, w *standIn) error {
					asked := 0
					w.fit = func() error {
						if asked++; w.n == 1 && asked == 2 {
							return breakFit()
						}
						return nil
					}
					return nil
				}
				q := newQueue(t, 3)
				p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable})
				if err := p.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err := spend(t.Context(), 2*time.Hour); err != nil {
					t.Fatal(err)
				}
				finish(t, p, y)
				if opened, _, _ := y.count(); opened != 2 {
					t.Errorf("%d workers were opened, want 2", opened)
				}
				if _, charged := states(t, q); charged != 3 {
					t.Errorf("%d attempts were charged, want 3", charged)
				}
			})
		})
	}
}
