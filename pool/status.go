package pool

import (
	"context"
	"fmt"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// WorkerStatus is what is known of one slot and its worker.
type WorkerStatus struct {
	// ID of the slot, "worker_001".
	ID string
	// PID and Profile of its worker, or of the last one.
	PID     int
	Profile string
	State   WorkerState
	// Draining: it closes after its current task.
	Draining bool
	// Tasks are the orders that it works on. Task is the first of them, or empty.
	Tasks []string
	Task  string
	// Processed counts the attempts that were charged and recorded: Failed those of
	// them whose outcome is a failure, Succeeded the others.
	Processed, Succeeded, Failed int
	// StartedAt is when its worker stood, LastActivity when something of
	// significance last happened to it: it was given an order, its lease was extended,
	// its Do has called tasks.Active, an attempt of its was recorded, its state changed.
	StartedAt, LastActivity time.Time
	// Restarts counts the workers that replaced one which failed or was worn out.
	Restarts int
	// Error is why it failed last, or empty. A new worker clears it.
	Error string
}

// Stats counts the workers of a pool.
type Stats struct {
	State State
	// Asked is the number asked for, Wanted what the limits leave of it. Running
	// workers stand; of these, Busy ones have a task and Idle ones wait for one.
	// Starting ones are being opened.
	Asked, Wanted, Running, Busy, Idle, Starting int
	// Draining workers finish a last task; they are among the running ones.
	Draining int
	// InHand is the number of tasks with a worker, those included that are being
	// recorded.
	InHand int
	// Stuck is the number of calls that ignored the end of their time, were left
	// behind, and have not returned.
	Stuck int
	// Paused: no task is claimed. Holds says who holds the pool, and why.
	Paused bool
}

// Full reports whether every worker that is wanted is busy: the signal for
// back-pressure.
func (s Stats) Full() bool { return s.Wanted > 0 && s.Busy >= s.Wanted }

// State returns where the pool stands.
func (p *WorkerPool) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// Running reports whether the pool takes tasks: it is STARTING or RUNNING.
func (p *WorkerPool) Running() bool { return p.taking() == nil }

// Size is the number of workers that the pool is to have: those asked for, by
// Config.Size and then by Scale, or as many as the lowest Limit allows.
func (p *WorkerPool) Size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wanted()
}

func (p *WorkerPool) wanted() int {
	if p.run == nil {
		return p.cfg.Size
	}
	return p.run.wanted()
}

// Workers returns the status of every slot that has opened a worker, sorted by id.
func (p *WorkerPool) Workers() []WorkerStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run == nil {
		return nil
	}
	var all []WorkerStatus
	for _, s := range p.run.slots {
		if s.status.State == workerUnopened {
			continue
		}
		status := s.status
		status.Draining = s.draining()
		all = append(all, status)
	}
	return all
}

// draining: the slot is taken out, and its worker is not gone yet. The caller
// holds the pool's mu.
func (s *slot) draining() bool {
	return !s.wanted && s.status.State != WorkerCompleted && s.status.State != workerUnopened
}

// Stats counts the workers, from memory. QueueStats counts the tasks.
func (p *WorkerPool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	stats := Stats{State: p.state, Asked: p.cfg.Size, Wanted: p.wanted(), Paused: p.paused()}
	if p.run == nil {
		return stats
	}
	stats.Asked = p.run.asked
	for _, s := range p.run.slots {
		switch s.status.State {
		case WorkerReady:
			stats.Idle++
		case WorkerProcessing:
			stats.Busy++
		case WorkerInitializing:
			stats.Starting++
		}
		if s.draining() {
			stats.Draining++
		}
	}
	stats.Running = stats.Busy + stats.Idle
	stats.InHand = p.run.inHand
	stats.Stuck = p.run.calls.leftBehind()
	return stats
}

// QueueStats counts the tasks, as the queue knows them: how many are ready tells
// a producer whether to hold back.
func (p *WorkerPool) QueueStats(ctx context.Context) (tasks.Stats, error) {
	stats, err := p.cfg.Queue.Stats(ctx)
	if err != nil {
		return tasks.Stats{}, fmt.Errorf("counting the tasks: %w", err)
	}
	return stats, nil
}
