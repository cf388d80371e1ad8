package space

import (
	"context"
	"errors"
	"testing"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/queuetest"
)

// spoilt is a queue that records nothing.
type spoilt struct{ tasks.TaskQueue }

var errSpoilt = errors.New("the file cannot be written")

func (spoilt) Record(context.Context, *tasks.Lease, tasks.Decision) error { return errSpoilt }

// TestClaimsWaitForNoDisk: neither a call that hangs on a disk nor the end of the session that follows
// from a broken one keeps others from their orders.
func TestClaimsWaitForNoDisk(t *testing.T) {
	t.Parallel()
	queuetest.ClaimsBeside(t, func(t *testing.T, inner tasks.TaskQueue) tasks.TaskQueue {
		return new(Guard).Queue(inner)
	})

	inner := tasks.NewMemory()
	if _, err := inner.Enqueue(t.Context(), tasks.Spec{Key: "1"}, tasks.Spec{Key: "2"}); err != nil {
		t.Fatal(err)
	}
	leases, err := inner.Claim(t.Context(), tasks.ClaimRequest{Worker: "worker_001"})
	if err != nil {
		t.Fatal(err)
	}
	var halt func()
	q := queue{spoilt{inner}, func(error) bool { halt(); return false }}
	queuetest.ClaimBeside(t, q, func(hang func()) {
		halt = hang
		if err := q.Record(t.Context(), leases[0], tasks.Decision{}); !errors.Is(err, errSpoilt) {
			t.Errorf("Record: %v", err)
		}
	})
}
