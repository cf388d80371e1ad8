package pool_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

func TestEveryTaskIsDoneOnce(t *testing.T) {
	t.Parallel()
	for _, lifetime := range []pool.Lifetime{pool.LifetimeTransient, pool.LifetimeReusable} {
		for _, dist := range []tasks.Distribution{tasks.LoadBalanced, tasks.RoundRobin} {
			t.Run(string(lifetime)+" "+string(dist), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					q, y := newQueue(t, 20), taking(time.Second)
					p := started(t, pool.Config{Queue: q, Open: y.open, Size: 4, Lifetime: lifetime, Distribution: dist})
					finish(t, p, y)
					for po, task := range all(t, q) {
						if task.Outcome != tasks.OutcomeComplete || len(task.History) != 1 {
							t.Errorf("%s ended as %s after %d attempts", po, task.Outcome, len(task.History))
						}
					}
					opened, _, most := y.count()
					if want := map[pool.Lifetime]int{pool.LifetimeTransient: 20, pool.LifetimeReusable: 4}[lifetime]; opened != want {
						t.Errorf("%d workers were opened, want %d", opened, want)
					}
					if most > 4 {
						t.Errorf("%d workers were there at once, want 4 at most", most)
					}
				})
			})
		}
	}
}

func TestTasksRunInParallel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 12), taking(time.Minute)
		began := time.Now()
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 4, Lifetime: pool.LifetimeReusable})
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 3*time.Minute {
			t.Errorf("12 tasks of a minute took 4 workers %v, want 3m", took)
		}
		finish(t, p, y)
	})
}

func TestResultsComeInTheOrderOfCompletion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		took := map[string]time.Duration{"slow": 3 * time.Second, "quick": time.Second, "middling": 2 * time.Second}
		y := doing(func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
			return complete(), spend(ctx, took[task.Key])
		})
		p := started(t, pool.Config{Queue: tasks.NewMemory(), Open: y.open, Size: 3, KeepResults: true})
		if err := p.Submit(t.Context(), tasks.Spec{Key: "slow"}, tasks.Spec{Key: "middling"}, tasks.Spec{Key: "quick"}); err != nil {
			t.Fatal(err)
		}
		if _, ok := p.TryResult(); ok {
			t.Error("a result is there before any task has ended")
		}
		var order []string
		for range 3 {
			task, err := p.Result(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			order = append(order, task.Key)
		}
		if want := []string{"quick", "middling", "slow"}; !slices.Equal(order, want) {
			t.Errorf("results came as %v, want %v", order, want)
		}
		finish(t, p, y)
	})
}

func TestResultsOutliveThePoolAndEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 2), &yard{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, KeepResults: true})
		finish(t, p, y)
		for range 2 {
			if _, ok := p.TryResult(); !ok {
				t.Error("a result is missing after Stop")
			}
		}
		_, err := p.Result(t.Context())
		wantErr(t, "Result with none left", err, pool.ErrNotRunning)
	})
}

func TestResultGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		p := started(t, pool.Config{Queue: tasks.NewMemory(), Open: y.open, Size: 1, KeepResults: true})
		reason := errors.New("no patience")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, reason)
		defer cancel()
		_, err := p.Result(ctx)
		wantErr(t, "Result", err, reason)
		finish(t, p, y)
	})
}

func TestMisuse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := taking(time.Minute)
		p := mustNew(t, pool.Config{Queue: newQueue(t, 1), Open: y.open, Size: 1})
		ctx := t.Context()
		wantErr(t, "Submit before Start", p.Submit(ctx, specs(1)...), pool.ErrNotRunning)
		wantErr(t, "Wait before Start", p.Wait(ctx), pool.ErrNotRunning)
		wantErr(t, "Scale before Start", p.Scale(2), pool.ErrNotRunning)
		_, err := p.Result(ctx)
		wantErr(t, "Result without KeepResults", err, pool.ErrResultsNotKept)
		wantErr(t, "Stop before Start", p.Stop(ctx), nil)
		p.Kill(nil)
		p.StopFetching()
		p.Wake()
		if p.Running() || p.Size() != 1 || p.Workers() != nil || p.Stats().Wanted != 1 {
			t.Error("a pool that was not started says otherwise")
		}

		wantErr(t, "Start", p.Start(ctx), nil)
		wantErr(t, "Start while starting", p.Start(ctx), pool.ErrRunning)
		synctest.Wait()
		wantErr(t, "Start while running", p.Start(ctx), pool.ErrRunning)
		wantErr(t, "Submit of nothing", p.Submit(ctx), pool.ErrNoTask)
		wantErr(t, "Submit without a key", p.Submit(ctx, tasks.Spec{PO: "PO1"}), pool.ErrNoTask)
		wantErr(t, "Scale to none", p.Scale(0), pool.ErrSize)

		p.StopFetching()
		wantErr(t, "Start while stopping", p.Start(ctx), pool.ErrStopping)
		wantErr(t, "Submit while stopping", p.Submit(ctx, specs(1)...), pool.ErrStopping)
		wantErr(t, "Scale while stopping", p.Scale(2), pool.ErrStopping)
		stopClean(t, p, y)
		stopClean(t, p, y)
	})
}

func TestSubmitAfterDrained(t *testing.T) {
	t.Parallel()
	for _, lifetime := range []pool.Lifetime{pool.LifetimeTransient, pool.LifetimeReusable} {
		t.Run(string(lifetime), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := taking(time.Second)
				p := started(t, pool.Config{Queue: tasks.NewMemory(), Open: y.open, Size: 3, Lifetime: lifetime})
				began := time.Now()
				drained := func() {
					if err := p.Wait(t.Context()); err != nil {
						t.Fatal(err)
					}
					synctest.Wait() // the last worker closes beside the end of Wait
				}
				for i := range 3 {
					drained()
					if err := p.Submit(t.Context(), specs(i + 1)[i]); err != nil {
						t.Fatal(err)
					}
				}
				drained()
				if took := time.Since(began); took != 3*time.Second {
					t.Errorf("three tasks of a second, one after another, took %v: work must wake slots at once", took)
				}
				_, there, most := y.count()
				want := map[pool.Lifetime]int{pool.LifetimeTransient: 0, pool.LifetimeReusable: 1}[lifetime]
				if there != want || most != 1 {
					t.Errorf("%d workers are left in a drained pool, %d at most, want %d and 1", there, most, want)
				}
				finish(t, p, y)
			})
		})
	}
}

func TestTasksThatComeUnannouncedAreFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 0), &yard{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2})
		if err := spend(t.Context(), time.Hour); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Enqueue(t.Context(), specs(1)...); err != nil {
			t.Fatal(err)
		}
		if err := spend(t.Context(), 31*time.Second); err != nil {
			t.Fatal(err)
		}
		if got := all(t, q)["PO00001"].State; got != tasks.StateCompleted {
			t.Errorf("half a minute later the task is %s", got)
		}
		finish(t, p, y)
	})
}

func TestPoolCanBeStartedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 3), &yard{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2})
		finish(t, p, y)
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := p.Submit(t.Context(), specs(6)...); err != nil {
			t.Fatal(err)
		}
		finish(t, p, y)
		stats, err := p.QueueStats(t.Context())
		if err != nil || stats.ByState[tasks.StateCompleted] != 6 {
			t.Errorf("after the second run: %+v, %v", stats, err)
		}
	})
}

func TestPriorityGoesFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var order []string
		y := doing(func(_ context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
			order = append(order, task.Key)
			return complete(), nil
		})
		q := tasks.NewMemory()
		_, err := q.Enqueue(t.Context(), tasks.Spec{Key: "a"}, tasks.Spec{Key: "b", Priority: 2}, tasks.Spec{Key: "c", Priority: 1})
		if err != nil {
			t.Fatal(err)
		}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1})
		finish(t, p, y)
		if want := []string{"b", "c", "a"}; !slices.Equal(order, want) {
			t.Errorf("tasks were done as %v, want %v", order, want)
		}
	})
}
