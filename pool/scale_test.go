package pool_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// standing returns the ids of the workers that stand.
func standing(p *pool.WorkerPool) []string {
	var ids []string
	for _, w := range p.Workers() {
		if w.State.Standing() {
			ids = append(ids, w.ID)
		}
	}
	return ids
}

func TestScaleDownTakesIdleOnesFirstAndDrainsBusyOnes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		took := map[string]time.Duration{"PO00002": time.Second, "PO00003": time.Second}
		y := doing(func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
			d, quick := took[task.Key]
			if !quick {
				d = time.Minute
			}
			return complete(), spend(ctx, d)
		})
		q, events := newQueue(t, 4), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 4, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
		if err := spend(t.Context(), 2*time.Second); err != nil {
			t.Fatal(err)
		}
		busy, idle := busyAndIdle(p)
		if len(busy) != 2 || len(idle) != 2 {
			t.Fatalf("busy %v, idle %v, want two of each", busy, idle)
		}
		scale(t, p, 2)
		synctest.Wait()
		if got := standing(p); !slices.Equal(got, busy) {
			t.Errorf("after scaling to 2, %v stand, want the busy ones, %v", got, busy)
		}
		scale(t, p, 1)
		if got := p.Stats(); got.Draining != 1 || got.Wanted != 1 || got.Busy != 2 {
			t.Errorf("after scaling to 1: %+v, want a draining one among two that are busy", got)
		}
		for _, w := range p.Workers() {
			if w.Draining != (w.ID == busy[1]) {
				t.Errorf("%s: draining is %v; the highest number of %v is to drain", w.ID, w.Draining, busy)
			}
		}
		finish(t, p, y)
		if _, charged := states(t, q); charged != 4 {
			t.Errorf("%d attempts were charged for 4 tasks", charged)
		}
		if got := events.of(pool.EventScaled); len(got) != 2 || got[0].From != 4 || got[0].To != 2 || got[1].To != 1 {
			t.Errorf("scaled: %+v", got)
		}
	})
}

func busyAndIdle(p *pool.WorkerPool) (busy, idle []string) {
	for _, w := range p.Workers() {
		switch w.State {
		case pool.WorkerProcessing:
			busy = append(busy, w.ID)
		case pool.WorkerReady:
			idle = append(idle, w.ID)
		}
	}
	return busy, idle
}

func scale(t *testing.T, p *pool.WorkerPool, n int) {
	t.Helper()
	if err := p.Scale(n); err != nil {
		t.Fatalf("Scale(%d): %v", n, err)
	}
	if got := p.Size(); got != n {
		t.Errorf("after Scale(%d) the size is %d", n, got)
	}
}

func TestScaleUpAddsWorkersAndReopensTheSameSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y, events := newQueue(t, 100), taking(time.Second), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
		for _, n := range []int{4, 2, 3, 3, 5} {
			scale(t, p, n)
			// A time at which no task ends, so that all workers are busy.
			if err := spend(t.Context(), 3300*time.Millisecond); err != nil {
				t.Fatal(err)
			}
			want := []string{"worker_001", "worker_002", "worker_003", "worker_004", "worker_005"}[:n]
			if got := standing(p); !slices.Equal(got, want) {
				t.Errorf("after Scale(%d), %v stand", n, got)
			}
		}
		if got := len(events.of(pool.EventScaled)); got != 4 {
			t.Errorf("%d changes were told, want 4: the same number is no change", got)
		}
		finish(t, p, y)
		if _, _, most := y.count(); most != 5 {
			t.Errorf("%d workers at once, want 5", most)
		}
	})
}

func TestDrainingWorkerIsTakenInAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 6), taking(time.Minute)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, Lifetime: pool.LifetimeReusable})
		synctest.Wait()
		scale(t, p, 1)
		scale(t, p, 2)
		if got := p.Stats().Draining; got != 0 {
			t.Errorf("%d workers drain", got)
		}
		finish(t, p, y)
		if opened, _, _ := y.count(); opened != 2 {
			t.Errorf("%d workers were opened: a draining one must be kept when it is wanted again", opened)
		}
	})
}

func TestScaleDownEndsALaunch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		y.make = func(ctx context.Context, w *standIn) error {
			if w.id == "worker_002" {
				return spend(ctx, time.Hour)
			}
			w.do = func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
				return complete(), spend(ctx, time.Minute)
			}
			return nil
		}
		q, events := newQueue(t, 3), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 2, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
		synctest.Wait()
		scale(t, p, 1)
		synctest.Wait()
		if got := p.Workers()[1].State; got != pool.WorkerCompleted {
			t.Errorf("the slot whose launch was ended is %s", got)
		}
		finish(t, p, y)
		if got := events.of(pool.EventWorkerFailed); len(got) != 0 {
			t.Errorf("failed: %+v", got)
		}
	})
}

func limit(t *testing.T, p *pool.WorkerPool, owner string, n int) {
	t.Helper()
	if err := p.Limit(pool.Limit{Owner: owner, Workers: n, Reason: owner + " says so"}); err != nil {
		t.Errorf("Limit(%s, %d): %v", owner, n, err)
	}
}

// TestLimitsWorkUnderWhatIsAskedFor: neither what is asked for nor the limits undo
// each other, and the lowest counts.
func TestLimitsWorkUnderWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y, events := newQueue(t, 400), taking(time.Second), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 4, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
		for i, step := range []struct {
			owner       string // empty: Scale
			n           int
			size, asked int
			limits      int
		}{
			{"load", 3, 3, 4, 1},
			{"load", 2, 2, 4, 1},
			{"", 6, 2, 6, 1},
			{"", 1, 1, 1, 1},
			{"", 6, 2, 6, 1}, // the machine still carries no more than 2
			{"memory", 5, 2, 6, 2},
			{"load", 6, 5, 6, 1}, // all that are asked for: no limit of the load's
			{"", 8, 5, 8, 1},
			{"memory", 9, 8, 8, 0},
			{"load", 7, 7, 8, 1},
			{"", 3, 3, 3, 1},
			{"load", 4, 3, 3, 0},
			{"", 5, 5, 5, 0},
		} {
			from := p.Size()
			if step.owner == "" {
				if err := p.Scale(step.n); err != nil {
					t.Error(err)
				}
			} else {
				limit(t, p, step.owner, step.n)
			}
			pass(t, 3300*time.Millisecond) // a time at which no task ends
			if got := p.Stats(); got.Wanted != step.size || got.Asked != step.asked || got.Busy != step.size || p.Size() != step.size {
				t.Errorf("step %d, %+v: got %+v", i, step, got)
			}
			if got := p.Limits(); len(got) != step.limits {
				t.Errorf("step %d, %+v: limits %+v", i, step, got)
			}
			told := events.of(pool.EventScaled)
			if last := told[len(told)-1]; from != step.size && (last.From != from || last.To != step.size || last.Owner != step.owner) {
				t.Errorf("step %d, %+v: told %+v", i, step, last)
			}
		}
		finish(t, p, y)
	})
}

func TestSizeWithoutALimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 100), taking(time.Second)
		cfg := pool.Config{Queue: q, Open: y.open, Size: 6, Lifetime: pool.LifetimeReusable}
		p := mustNew(t, cfg)
		if got := p.SizeWithout("load"); got != 6 || len(p.Limits()) != 0 {
			t.Errorf("before the start: %d, %+v", got, p.Limits())
		}
		wantErr(t, "Limit before the start", p.Limit(pool.Limit{Owner: "load", Workers: 2}), pool.ErrNotRunning)
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantErr(t, "Limit to none", p.Limit(pool.Limit{Owner: "load"}), pool.ErrSize)
		limit(t, p, "load", 2)
		limit(t, p, "memory", 4)
		if load, memory, other := p.SizeWithout("load"), p.SizeWithout("memory"), p.SizeWithout("other"); load != 4 || memory != 2 || other != 2 {
			t.Errorf("without load %d, without memory %d, without another %d", load, memory, other)
		}
		finish(t, p, y)
		wantErr(t, "Limit after the end", p.Limit(pool.Limit{Owner: "load", Workers: 2}), pool.ErrNotRunning)
	})
}

// TestTheHeaviestIsTakenAway: of busy workers, the one that weighs most drains.
func TestTheHeaviestIsTakenAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := tasks.NewMemory()
		defer func() { _ = q.Close() }()
		var specs []tasks.Spec
		for i := range 4 {
			specs = append(specs, tasks.Spec{Key: fmt.Sprint(i), PO: fmt.Sprint(i)})
		}
		if _, err := q.Enqueue(t.Context(), specs...); err != nil {
			t.Fatal(err)
		}
		free := make(chan struct{})
		weights := map[string]int64{"worker_001": 10, "worker_002": 40, "worker_003": 30, "worker_004": 20}
		p, err := pool.New(pool.Config{Queue: q, Size: 4, Lifetime: pool.LifetimeReusable, Weigh: func() map[string]int64 { return weights },
			Open: func(context.Context, string) (pool.Worker, error) { return held{free}, nil }})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		var order []string
		for n := 3; n > 0; n-- {
			if err := p.Scale(n); err != nil {
				t.Error(err)
			}
			for _, w := range p.Workers() {
				if w.Draining && !slices.Contains(order, w.ID) {
					order = append(order, w.ID)
				}
			}
		}
		if want := []string{"worker_002", "worker_003", "worker_004"}; !slices.Equal(order, want) {
			t.Errorf("taken away were %v, want %v", order, want)
		}
		close(free)
		if err := p.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// held is a worker whose tasks end when it is freed.
type held struct{ free chan struct{} }

func (h held) Do(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
	<-h.free
	return &tasks.Result{Outcome: tasks.OutcomeComplete}, nil
}

func (held) Fit() error                  { return nil }
func (held) Close(context.Context) error { return nil }
func (held) Info() pool.Info             { return pool.Info{} }
