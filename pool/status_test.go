package pool_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

func TestStatusOfABusyAndAnIdleWorker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := doing(func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
			if task.PO == "PO00002" {
				return complete(), nil
			}
			return complete(), spend(ctx, time.Minute)
		})
		q := newQueue(t, 2)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 3, Lifetime: pool.LifetimeReusable})
		began := time.Now()
		synctest.Wait()
		want := pool.Stats{State: pool.StateRunning, Asked: 3, Wanted: 3, Running: 2, Busy: 1, Idle: 1, InHand: 1}
		if got := p.Stats(); got != want || got.Full() {
			t.Errorf("stats are %+v, want %+v", got, want)
		}
		all := p.Workers()
		i := slices.IndexFunc(all, func(w pool.WorkerStatus) bool { return w.State == pool.WorkerProcessing })
		if len(all) != 2 || i < 0 {
			t.Fatalf("workers: %+v", all)
		}
		busy, idle := all[i], all[1-i]
		if busy.Task != "PO00001" || busy.PID == 0 || busy.Profile != "/profiles/"+busy.ID || !busy.StartedAt.Equal(began) {
			t.Errorf("the busy worker says %+v", busy)
		}
		if idle.Task != "" || idle.Processed != 1 || idle.State != pool.WorkerReady {
			t.Errorf("the idle worker says %+v", idle)
		}
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := p.Workers()[i].LastActivity.Sub(began); got != time.Minute {
			t.Errorf("last activity was after %v, want after the minute's work", got)
		}
		finish(t, p, y)
		for _, w := range p.Workers() {
			if w.State != pool.WorkerCompleted {
				t.Errorf("%s ended as %s", w.ID, w.State)
			}
		}
	})
}

// TestActivityMovesWithWhatAWorkerDoes: with what its attempt tells, as long as that has
// not ended, and with each heartbeat; not with time.
func TestActivityMovesWithWhatAWorkerDoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var late func()
		y := doing(func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
			late = func() { tasks.Active(ctx) }
			if err := spend(ctx, 10*time.Second); err != nil {
				return nil, err
			}
			tasks.Active(ctx)
			return complete(), spend(ctx, time.Minute)
		})
		events := &story{}
		p := started(t, pool.Config{Queue: newQueue(t, 1), Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable,
			Heartbeat: 30 * time.Second, OnEvent: events.tell})
		began := time.Now()
		for _, want := range []struct{ at, active time.Duration }{
			{5, 0}, {9, 0}, {11, 10}, {29, 10}, {31, 30}, {59, 30}, {61, 60}, {69, 60}, {71, 70},
		} {
			if err := spend(t.Context(), time.Until(began.Add(want.at*time.Second))); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := p.Workers()[0].LastActivity.Sub(began); got != want.active*time.Second {
				t.Errorf("after %d s, its last activity was after %v, want %d s", want.at, got, want.active)
			}
		}
		late() // from what an attempt has left behind
		if got := p.Workers()[0].LastActivity.Sub(began); got != 70*time.Second {
			t.Errorf("its last activity moved to %v after its attempt", got)
		}
		finish(t, p, y)
	})
}

func TestFullIsTheSignalForBackPressure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 5), taking(time.Second)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2})
		synctest.Wait()
		stats, err := p.QueueStats(t.Context())
		if !p.Stats().Full() || err != nil || stats.Ready != 3 {
			t.Errorf("stats %+v, queue %+v, %v", p.Stats(), stats, err)
		}
		finish(t, p, y)
	})
}

func TestEventsTellTheStoryInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y, events := newQueue(t, 2), taking(time.Second), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, OnEvent: events.tell})
		finish(t, p, y)
		types := map[string][]string{} // by order; the pool's and the workers' own under ""
		for _, e := range events.events {
			types[e.Order] = append(types[e.Order], e.Type)
		}
		task := []string{pool.EventTaskAssigned, pool.EventTaskEnded}
		worker := []string{pool.EventWorkerStarted, pool.EventWorkerStopped}
		for order, want := range map[string][]string{"PO00001": task, "PO00002": task, "": slices.Concat(worker, worker)} {
			if got := types[order]; !slices.Equal(got, want) {
				t.Errorf("events of %q are %v, want %v", order, got, want)
			}
		}
		if !slices.IsSortedFunc(events.events, func(a, b pool.Event) int { return a.At.Compare(b.At) }) {
			t.Error("events were told out of their order")
		}
		ended := events.of(pool.EventTaskEnded)[0]
		if ended.Order != "PO00001" || ended.State != tasks.StateCompleted || ended.Outcome != tasks.OutcomeComplete ||
			ended.Took != time.Second || ended.Worker != "worker_001" {
			t.Errorf("the end of the first task is told as %+v", ended)
		}
	})
}

func TestSlowListenerHoldsNothingUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const n = 3000
		var types []string
		told := make(chan struct{})
		listen := func(e pool.Event) {
			<-told
			types = append(types, e.Type)
		}
		q, y := newQueue(t, n), &yard{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 4, Lifetime: pool.LifetimeReusable, OnEvent: listen})
		if err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		close(told)
		stopClean(t, p, y)
		if len(types) >= 2*n || !slices.Contains(types, pool.EventEventsLost) {
			t.Errorf("%d events were told of %d at least, and whether any are lost: %v", len(types), 2*n,
				slices.Contains(types, pool.EventEventsLost))
		}
	})
}

func TestListenerThatPanics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 50), taking(time.Second)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, OnEvent: func(pool.Event) { panic("bad listener") }})
		wantMessage(t, p.Wait(t.Context()), "telling an event", "bad listener")
		_ = p.Stop(context.Background())
		if _, there, _ := y.count(); there != 0 {
			t.Errorf("%d workers are left", there)
		}
	})
}
