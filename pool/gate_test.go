package pool_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// TestAWaitThatNobodyEndsDoubles: while workers wait for work, the queue is looked at after a second,
// and then after twice as long each time, up to 30 s, once for all of them. Work that is submitted, or
// announced by Wake, is begun in the same moment; and when it has ended, the waits begin anew.
func TestAWaitThatNobodyEndsDoubles(t *testing.T) {
	t.Parallel()
	doubling := []time.Duration{0, 1, 3, 7, 15, 31, 61, 91, 121, 151, 181, 211}
	for i := range doubling {
		doubling[i] *= time.Second
	}
	for name, announce := range map[string]func(*testing.T, *pool.WorkerPool, *queue){
		"submitted": func(t *testing.T, p *pool.WorkerPool, _ *queue) {
			if err := p.Submit(t.Context(), specs(1)...); err != nil {
				t.Error(err)
			}
		},
		"announced": func(t *testing.T, p *pool.WorkerPool, q *queue) {
			if _, err := q.Enqueue(t.Context(), specs(1)...); err != nil {
				t.Error(err)
			}
			p.Wake()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const idle, task = 4 * time.Minute, 2500 * time.Millisecond
				var looks []time.Duration
				q, y, began := newQueue(t, 0), taking(task), time.Now()
				q.stats = func() error {
					looks = append(looks, time.Since(began))
					return nil
				}
				pass := func(d time.Duration) {
					if err := spend(t.Context(), d); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
				}
				p := started(t, pool.Config{Queue: q, Open: y.open, Size: 3, Lifetime: pool.LifetimeReusable})
				pass(idle)
				if got := slices.Compact(slices.Clone(looks)); !slices.Equal(got, doubling) {
					t.Errorf("without work the queue was looked at after %v, want %v", got, doubling)
				}

				announce(t, p, q)
				synctest.Wait()
				if got := all(t, q)["PO00001"].State; got != tasks.StateProcessing {
					t.Errorf("in the moment in which it came, the task is %s", got)
				}
				end := time.Since(began) + task
				pass(task + idle)
				if got := all(t, q)["PO00001"].State; got != tasks.StateCompleted {
					t.Errorf("the task is %s", got)
				}
				var after []time.Duration
				for _, at := range looks {
					if at >= end {
						after = append(after, at-end)
					}
				}
				if after = slices.Compact(after); !slices.Equal(after, doubling) {
					t.Errorf("after the work the queue was looked at after %v, want %v", after, doubling)
				}
				finish(t, p, y)
			})
		})
	}
}
