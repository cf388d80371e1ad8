//go:build chaos

package faultpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/poscrape/poscrape/tasks"
)

// faultVariable names the environment's variable that says where the process
// kills itself: "claimed:3" is the third pass of the point claimed.
const faultVariable = "POSCRAPE_FAULT"

// point is a place between two steps of a task's life.
type point string

// The points at which the process can be made to die.
const (
	claimed   point = "claimed"   // the task has a worker, which has not begun
	started   point = "started"   // the worker has begun
	published point = "published" // the documents are in place, the record is not written
	recorded  point = "recorded"  // the record is durable, nobody has been told
	drained   point = "drained"   // all orders have ended, the browsers are still there
	reporting point = "reporting" // in the midst of the tasks that the report is made from
)

// faulty passes everything on to a store, and kills the process where it is told to.
type faulty struct {
	Store
	point point
	left  *atomic.Int64
}

// In returns a store that kills the process, as kill -9 does, when the
// point that the environment names is passed. Without one it returns s.
func In(s Store) Store {
	text := os.Getenv(faultVariable)
	if text == "" {
		return s
	}
	name, count, _ := strings.Cut(text, ":")
	n, err := strconv.ParseInt(cmp.Or(count, "1"), 10, 64)
	if err != nil {
		panic(fmt.Sprintf("%s is %q: it must be a point and a number, as in claimed:3", faultVariable, text))
	}
	left := new(atomic.Int64)
	left.Store(n)
	return faulty{Store: s, point: point(name), left: left}
}

// pass counts a pass of a point; at the last one it does not return.
func (f faulty) pass(p point) {
	if p != f.point || f.left.Add(-1) != 0 {
		return
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic(err)
	}
	select {} // the signal comes at any moment
}

// Claim passes claimed once for each task, and drained when there is none.
func (f faulty) Claim(ctx context.Context, req tasks.ClaimRequest) ([]*tasks.Lease, error) {
	leases, err := f.Store.Claim(ctx, req)
	for range leases {
		f.pass(claimed)
	}
	if errors.Is(err, tasks.ErrDrained) {
		f.pass(drained)
	}
	return leases, err
}

// Start passes started.
func (f faulty) Start(ctx context.Context, lease *tasks.Lease) error {
	err := f.Store.Start(ctx, lease)
	if err == nil {
		f.pass(started)
	}
	return err
}

// Record passes published for a result with a document in place, and recorded.
func (f faulty) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	if _, done, _, _ := d.Result.Count(); done > 0 {
		f.pass(published)
	}
	err := f.Store.Record(ctx, lease, d)
	if err == nil {
		f.pass(recorded)
	}
	return err
}

// Each passes reporting once for each task.
func (f faulty) Each(ctx context.Context, visit func(*tasks.ProcessingTask) error) error {
	return f.Store.Each(ctx, func(t *tasks.ProcessingTask) error {
		f.pass(reporting)
		return visit(t)
	})
}
