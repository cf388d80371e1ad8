package ledger

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// leases are those that the owner has handed out and not had back. They live
// with the owner: what the file still shows as held when the next owner opens it
// is released.
type leases struct {
	mu   sync.Mutex
	byID map[uuid.UUID]*held
}

// held is one lease, with its task as the file has it.
type held struct {
	entry
	pulse tasks.Pulse
}

func newLeases() *leases { return &leases{byID: make(map[uuid.UUID]*held)} }

func newHeld(e entry) *held {
	h := &held{entry: e}
	h.pulse.Beat()
	return h
}

// grant notes the leases of a claim that was committed.
func (l *leases) grant(c *claim) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range c.held {
		l.byID[h.task.ID] = h
	}
	for _, lease := range c.leases {
		lease.ClaimTook = time.Since(c.since)
	}
}

// find returns what the lease is the right to, its task to be changed at will, or
// tasks.ErrLeaseLost.
func (l *leases) find(lease *tasks.Lease) (entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h, err := l.valid(lease)
	if err != nil {
		return entry{}, err
	}
	return h.copy(), nil
}

// beat notes a heartbeat, or returns tasks.ErrLeaseLost.
func (l *leases) beat(lease *tasks.Lease) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	h, err := l.valid(lease)
	if err != nil {
		return err
	}
	h.pulse.Beat()
	return nil
}

func (l *leases) valid(lease *tasks.Lease) (*held, error) {
	h := l.byID[lease.Task.ID]
	if h == nil || h.lease != lease.Attempt || h.epoch != lease.Epoch || h.task.Worker != lease.Worker {
		return nil, tasks.ErrLeaseLost
	}
	return h, nil
}

// move notes a change of the task that was committed; a task that nobody works
// on any more is held no longer. The same commit may have leased it again.
func (l *leases) move(e entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.byID[e.task.ID]
	if h == nil || h.lease != e.lease {
		return
	}
	if !e.task.Active() {
		delete(l.byID, e.task.ID)
		return
	}
	h.entry = e
	h.pulse.Beat()
}

// check counts a check for each lease. It returns those that are lost, and the
// workers that hold another.
func (l *leases) check() (lost []entry, alive map[string]bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	alive = make(map[string]bool)
	for _, h := range l.byID {
		if h.pulse.Check() {
			lost = append(lost, h.copy())
		} else {
			alive[h.task.Worker] = true
		}
	}
	return lost, alive
}
