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

var errNoChrome = errors.New("no browser far and wide")

func TestNeverMoreWorkersThanTasks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 2), taking(time.Hour)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 8, Lifetime: pool.LifetimeReusable, TaskTimeout: 2 * time.Hour})
		finish(t, p, y)
		if opened, _, _ := y.count(); opened != 2 {
			t.Errorf("2 tasks had %d workers opened", opened)
		}
	})
}

func TestNothingToDoOpensNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		p := started(t, pool.Config{Queue: tasks.NewMemory(), Open: y.open, Size: 4})
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := p.State(); got != pool.StateRunning {
			t.Errorf("a pool with nothing to do is %s, want RUNNING", got)
		}
		finish(t, p, y)
		if opened, _, _ := y.count(); opened != 0 {
			t.Errorf("no task had %d workers opened", opened)
		}
	})
}

func TestWorkersStartTogetherAndWorkAsSoonAsTheyStand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		y.make = func(ctx context.Context, w *standIn) error {
			if w.id == "worker_002" {
				return spend(ctx, 20*time.Second)
			}
			return spend(ctx, time.Second)
		}
		q, events := newQueue(t, 2), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
		began := time.Now()
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("both tasks were done after %v, want the quick worker to do them after 1s", took)
		}
		stopClean(t, p, y)
		if got := events.of(pool.EventWorkerStarted); len(got) != 1 || got[0].Took != time.Second {
			t.Errorf("started: %+v, want one that took a second", got)
		}
		if got := events.of(pool.EventWorkerFailed); len(got) != 0 {
			t.Errorf("a launch that a stop ended counts as failed: %+v", got)
		}
	})
}

func TestFailedLaunchesAreNoTasksFault(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		began := time.Now()
		y := &yard{make: func(context.Context, *standIn) error {
			at = append(at, time.Since(began))
			if len(at) <= 3 {
				return errNoChrome
			}
			return nil
		}}
		q, events := newQueue(t, 1), &story{}
		p := started(t, pool.Config{
			Queue: q, Open: y.open, Size: 1, OnEvent: events.tell, MaxLaunchFailures: 4,
			LaunchBackoff: time.Second, MaxLaunchBackoff: 2 * time.Second,
		})
		finish(t, p, y)
		task := all(t, q)["PO00001"]
		if task.Outcome != tasks.OutcomeComplete || task.Attempts != 1 || len(task.History) != 1 {
			t.Errorf("the task ended as %s with %d attempts and history %+v", task.Outcome, task.Attempts, task.History)
		}
		if failed := events.of(pool.EventWorkerFailed); len(failed) != 3 || !errors.Is(failed[0].Err, errNoChrome) {
			t.Errorf("failed: %+v, want three with their error", failed)
		}
		checkWaits(t, at, time.Second, 2*time.Second, 2*time.Second)
	})
}

// checkWaits checks the times between launches: at least as long, and up to a
// fifth longer.
func checkWaits(t *testing.T, at []time.Duration, waits ...time.Duration) {
	t.Helper()
	if len(at) != len(waits)+1 {
		t.Fatalf("launches at %v, want %d", at, len(waits)+1)
	}
	for i, want := range waits {
		if wait := at[i+1] - at[i]; wait < want || wait > want*6/5 {
			t.Errorf("wait %d took %v, want %v to %v", i+1, wait, want, want*6/5)
		}
	}
}

func TestNoWorkerAtAllIsAnErrorOfThePool(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{make: func(context.Context, *standIn) error { return errNoChrome }}
		q, events := newQueue(t, 5), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, OnEvent: events.tell, KeepResults: true})
		err := p.Wait(t.Context())
		wantErr(t, "Wait", err, pool.ErrNoWorker)
		wantErr(t, "Wait", err, errNoChrome)
		_, err = p.Result(t.Context())
		wantErr(t, "Result", err, pool.ErrNoWorker)
		synctest.Wait()
		if got := p.State(); got != pool.StateError {
			t.Errorf("the pool is %s, want ERROR", got)
		}
		wantErr(t, "Start", p.Start(t.Context()), pool.ErrFailed)
		wantErr(t, "Submit", p.Submit(t.Context(), specs(1)...), pool.ErrFailed)
		wantErr(t, "Scale", p.Scale(3), pool.ErrFailed)
		for po, task := range all(t, q) {
			if task.State != tasks.StatePending || len(task.History) != 0 {
				t.Errorf("%s is %s with history %+v, want it untouched", po, task.State, task.History)
			}
		}
		stopClean(t, p, y)
		wantErr(t, "Wait after Stop", p.Wait(t.Context()), pool.ErrNoWorker)
		if got := events.of(pool.EventPoolError); len(got) != 1 {
			t.Errorf("pool errors: %+v, want one", got)
		}
	})
}

func TestOneBadSlotIsNoErrorOfThePool(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		y.make = func(_ context.Context, w *standIn) error {
			if w.id == "worker_001" {
				return errNoChrome
			}
			w.do = func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
				return complete(), spend(ctx, time.Minute)
			}
			return nil
		}
		q := newQueue(t, 30)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, Lifetime: pool.LifetimeReusable, MaxLaunchFailures: 3})
		finish(t, p, y)
		if got := p.Workers()[0]; got.State != pool.WorkerCompleted || got.Processed != 0 || got.Error == "" {
			t.Errorf("the bad slot ended as %+v", got)
		}
		if got := p.Workers()[1].Processed; got != 30 {
			t.Errorf("the good slot did %d tasks, want 30", got)
		}
	})
}

func TestOnlyFailuresInARowEndThePool(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{make: func(_ context.Context, w *standIn) error {
			if w.n%3 != 0 {
				return errNoChrome
			}
			return nil
		}}
		p := started(t, pool.Config{Queue: newQueue(t, 10), Open: y.open, Size: 1, MaxLaunchFailures: 3})
		finish(t, p, y)
	})
}

func TestLaunchThatTakesTooLong(t *testing.T) {
	t.Parallel()
	tests := map[string]func(ctx context.Context) error{
		"obeys":  func(ctx context.Context) error { return spend(ctx, time.Hour) },
		"hangs":  func(ctx context.Context) error { return spend(context.WithoutCancel(ctx), time.Hour) },
		"panics": func(context.Context) error { panic("cannot open") },
	}
	for name, first := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := &yard{}
				y.make = func(ctx context.Context, w *standIn) error {
					if w.n == 1 {
						return first(ctx)
					}
					return nil
				}
				q, events := newQueue(t, 1), &story{}
				p := started(t, pool.Config{
					Queue: q, Open: y.open, Size: 1, OnEvent: events.tell,
					StartTimeout: 10 * time.Second, Grace: 5 * time.Second,
				})
				if err := p.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				if name == "hangs" {
					if got := p.Stats().Stuck; got != 1 {
						t.Errorf("%d calls are counted as stuck, want 1", got)
					}
					if err := spend(t.Context(), time.Hour); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					if got := p.Stats().Stuck; got != 0 {
						t.Errorf("%d calls are counted as stuck after they returned", got)
					}
				}
				finish(t, p, y)
				if got := len(events.of(pool.EventWorkerFailed)); got != 1 {
					t.Errorf("%d launches failed, want 1", got)
				}
			})
		})
	}
}

func TestOpenThatReturnsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		open := func(context.Context, string) (pool.Worker, error) { return nil, nil }
		p := started(t, pool.Config{Queue: newQueue(t, 1), Open: open, Size: 1})
		wantMessage(t, p.Wait(t.Context()), "worker_001", "neither a worker nor an error")
		stopClean(t, p, &yard{})
	})
}
