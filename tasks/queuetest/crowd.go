package queuetest

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// crowd is a number of workers, and one who calls Reap whenever all of them wait
// for a task: then nobody's heartbeat is late, however slow the machine, and what
// a silent worker holds comes free.
type crowd struct {
	*kit
	workers       sync.WaitGroup
	present, idle atomic.Int64
	over, reaped  chan struct{}
}

func newCrowd(k *kit) *crowd {
	c := &crowd{kit: k, over: make(chan struct{}), reaped: make(chan struct{})}
	go c.reapIdle()
	return c
}

// hire starts a worker.
func (c *crowd) hire(work func()) {
	c.present.Add(1)
	c.workers.Go(func() {
		defer c.present.Add(-1)
		work()
	})
}

func (c *crowd) claim(req tasks.ClaimRequest) ([]*tasks.Lease, error) {
	c.idle.Add(1)
	defer c.idle.Add(-1)
	return c.q.Claim(c.ctx, req)
}

// wait returns when all workers have left.
func (c *crowd) wait() {
	c.workers.Wait()
	close(c.over)
	<-c.reaped
}

func (c *crowd) reapIdle() {
	defer close(c.reaped)
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-c.over:
			return
		case <-look.C:
		}
		if c.idle.Load() < c.present.Load() {
			continue
		}
		if _, err := c.q.Reap(c.ctx); err != nil {
			c.Errorf("Reap: %v", err)
			return
		}
	}
}
