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

// states counts the queue's tasks by state and charged attempts.
func states(t *testing.T, q tasks.TaskQueue) (byState map[tasks.State]int, charged int) {
	t.Helper()
	byState = map[tasks.State]int{}
	for _, task := range all(t, q) {
		byState[task.State]++
		charged += task.Attempts
	}
	return byState, charged
}

func TestStopFetchingFinishesWhatIsInProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 10), taking(time.Minute)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 3, Lifetime: pool.LifetimeReusable})
		synctest.Wait()
		p.StopFetching()
		if got := p.State(); got != pool.StateStopping {
			t.Errorf("the pool is %s, want STOPPING", got)
		}
		began := time.Now()
		wantErr(t, "Wait", p.Wait(t.Context()), pool.ErrStopped)
		if took := time.Since(began); took != time.Minute {
			t.Errorf("tasks in progress took %v, want 1m", took)
		}
		if byState, _ := states(t, q); byState[tasks.StateCompleted] != 3 || byState[tasks.StatePending] != 7 {
			t.Errorf("tasks: %v, want 3 done and 7 untouched", byState)
		}
		stopClean(t, p, y)
	})
}

func TestStopEndsWorkWhenItsTimeIsUp(t *testing.T) {
	t.Parallel()
	reason := errors.New("the caller has no more time")
	tests := map[string]struct {
		limit time.Duration // of Stop's context
		after time.Duration
		cause error
	}{
		"StopTimeout":    {time.Hour, 30 * time.Second, pool.ErrStopTimeout},
		"Stop's context": {7 * time.Second, 7 * time.Second, reason},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var cause error
				y := doing(func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
					cause = spend(ctx, time.Minute)
					return nil, cause
				})
				q := newQueue(t, 2)
				p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1})
				synctest.Wait()
				ctx, cancel := context.WithTimeoutCause(t.Context(), test.limit, reason)
				defer cancel()
				began := time.Now()
				wantErr(t, "Stop", p.Stop(ctx), nil)
				if took := time.Since(began); took != test.after {
					t.Errorf("Stop took %v, want %v", took, test.after)
				}
				wantErr(t, "the attempt's context", cause, test.cause)
				checkReleased(t, q, 1)
				stopClean(t, p, y)
			})
		})
	}
}

// checkReleased checks that so many tasks were released, none charged, and all
// are pending.
func checkReleased(t *testing.T, q tasks.TaskQueue, want int) {
	t.Helper()
	released := 0
	for po, task := range all(t, q) {
		if task.State != tasks.StatePending || task.Attempts != 0 || task.Losses != 0 {
			t.Errorf("%s is %s, %d attempts and %d losses charged", po, task.State, task.Attempts, task.Losses)
		}
		for _, a := range task.History {
			if !a.Released || a.Outcome != tasks.OutcomeInterrupted {
				t.Errorf("%s: attempt %+v was not released", po, a)
			}
			released++
		}
	}
	if released != want {
		t.Errorf("%d attempts were released, want %d", released, want)
	}
}

func onFullDisk(context.Context) error {
	err := errors.New("no space left on device")
	_, err = tasks.WithFacts(nil, err, tasks.Facts{Disk: err})
	return err
}

func TestKillReleasesWhateverWorkersSay(t *testing.T) {
	t.Parallel()
	says := map[string]func(ctx context.Context) error{
		"the cause":    context.Cause,
		"plain":        func(context.Context) error { return errors.New("broken pipe") },
		"lost":         func(context.Context) error { return tasks.Release(tasks.ClassBrowserLost, "gone") },
		"a retry":      func(context.Context) error { return tasks.Retry(tasks.ClassNavigation, "aborted") },
		"its disk":     onFullDisk,
		"it panics":    func(context.Context) error { panic("use of closed connection") },
		"it is silent": func(context.Context) error { return nil },
	}
	for name, say := range says {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := doing(func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
					<-ctx.Done()
					return nil, say(ctx)
				})
				q := newQueue(t, 5)
				p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2})
				synctest.Wait()
				cause := errors.New("a second interrupt")
				p.Kill(cause)
				err := p.Wait(t.Context())
				wantErr(t, "Wait", err, pool.ErrStopped)
				wantErr(t, "Wait", err, cause)
				stopClean(t, p, y)
				if name == "it is silent" {
					return
				}
				checkReleased(t, q, 2)
			})
		})
	}
}

func TestResultOfAKilledPoolStillCounts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := doing(func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
			<-ctx.Done()
			return complete(), nil
		})
		q, published := newQueue(t, 1), 0
		p := started(t, pool.Config{
			Queue: q, Open: y.open, Size: 1,
			Publish: func(ctx context.Context, _ *tasks.Lease, _ *tasks.Result) error {
				published++
				return ctx.Err()
			},
		})
		synctest.Wait()
		p.Kill(nil)
		stopClean(t, p, y)
		if got := all(t, q)["PO00001"]; got.Outcome != tasks.OutcomeComplete || published != 1 {
			t.Errorf("the task ended as %q, published %d times", got.Outcome, published)
		}
	})
}

func TestEndOfStartsContextEndsThePool(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 4), taking(time.Minute)
		p := mustNew(t, pool.Config{Queue: q, Open: y.open, Size: 2})
		ctx, cancel := context.WithCancelCause(t.Context())
		if err := p.Start(ctx); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		reason := errors.New("the program ends")
		cancel(reason)
		wantErr(t, "Wait", p.Wait(t.Context()), reason)
		synctest.Wait()
		if got := p.State(); got != pool.StateIdle {
			t.Errorf("the pool is %s without a Stop, want IDLE", got)
		}
		checkReleased(t, q, 2)
		stopClean(t, p, y)
	})
}

func TestStopNamesWhatDoesNotReturn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		y := doing(func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
			<-free
			return complete(), nil
		})
		q := newQueue(t, 1)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, StopTimeout: time.Second, Grace: time.Second})
		synctest.Wait()
		wantMessage(t, p.Stop(t.Context()), "worker_001's attempt at PO00001", "has not returned")
		if got := p.State(); got != pool.StateIdle {
			t.Errorf("the pool is %s", got)
		}
		if _, there, _ := y.count(); there != 0 {
			t.Errorf("%d workers are left", there)
		}
		checkReleased(t, q, 1)
		close(free)
	})
}

func TestStopsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 5), taking(10*time.Second)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2})
		errs := make(chan error)
		for range 3 {
			go func() { errs <- p.Stop(context.Background()) }()
		}
		for range 3 {
			wantErr(t, "Stop", <-errs, nil)
		}
		stopClean(t, p, y)
	})
}
