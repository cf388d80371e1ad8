package ledger

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// TestHeartbeatWaitsForNoWrite: a worker gives its sign of life also while the disk is at
// something that takes long, as others would be given its task otherwise.
func TestHeartbeatWaitsForNoWrite(t *testing.T) {
	t.Parallel()
	l := openNew(t)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(1)...)))
	lease := claimOne(t, l, "w")
	writing, beaten := make(chan struct{}), make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		err := l.write(t.Context(), "a write that takes long", &op{run: func(time.Time) error {
			close(writing)
			<-beaten
			return nil
		}})
		if err != nil {
			t.Error(err)
		}
	})
	<-writing
	err := l.Extend(t.Context(), lease) // which would wait for ever
	close(beaten)
	writer.Wait()
	testkit.Must(t, err)
}

// BenchmarkHeartbeat is the sign of life of one of a hundred workers, while another one's
// records keep the disk busy. It should take less than 10 ms, at the 99th percentile too.
func BenchmarkHeartbeat(b *testing.B) {
	const workers = 100
	l := openNew(b)
	testkit.Must(b, errOf(l.Enqueue(b.Context(), manySpecs(workers+1)...)))
	leases := make([]*tasks.Lease, workers)
	for i := range leases {
		leases[i] = claimOne(b, l, strconv.Itoa(i))
	}
	ctx, stop := context.WithCancel(b.Context())
	var other sync.WaitGroup
	other.Go(func() {
		for ctx.Err() == nil {
			again, err := l.Claim(b.Context(), tasks.ClaimRequest{Worker: "other"})
			if err == nil {
				err = l.Record(b.Context(), again[0], tasks.Decision{To: tasks.StatePending, Released: true})
			}
			if err != nil {
				b.Error(err)
				return
			}
		}
	})
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		err := l.Extend(b.Context(), leases[i%workers])
		took = append(took, time.Since(began))
		testkit.Must(b, err)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e6, "p99-ms")
	stop()
	other.Wait()
}
