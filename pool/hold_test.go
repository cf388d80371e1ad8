package pool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// eachKind runs a test with both lifetimes and both distributions.
func eachKind(t *testing.T, test func(t *testing.T, cfg pool.Config)) {
	t.Helper()
	for _, lifetime := range []pool.Lifetime{pool.LifetimeReusable, pool.LifetimeTransient} {
		for _, distribution := range []tasks.Distribution{tasks.LoadBalanced, tasks.RoundRobin} {
			t.Run(fmt.Sprint(lifetime, " ", distribution), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					test(t, pool.Config{Size: 3, Lifetime: lifetime, Distribution: distribution})
				})
			})
		}
	}
}

// pass lets a time of the bubble pass, and what that sets off.
func pass(t *testing.T, d time.Duration) {
	t.Helper()
	if err := spend(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

// hold begins a hold of an owner's.
func hold(p *pool.WorkerPool, owner, reason string) (release func(why string)) {
	return p.Hold(pool.Hold{Owner: owner, Reason: reason})
}

func TestHoldLetsWhatHasBegunEnd(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, cfg pool.Config) {
		q, y := newQueue(t, 8), taking(time.Minute)
		cfg.Queue, cfg.Open = q, y.open
		p := started(t, cfg)
		synctest.Wait()
		release := hold(p, "disk", "it is short")
		pass(t, time.Hour)
		synctest.Wait()
		stats := p.Stats()
		if !stats.Paused || stats.InHand != 0 || stats.State != pool.StateRunning {
			t.Errorf("while it is paused: %+v", stats)
		}
		if byState, _ := states(t, q); byState[tasks.StateCompleted] != 3 || byState[tasks.StatePending] != 5 {
			t.Errorf("while it is paused, tasks are %v; want 3 done and 5 untouched", byState)
		}
		opened, there, _ := y.count()
		release("")
		release("again")
		synctest.Wait()
		if busy := p.Stats().Busy; busy != 3 {
			t.Errorf("%d workers go on at once, want 3", busy)
		}
		if got := p.Stats(); got.Paused {
			t.Errorf("after the release: %+v", got)
		}
		if cfg.Lifetime == pool.LifetimeReusable && (opened != 3 || there != 3 || stats.Idle != 3) {
			t.Errorf("%d workers were opened, %d stay: %+v", opened, there, stats)
		}
		finish(t, p, y)
		if byState, charged := states(t, q); byState[tasks.StateCompleted] != 8 || charged != 8 {
			t.Errorf("in the end, tasks are %v", byState)
		}
	})
}

// TestHoldEndsClaimsThatWait holds while every worker waits for a task: those
// that come meanwhile are left alone, and the workers are the same afterwards.
func TestHoldEndsClaimsThatWait(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, cfg pool.Config) {
		// A task that is due in an hour keeps the claims waiting.
		q := newQueue(t, 1)
		y := doing(func(_ context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
			if task.PO == "PO00001" && task.Attempts == 0 {
				f := tasks.Retry(tasks.ClassThrottled, "come back later")
				f.After = time.Hour
				return nil, f
			}
			return complete(), nil
		})
		policy := tasks.DefaultPolicy()
		policy.MaxRetryAfter = time.Hour
		cfg.Queue, cfg.Open, cfg.Size, cfg.Policy = q, y.open, 1, policy
		p := started(t, cfg)
		synctest.Wait()
		release := hold(p, "user", "for a while")
		synctest.Wait()
		if _, err := q.Enqueue(t.Context(), specs(4)...); err != nil {
			t.Fatal(err)
		}
		p.Wake()
		pass(t, 10*time.Minute)
		if byState, _ := states(t, q); byState[tasks.StatePending] != 4 {
			t.Errorf("a paused pool took tasks: %v", byState)
		}
		release("")
		finish(t, p, y)
		if byState, _ := states(t, q); byState[tasks.StateCompleted] != 4 {
			t.Errorf("in the end, tasks are %v", byState)
		}
	})
}

// TestHeldBeforeItsStart opens nothing and takes nothing until it goes on.
func TestHeldBeforeItsStart(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, cfg pool.Config) {
		q, y := newQueue(t, 4), taking(time.Second)
		cfg.Queue, cfg.Open = q, y.open
		p := mustNew(t, cfg)
		release := hold(p, "user", "not yet")
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		pass(t, time.Minute)
		if err := p.Scale(5); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if opened, _, _ := y.count(); opened != 0 {
			t.Errorf("%d workers were opened", opened)
		}
		release("")
		finish(t, p, y)
	})
}

// TestWaitOfAHeldPool returns when the last task in progress ends, whichever
// slot has it.
func TestWaitOfAHeldPool(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, cfg pool.Config) {
		y := doing(func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
			minutes := time.Duration(task.PO[len(task.PO)-1] - '0')
			return complete(), spend(ctx, minutes*time.Minute)
		})
		q := newQueue(t, 3)
		cfg.Queue, cfg.Open, cfg.TaskTimeout = q, y.open, time.Hour
		p := started(t, cfg)
		synctest.Wait()
		hold(p, "user", "until the end")
		began := time.Now()
		if err := p.Wait(t.Context()); err != nil {
			t.Errorf("Wait: %v", err)
		}
		if took := time.Since(began); took != 3*time.Minute {
			t.Errorf("Wait took %v, want 3m", took)
		}
		stopClean(t, p, y)
	})
}

func TestHeldPoolCanBeScaledAndStopped(t *testing.T) {
	t.Parallel()
	ends := map[string]func(p *pool.WorkerPool){
		"Stop":         func(*pool.WorkerPool) {},
		"StopFetching": func(p *pool.WorkerPool) { p.StopFetching() },
		"Kill":         func(p *pool.WorkerPool) { p.Kill(errors.New("enough")) },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachKind(t, func(t *testing.T, cfg pool.Config) {
				q, y := newQueue(t, 20), taking(time.Minute)
				cfg.Queue, cfg.Open, cfg.StopTimeout = q, y.open, time.Hour
				p := started(t, cfg)
				synctest.Wait()
				hold(p, "user", "to be stopped")
				pass(t, time.Hour)
				for _, n := range []int{1, 6, 2} {
					if err := p.Scale(n); err != nil {
						t.Errorf("Scale(%d): %v", n, err)
					}
					synctest.Wait()
				}
				if _, there, _ := y.count(); there > 2 {
					t.Errorf("scaled to 2 while it is paused, %d workers are there", there)
				}
				began := time.Now()
				end(p)
				stopClean(t, p, y)
				if took := time.Since(began); took != 0 {
					t.Errorf("it took %v to stop a pool that does nothing", took)
				}
				wantErr(t, "Wait", p.Wait(t.Context()), pool.ErrStopped)
				if byState, charged := states(t, q); byState[tasks.StateCompleted] != 3 || byState[tasks.StatePending] != 17 || charged != 3 {
					t.Errorf("tasks are %v", byState)
				}
			})
		})
	}
}

// TestHoldsAtAnyMoment begins and ends holds at random moments: no task is lost
// or done twice, and none is claimed during a pause.
func TestHoldsAtAnyMoment(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, cfg pool.Config) {
		q, y := newQueue(t, 60), taking(700*time.Millisecond)
		cfg.Queue, cfg.Open = q, y.open
		p := started(t, cfg)
		for i := range 40 {
			pass(t, time.Duration(i*37%400)*time.Millisecond)
			release := hold(p, "user", "once more")
			synctest.Wait()
			before := attempted(t, q)
			pass(t, time.Duration(i*53%900)*time.Millisecond)
			if after := attempted(t, q); after != before {
				t.Fatalf("in pause %d, %d tasks were claimed", i, after-before)
			}
			release("")
		}
		finish(t, p, y)
		for po, task := range all(t, q) {
			if task.State != tasks.StateCompleted || len(task.History) != 1 {
				t.Errorf("%s is %s after %d attempts", po, task.State, len(task.History))
			}
		}
	})
}

// attempted counts the tasks that are not as they were in the beginning.
func attempted(t *testing.T, q tasks.TaskQueue) int {
	t.Helper()
	byState, _ := states(t, q)
	return 60 - byState[tasks.StatePending]
}

// owners returns who holds the pool, oldest first.
func owners(holds []pool.Hold) string {
	var list []string
	for _, h := range holds {
		list = append(list, h.Owner)
	}
	return strings.Join(list, " ")
}

// TestWorkGoesOnWhenTheLastHoldEnds: no owner can end another's hold, whatever the
// order in which they let go.
func TestWorkGoesOnWhenTheLastHoldEnds(t *testing.T) {
	t.Parallel()
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q, y, events := newQueue(t, 6), taking(time.Minute), &story{}
				p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
				synctest.Wait()
				began := time.Now()
				releases := []func(string){hold(p, "disk", "it is short"), hold(p, "user", "lunch"), hold(p, "user", "coffee")}
				for i, n := range order {
					pass(t, time.Hour)
					if done := doneOf(t, q); done != 2 || !p.Stats().Paused {
						t.Errorf("with %q, %d tasks are done, and it is paused: %v", owners(p.Holds()), done, p.Stats().Paused)
					}
					if left := p.Holds(); len(left) != 3-i || left[0].Reason == "" || !left[0].Since.Equal(began) {
						t.Errorf("after %d releases there are %+v", i, left)
					}
					releases[n]("that is over")
					releases[n]("and again")
				}
				synctest.Wait()
				if got := p.Stats(); got.Paused || got.Busy != 2 || len(p.Holds()) != 0 {
					t.Errorf("after the last release: %+v, %+v", got, p.Holds())
				}
				finish(t, p, y)
				if got := events.of(pool.EventHoldBegan); len(got) != 3 || got[0].Owner != "disk" || got[0].Detail != "it is short" ||
					owners(got[2].Holds) != "disk user user" {
					t.Errorf("begun: %+v", got)
				}
				got := events.of(pool.EventHoldEnded)
				if len(got) != 3 || len(got[0].Holds) != 2 || len(got[2].Holds) != 0 || got[2].Detail != "that is over" {
					t.Errorf("ended: %+v", got)
				}
			})
		})
	}
}

// TestClaimingHoldPausesNothing: its tasks wait with their workers, and beside
// another hold it changes nothing.
func TestClaimingHoldPausesNothing(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, cfg pool.Config) {
		q, y := newQueue(t, 12), taking(time.Minute)
		cfg.Queue, cfg.Open = q, y.open
		p := started(t, cfg)
		portal := p.Hold(pool.Hold{Owner: "portal", Reason: "it is down", Claiming: true})
		pass(t, 90*time.Second)
		if got := p.Stats(); got.Paused || got.Busy != 3 || owners(p.Holds()) != "portal" {
			t.Errorf("held by a portal: %+v, %+v", got, p.Holds())
		}
		disk := hold(p, "disk", "it is short")
		pass(t, time.Hour)
		if done := doneOf(t, q); done != 6 || !p.Stats().Paused {
			t.Errorf("held by the disk too, %d tasks are done: %+v", done, p.Stats())
		}
		disk("")
		synctest.Wait()
		if got := p.Stats(); got.Paused || got.Busy != 3 || owners(p.Holds()) != "portal" {
			t.Errorf("held by the portal again: %+v, %+v", got, p.Holds())
		}
		portal("")
		finish(t, p, y)
	})
}

// TestHoldsOutliveARun: who holds a pool holds its next run too, which tells of it.
func TestHoldsOutliveARun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y, events := newQueue(t, 4), taking(time.Minute), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, OnEvent: events.tell})
		release := hold(p, "user", "lunch")
		stopClean(t, p, y)
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		pass(t, time.Hour)
		if got := p.Stats(); !got.Paused || got.InHand != 0 {
			t.Errorf("started again: %+v", got)
		}
		if got := len(events.of(pool.EventHoldBegan)); got != 2 {
			t.Errorf("the hold was told %d times, want once in each run", got)
		}
		release("")
		finish(t, p, y)
	})
}
