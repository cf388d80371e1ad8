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

func TestStopNamesAWorkerThatCannotBeClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stubborn := errors.New("its process group is still there")
		y := &yard{make: func(_ context.Context, w *standIn) error {
			w.close = func(context.Context) error { return stubborn }
			return nil
		}}
		q := newQueue(t, 1)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable})
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		err := p.Stop(t.Context())
		wantErr(t, "Stop", err, stubborn)
		wantMessage(t, err, "worker_001")
		if got := p.Workers()[0]; got.State != pool.WorkerFailed || got.Error == "" {
			t.Errorf("the worker ended as %+v", got)
		}
	})
}

func TestASlotIsFreeOnlyWhenItsWorkerIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		y.make = func(_ context.Context, w *standIn) error {
			tries := 0
			w.close = func(context.Context) error {
				if tries++; w.n == 1 && tries <= 3 {
					return errors.New("not gone yet")
				}
				return nil
			}
			return nil
		}
		q, events := newQueue(t, 3), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, OnEvent: events.tell})
		finish(t, p, y)
		if _, _, most := y.count(); most != 1 {
			t.Errorf("%d workers were there at once in one slot", most)
		}
		if got := len(events.of(pool.EventWorkerFailed)); got != 3 {
			t.Errorf("%d failures to close were told, want 3", got)
		}
	})
}

func TestDrainedWorkerThatCannotBeClosedKeepsItsSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y, tries := &yard{}, 0
		y.make = func(_ context.Context, w *standIn) error {
			w.do = func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
				return complete(), spend(ctx, time.Minute)
			}
			w.close = func(context.Context) error {
				if w.id != "worker_002" || tries == 3 {
					return nil
				}
				tries++
				return errors.New("not gone yet")
			}
			return nil
		}
		q := newQueue(t, 8)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, Lifetime: pool.LifetimeReusable})
		synctest.Wait()
		scale(t, p, 1)
		if err := spend(t.Context(), 61*time.Second); err != nil {
			t.Fatal(err)
		}
		scale(t, p, 2)
		finish(t, p, y)
		if opened, _, most := y.count(); most != 2 || opened != 3 {
			t.Errorf("%d workers were opened, %d at once, want 3 and 2", opened, most)
		}
	})
}

func TestCloseThatHangsIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{make: func(_ context.Context, w *standIn) error {
			w.close = func(context.Context) error { return spend(context.Background(), time.Hour) }
			return nil
		}}
		p := started(t, pool.Config{Queue: newQueue(t, 1), Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable})
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		wantMessage(t, p.Stop(t.Context()), "closing worker_001", "did not return")
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("Stop took %v", took)
		}
		if err := spend(t.Context(), 2*time.Hour); err != nil {
			t.Fatal(err)
		}
	})
}
