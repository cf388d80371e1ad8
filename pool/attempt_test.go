package pool_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// once has the first attempt of all go so; every further one ends well.
func once(first func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error)) *yard {
	begun := make(chan struct{}, 1)
	return doing(func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
		select {
		case begun <- struct{}{}:
			return first(ctx, task)
		default:
			return complete(), nil
		}
	})
}

// broken is what is expected of an attempt that breaks.
type broken struct {
	class    tasks.Class
	outcome  tasks.Outcome
	attempts int // charged, with the one that ended well
	opened   int // workers, of one slot that keeps them
	message  string
}

func brokenAttempts() map[string]struct {
	first func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error)
	want  broken
} {
	return map[string]struct {
		first func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error)
		want  broken
	}{
		"panic": {
			func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) { panic("page code") },
			broken{tasks.ClassPanic, tasks.OutcomeFailed, 2, 2, "page code"},
		},
		"goexit": {
			func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
				runtime.Goexit()
				return nil, nil
			},
			broken{tasks.ClassPanic, tasks.OutcomeFailed, 2, 2, "Goexit"},
		},
		"plain error": {
			func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) { return nil, errors.New("hiccup") },
			broken{tasks.ClassInternal, tasks.OutcomeFailed, 2, 1, "hiccup"},
		},
		"failure": {
			func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
				return nil, tasks.Retry(tasks.ClassNotReady, "spinner")
			},
			broken{tasks.ClassNotReady, tasks.OutcomeFailed, 2, 1, "spinner"},
		},
		"release": {
			func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
				return nil, tasks.Release(tasks.ClassBrowserLost, "gone")
			},
			broken{tasks.ClassBrowserLost, tasks.OutcomeInterrupted, 1, 1, "gone"},
		},
		"time is up": {
			func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
				return nil, spend(ctx, time.Hour)
			},
			broken{tasks.ClassTimeout, tasks.OutcomeTimeout, 2, 1, "within 1m0s"},
		},
		"time is up, and the worker says so itself": {
			func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
				return nil, tasks.Retry(tasks.ClassNavigation, "opening the page: %w", spend(ctx, time.Hour))
			},
			broken{tasks.ClassTimeout, tasks.OutcomeTimeout, 2, 1, "opening the page"},
		},
		"time is up, and it is ignored": {
			func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
				return complete(), spend(context.WithoutCancel(ctx), time.Hour)
			},
			broken{tasks.ClassTimeout, tasks.OutcomeTimeout, 2, 2, "its worker was closed"},
		},
	}
}

func TestAttemptsThatBreakAreContainedAndRetried(t *testing.T) {
	t.Parallel()
	for name, test := range brokenAttempts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q, y := newQueue(t, 3), once(test.first)
				p := started(t, pool.Config{
					Queue: q, Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable, TaskTimeout: time.Minute,
				})
				if err := p.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				opened, _, _ := y.count()
				if err := spend(t.Context(), 2*time.Hour); err != nil {
					t.Fatal(err)
				}
				finish(t, p, y)
				task := all(t, q)["PO00001"]
				if len(task.History) != 2 {
					t.Fatalf("history: %+v, want two attempts", task.History)
				}
				first := task.History[0]
				got := broken{first.Error.Class, first.Outcome, task.Attempts, opened, test.want.message}
				if got != test.want {
					t.Errorf("got %+v, want %+v", got, test.want)
				}
				wantMessage(t, first.Error, test.want.message)
				for po, task := range all(t, q) {
					if task.Outcome != tasks.OutcomeComplete {
						t.Errorf("%s ended as %s", po, task.Outcome)
					}
				}
			})
		})
	}
}

func TestHungWorkerIsClosedBeforeItsTaskIsDueAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		y.make = func(_ context.Context, w *standIn) error {
			w.do = func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
				if w.n > 1 {
					return complete(), nil
				}
				return complete(), spend(context.Background(), time.Hour)
			}
			w.close = func(ctx context.Context) error { return spend(ctx, 3*time.Second) }
			return nil
		}
		q := newQueue(t, 1)
		recorded := 0
		q.record = func(context.Context, *tasks.Lease, tasks.Decision) error {
			recorded++
			if _, there, _ := y.count(); recorded == 1 && there != 0 {
				t.Error("the task is recorded while its hung worker is still there")
			}
			return nil
		}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, TaskTimeout: time.Minute})
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := spend(t.Context(), 2*time.Hour); err != nil {
			t.Fatal(err)
		}
		finish(t, p, y)
	})
}

func TestPermanentFailureStandsEvenWhenTimeIsUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := doing(func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
			<-ctx.Done()
			return nil, tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "no such order")
		})
		q := newQueue(t, 1)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1})
		finish(t, p, y)
		if task := all(t, q)["PO00001"]; task.Outcome != tasks.OutcomeNotFound || task.Attempts != 1 {
			t.Errorf("the task ended as %s after %d attempts", task.Outcome, task.Attempts)
		}
		if got := p.Workers()[0]; got.Processed != 1 || got.Succeeded != 0 || got.Failed != 1 {
			t.Errorf("the worker counts %d processed, %d succeeded, %d failed", got.Processed, got.Succeeded, got.Failed)
		}
	})
}

func TestPanicHasItsStack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, 1)
		y := doing(func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) { return brokenPageCode(nil), nil })
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, Policy: tasks.Policy{MaxLosses: 1}})
		finish(t, p, y)
		task := all(t, q)["PO00001"]
		if task.State != tasks.StateFailed {
			t.Errorf("the task is %s", task.State)
		}
		wantMessage(t, task.Failure, "nil pointer", "brokenPageCode")
		var panicked *pool.PanicError
		if !errors.As(task.Failure, &panicked) {
			t.Errorf("the failure's cause is no PanicError: %v", task.Failure.Cause)
		}
	})
}

func brokenPageCode(r *tasks.Result) *tasks.Result {
	return &tasks.Result{URL: r.URL}
}

func TestHeartbeatsKeepTheLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		beats := 0
		q, y := newQueue(t, 1), taking(time.Minute)
		q.extend = func(*tasks.Lease) error {
			beats++
			if beats == 3 {
				return errors.New("the queue has hiccups")
			}
			return nil
		}
		events := &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, Heartbeat: 10 * time.Second, OnEvent: events.tell})
		finish(t, p, y)
		if beats < 5 || beats > 6 {
			t.Errorf("a minute's work sent %d heartbeats, want one every ten seconds", beats)
		}
		if got := all(t, q)["PO00001"]; got.Outcome != tasks.OutcomeComplete || got.Attempts != 1 {
			t.Errorf("the task ended as %s", got.Outcome)
		}
		if got := events.of(pool.EventNotice); len(got) != 1 {
			t.Errorf("notices: %+v, want one about the failed heartbeat", got)
		}
	})
}

func TestLostLeaseEndsTheWorkAndDropsWhatWasFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, events := newQueue(t, 1), &story{}
		var cause error
		y := once(func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
			for reaped := 0; reaped == 0; {
				n, err := q.Reap(ctx)
				if err != nil {
					return nil, err
				}
				reaped = n
			}
			if err := spend(ctx, time.Hour); err != nil {
				cause = err
			}
			return &tasks.Result{Outcome: tasks.OutcomeNoAttachments}, nil
		})
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, OnEvent: events.tell})
		finish(t, p, y)
		wantErr(t, "the attempt's context", cause, tasks.ErrLeaseLost)
		if got := all(t, q)["PO00001"]; got.Outcome != tasks.OutcomeComplete {
			t.Errorf("the task ended as %s, want what the later holder found", got.Outcome)
		}
		if got := events.of(pool.EventLeaseLost); len(got) != 1 || got[0].Worker != "worker_001" {
			t.Errorf("lost leases: %+v, want one", got)
		}
	})
}
