package pool_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// TestADrainedQueueMayBeFilledAgain has tasks put back three times, each time when all that
// there were have ended: the pool is not done before nothing more comes.
func TestADrainedQueueMayBeFilledAgain(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y, q := taking(time.Second), newQueue(t, 5)
				asked := 0 // by one slot at a time
				p := started(t, pool.Config{Queue: q, Open: y.open, Size: workers, Drained: func(ctx context.Context) (bool, error) {
					stats, err := q.Stats(ctx)
					if err != nil || stats.Open() > 0 {
						t.Errorf("it is asked with %d tasks open: %v", stats.Open(), err)
					}
					if asked++; asked > 3 {
						return false, nil
					}
					for i := range 4 {
						key := fmt.Sprintf("again %d-%d", asked, i)
						if _, err := q.Enqueue(ctx, tasks.Spec{Key: key}); err != nil {
							return false, err
						}
					}
					return true, nil
				}})
				finish(t, p, y)
				stats, err := q.Stats(t.Context())
				if err != nil || stats.ByState[tasks.StateCompleted] != 17 || asked < 4 {
					t.Errorf("%d tasks are completed, and it was asked %d times: %v", stats.ByState[tasks.StateCompleted], asked, err)
				}
			})
		})
	}
}

func TestAQueueThatCannotSayWhetherItIsDrained(t *testing.T) {
	t.Parallel()
	broken := errors.New("the file is gone")
	for name, ask := range map[string]func(context.Context) (bool, error){
		"error": func(context.Context) (bool, error) { return false, broken },
		"panic": func(context.Context) (bool, error) { panic(broken) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := taking(time.Second)
				p := started(t, pool.Config{Queue: newQueue(t, 2), Open: y.open, Size: 2, Drained: ask})
				err := p.Wait(t.Context())
				var panicked *pool.PanicError
				if name == "error" && !errors.Is(err, broken) || name == "panic" && !errors.As(err, &panicked) {
					t.Errorf("got %v", err)
				}
				if p.State() != pool.StateError {
					t.Errorf("the pool is %s", p.State())
				}
				_ = p.Stop(t.Context())
			})
		})
	}
}

// TestPuttingBackIsNotGivenUp stops the pool while it is asked whether there are more tasks:
// what has begun to be put back is put back.
func TestPuttingBackIsNotGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y, q := taking(time.Second), newQueue(t, 4)
		begun, goOn := make(chan struct{}), make(chan struct{})
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, Drained: func(ctx context.Context) (bool, error) {
			close(begun)
			<-goOn
			_, err := q.Enqueue(ctx, tasks.Spec{Key: "again"})
			return true, err
		}})
		<-begun
		p.StopFetching()
		synctest.Wait()
		close(goOn)
		wantErr(t, "Wait", p.Wait(t.Context()), pool.ErrStopped)
		stopClean(t, p, y)
		if stats, err := q.Stats(t.Context()); err != nil || stats.Open() != 1 {
			t.Errorf("%d tasks are open, want the one that was put back: %v", stats.Open(), err)
		}
	})
}
