package ledger

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// TestManyWorkers lets 100 workers do 10,000 tasks as fast as the ledger lets
// them, each exactly once. The claim times are logged, and asserted nowhere: they
// are the machine's.
func TestManyWorkers(t *testing.T) {
	const workers = 100
	n := 10_000
	if testing.Short() {
		n = 1_000
	}
	l := openNew(t)
	specs := manySpecs(n)
	began := time.Now()
	if _, err := l.Enqueue(t.Context(), specs...); err != nil {
		t.Fatal(err)
	}
	enqueued := time.Since(began)
	var (
		mu   sync.Mutex
		took []time.Duration
		seen = make(map[string]int)
		wg   sync.WaitGroup
	)
	began = time.Now()
	for i := range workers {
		wg.Go(func() {
			worker := fmt.Sprintf("worker_%03d", i+1)
			for {
				leases, err := l.Claim(t.Context(), tasks.ClaimRequest{Worker: worker})
				if errors.Is(err, tasks.ErrDrained) {
					return
				}
				if err == nil {
					err = errors.Join(l.Start(t.Context(), leases[0]), l.Record(t.Context(), leases[0], completed()))
				}
				if err != nil {
					t.Errorf("%s: %v", worker, err)
					return
				}
				mu.Lock()
				seen[leases[0].Task.Key]++
				took = append(took, leases[0].ClaimTook)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	worked := time.Since(began)
	for key, times := range seen {
		if times != 1 {
			t.Errorf("%s was done %d times", key, times)
		}
	}
	s, err := l.Stats(t.Context())
	if err != nil || len(seen) != n || s.ByOutcome[tasks.OutcomeComplete] != n {
		t.Errorf("%d of %d tasks were done; stats %+v, %v", len(seen), n, s, err)
	}
	slices.Sort(took)
	t.Logf("enqueue of %d: %v; %d workers: %.0f tasks/s; claim p50 %v, p99 %v, max %v",
		n, enqueued, workers, float64(n)/worked.Seconds(), took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func manySpecs(n int) []tasks.Spec {
	specs := make([]tasks.Spec, n)
	for i := range specs {
		po := fmt.Sprintf("PO%08d", i)
		specs[i] = tasks.Spec{
			Key: po, PO: po, Dir: po, URL: "https://portal.example/order_headers/" + po[2:], Priority: i % 3,
			Rows: []tasks.Row{{Line: i + 2, Raw: po, Cells: []string{po, "Supplier GmbH & Co. KG", "5.099,00", "EUR"}}},
		}
	}
	return specs
}

func completed() tasks.Decision {
	r := &tasks.Result{
		Outcome: tasks.OutcomeComplete, Executor: tasks.ExecutorRender, URL: "https://portal.example/order_headers/1",
		Fields:  map[string]tasks.Field{"supplier": {Raw: "Supplier GmbH & Co. KG", Value: "Supplier GmbH & Co. KG", Type: "text"}},
		PhaseMS: map[string]float64{"open": 120.5, "settle": 80},
	}
	for i := range 3 {
		r.Attachments = append(r.Attachments, tasks.Attachment{
			Name: fmt.Sprintf("invoice-%d.pdf", i), Path: fmt.Sprintf("orders/PO1/invoice-%d.pdf", i), Size: 12345,
			State: tasks.AttachmentDone, Source: "https://portal.example/order_headers/1",
		})
	}
	return tasks.Decision{To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete, Result: r}
}
