package pool_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

var errDiskFull = errors.New("no space left on device")

func TestAttemptIsRecordedInFull(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := once(func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
			f := tasks.Retry(tasks.ClassNotReady, "spinner")
			f.Phase, f.Evidence = "settle", []string{"evidence/1.png"}
			f.PhaseMS = map[string]float64{"settle": 5}
			return nil, errors.Join(f, spend(ctx, time.Second))
		})
		q := newQueue(t, 1)
		p := started(t, pool.Config{
			Queue: q, Open: y.open, Size: 1,
			Publish: func(ctx context.Context, _ *tasks.Lease, _ *tasks.Result) error { return spend(ctx, 2*time.Second) },
		})
		finish(t, p, y)
		h := all(t, q)["PO00001"].History
		if len(h) != 2 {
			t.Fatalf("history: %+v", h)
		}
		first, second := h[0], h[1]
		if first.Worker != "worker_001" || first.N != 1 || first.EndedAt.Sub(first.StartedAt) != time.Second ||
			len(first.Evidence) != 1 || first.PhaseMS["settle"] != 5 || first.RetryAt.IsZero() {
			t.Errorf("the first attempt was recorded as %+v", first)
		}
		_, claim := second.PhaseMS["claim"]
		if second.N != 2 || second.Executor != tasks.ExecutorRender || second.PhaseMS["publish"] != 2000 || !claim || second.Evidence == nil {
			t.Errorf("the second attempt was recorded as %+v", second)
		}
	})
}

func TestRecordingGoesBesideTheNextTaskButNeverTwo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var recording, most atomic.Int32
		q, y := newQueue(t, 4), taking(time.Second)
		q.record = func(ctx context.Context, _ *tasks.Lease, _ tasks.Decision) error {
			most.Store(max(most.Load(), recording.Add(1)))
			defer recording.Add(-1)
			return spend(ctx, 3*time.Second)
		}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable})
		began := time.Now()
		finish(t, p, y)
		if took, want := time.Since(began), 13*time.Second; took != want {
			t.Errorf("4 tasks of 1s with 3s of recording took %v, want %v", took, want)
		}
		if got := most.Load(); got != 1 {
			t.Errorf("%d results of one worker were recorded at once", got)
		}
	})
}

func TestResultsCountOnlyWhenRecorded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y, events := newQueue(t, 1), &yard{}, &story{}
		q.record = func(ctx context.Context, _ *tasks.Lease, _ tasks.Decision) error { return spend(ctx, 5*time.Second) }
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, KeepResults: true, OnEvent: events.tell})
		if err := spend(t.Context(), 4*time.Second); err != nil {
			t.Fatal(err)
		}
		if _, ok := p.TryResult(); ok || len(events.of(pool.EventTaskEnded)) != 0 || p.Workers()[0].Processed != 0 {
			t.Error("a result counts that is not recorded")
		}
		if got := p.Stats().InHand; got != 1 {
			t.Errorf("%d tasks are in hand while one is being recorded", got)
		}
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, ok := p.TryResult(); !ok {
			t.Error("Wait has returned, but the result is not there")
		}
		finish(t, p, y)
	})
}

func TestWaitWaitsForTheLastResult(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 1), &yard{}
		q.recorded = func() { _ = spend(context.Background(), 5*time.Second) }
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, Lifetime: pool.LifetimeReusable, KeepResults: true})
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, ok := p.TryResult(); !ok {
			t.Error("Wait has returned before the last result was there")
		}
		finish(t, p, y)
	})
}

func TestPublishIsCalledWhileTheLeaseHolds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y, events := newQueue(t, 1), &yard{}, &story{}
		lost := true
		q.extend = func(*tasks.Lease) error {
			if lost {
				lost = false
				return tasks.ErrLeaseLost
			}
			return nil
		}
		published := 0
		p := started(t, pool.Config{
			Queue: q, Open: y.open, Size: 1, OnEvent: events.tell,
			Publish: func(context.Context, *tasks.Lease, *tasks.Result) error {
				published++
				return nil
			},
		})
		synctest.Wait()
		if published != 0 || len(events.of(pool.EventLeaseLost)) != 1 {
			t.Errorf("without a lease, %d results were published", published)
		}
		stopClean(t, p, y)
	})
}

func TestFailedPublishingIsTheAttemptsFailure(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		publish func() error
		class   tasks.Class
	}{
		"error":   {func() error { return errDiskFull }, tasks.ClassStorage},
		"failure": {func() error { return tasks.Retry(tasks.ClassWrongSize, "cut short") }, tasks.ClassWrongSize},
		"panic":   {func() error { panic("bad path") }, tasks.ClassPanic},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q, y, calls := newQueue(t, 1), &yard{}, 0
				p := started(t, pool.Config{
					Queue: q, Open: y.open, Size: 1,
					Publish: func(context.Context, *tasks.Lease, *tasks.Result) error {
						if calls++; calls == 1 {
							return test.publish()
						}
						return nil
					},
				})
				finish(t, p, y)
				task := all(t, q)["PO00001"]
				if task.Outcome != tasks.OutcomeComplete || task.Attempts != 2 || task.History[0].Error.Class != test.class {
					t.Errorf("the task ended as %s: %+v", task.Outcome, task.History)
				}
			})
		})
	}
}

func TestQueueThatFailsEndsThePool(t *testing.T) {
	t.Parallel()
	tests := map[string]func(q *queue){
		"record": func(q *queue) {
			q.record = func(context.Context, *tasks.Lease, tasks.Decision) error { return errDiskFull }
		},
		"claim": func(q *queue) { q.claim = func(context.Context, tasks.ClaimRequest) error { return errDiskFull } },
		"start": func(q *queue) { q.start = func() error { return errDiskFull } },
		"stats": func(q *queue) { q.stats = func() error { return errDiskFull } },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q, y := newQueue(t, 10), &yard{}
				spoil(q)
				p := started(t, pool.Config{Queue: q, Open: y.open, Size: 3})
				wantErr(t, "Wait", p.Wait(t.Context()), errDiskFull)
				if got := p.State(); got != pool.StateError {
					t.Errorf("the pool is %s, want ERROR", got)
				}
				_ = p.Stop(t.Context())
				if got := p.State(); got != pool.StateIdle {
					t.Errorf("after Stop the pool is %s", got)
				}
				if _, there, _ := y.count(); there != 0 {
					t.Errorf("%d workers are left", there)
				}
				if byState, _ := states(t, q); byState[tasks.StateCompleted] != 0 || byState[tasks.StateFailed] != 0 {
					t.Errorf("tasks: %v: something ended without a record", byState)
				}
			})
		})
	}
}

func TestRecordThatFailsDuringStopIsSaid(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 1), taking(10*time.Second)
		q.record = func(context.Context, *tasks.Lease, tasks.Decision) error { return errDiskFull }
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1})
		synctest.Wait()
		wantErr(t, "Stop", p.Stop(t.Context()), errDiskFull)
		wantErr(t, "Wait", p.Wait(t.Context()), errDiskFull)
		if got := p.State(); got != pool.StateIdle {
			t.Errorf("the pool is %s", got)
		}
	})
}

func TestResultThatCannotBeReadIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 2), &yard{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, KeepResults: true})
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		q.get = func() error { return errDiskFull }
		_, err := p.Result(t.Context())
		wantErr(t, "Result", err, errDiskFull)
		if _, ok := p.TryResult(); ok {
			t.Error("TryResult returned what cannot be read")
		}
		q.get = nil
		for _, want := range []string{"PO00001", "PO00002"} {
			if got, err := p.Result(t.Context()); err != nil || got.PO != want {
				t.Errorf("Result: %v, %v, want %s", got, err, want)
			}
		}
		finish(t, p, y)
	})
}

func TestSettledIsToldWhatBecameOfAPublishedResult(t *testing.T) {
	t.Parallel()
	publish := func(context.Context, *tasks.Lease, *tasks.Result) error { return nil }
	for name, c := range map[string]struct {
		record  error
		publish func(context.Context, *tasks.Lease, *tasks.Result) error
		want    []bool
	}{
		"recorded":       {nil, publish, []bool{true}},
		"the lease lost": {tasks.ErrLeaseLost, publish, []bool{false}},
		"queue broken":   {errDiskFull, publish, []bool{false}},
		"not published": {nil, func(context.Context, *tasks.Lease, *tasks.Result) error {
			return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassStorage, "no")
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q, y := newQueue(t, 1), &yard{}
				q.record = func(context.Context, *tasks.Lease, tasks.Decision) error { return c.record }
				var told []bool
				p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, Publish: c.publish,
					Settled: func(_ *tasks.Lease, _ *tasks.Result, recorded bool) { told = append(told, recorded); panic("its own") }})
				if c.record == nil {
					_ = p.Wait(t.Context())
				} else if err := spend(t.Context(), time.Minute); err != nil {
					t.Fatal(err)
				}
				_ = p.Stop(t.Context())
				if !slices.Equal(told, c.want) {
					t.Errorf("told %v, want %v", told, c.want)
				}
			})
		})
	}
}
