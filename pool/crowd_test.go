package pool_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// crowd is what 100 workers did with 10,000 tasks.
type crowd struct {
	mu     sync.Mutex
	done   map[uuid.UUID]int
	claims []time.Duration
	most   atomic.Int32
	at     atomic.Int32
}

func (c *crowd) do(_ context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
	c.most.Store(max(c.most.Load(), c.at.Add(1)))
	defer c.at.Add(-1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done[task.ID]++
	return complete(), nil
}

func (c *crowd) tell(e pool.Event) {
	if e.Type == pool.EventTaskAssigned {
		c.claims = append(c.claims, e.Took)
	}
}

// run takes n tasks through a ledger with 100 workers and returns how long it took.
func (c *crowd) run(t testing.TB, q tasks.TaskQueue, n int) time.Duration {
	t.Helper()
	c.done = make(map[uuid.UUID]int, n)
	if _, err := q.Enqueue(context.Background(), specs(n)...); err != nil {
		t.Fatal(err)
	}
	y := doing(c.do)
	began := time.Now()
	p := started(t, pool.Config{Queue: q, Open: y.open, Size: 100, Lifetime: pool.LifetimeReusable, OnEvent: c.tell})
	finish(t, p, y)
	took := time.Since(began)
	if _, _, most := y.count(); most > 100 {
		t.Errorf("%d workers were there at once, want 100 at most", most)
	}
	for po, task := range all(t, q) {
		if task.State != tasks.StateCompleted || len(task.History) != 1 || c.done[task.ID] != 1 {
			t.Fatalf("%s is %s, done %d times, history %+v", po, task.State, c.done[task.ID], task.History)
		}
	}
	if len(c.done) != n {
		t.Errorf("%d tasks were done, want %d", len(c.done), n)
	}
	slices.Sort(c.claims)
	return took
}

func (c *crowd) claim(share float64) time.Duration {
	return c.claims[int(share*float64(len(c.claims)-1))]
}

func TestAHundredWorkersTenThousandTasks(t *testing.T) {
	t.Parallel()
	n := 10_000
	if testing.Short() || underRace {
		n = 500
	}
	c := &crowd{}
	took := c.run(t, openLedger(t), n)
	t.Logf("%d tasks in %v; claim p50 %v, p99 %v", n, took.Round(time.Millisecond), c.claim(0.5), c.claim(0.99))
}
