package pool

import (
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// History says what a pool has done since it was made, in all of its runs.
type History struct {
	// Made is when New returned it.
	Made time.Time
	// Opened workers; of these, Replaced ones took the place of one that was lost or
	// worn out. Lost ones broke, hung, panicked or could not be closed.
	Opened, Replaced, Lost int
	// Claims counts the tasks that were claimed. Waited is the sum of the times for
	// which each had been due before; times before the pool was made do not count.
	Claims int
	Waited time.Duration
}

// History returns what the pool has done so far.
func (p *WorkerPool) History() History {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.history
}

// waited returns for how long a task was due before it was claimed. What the queue was
// asked to wait for does not count.
func (p *WorkerPool) waited(lease *tasks.Lease) time.Duration {
	since := p.history.Made // which does not change
	task := lease.Task
	moments := []time.Time{task.Created, task.NotBefore}
	if n := len(task.History); n > 0 {
		moments = append(moments, task.History[n-1].EndedAt)
	}
	for _, at := range moments {
		if at.After(since) {
			since = at
		}
	}
	return max(0, lease.ClaimedAt.Sub(since))
}
