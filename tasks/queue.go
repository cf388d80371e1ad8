package tasks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

var (
	// ErrDrained is returned by Claim when no task is pending or with a worker.
	ErrDrained = errors.New("the queue is drained: no task is pending or in progress")
	// ErrLeaseLost is returned for a lease that is not valid any more: the task
	// was taken from its worker, so the worker's answer changes nothing.
	ErrLeaseLost = errors.New("the lease is lost: the task was taken from this worker")
	// ErrClosed is returned by a queue that was closed.
	ErrClosed = errors.New("the queue is closed")
	// ErrNotFound is returned where no task has the id that was asked for.
	ErrNotFound = errors.New("there is no such task")
)

// Distribution says which slot gets which task.
type Distribution string

const (
	// LoadBalanced gives the next task to whichever slot asks first.
	LoadBalanced Distribution = "load_balanced"
	// RoundRobin deals the tasks to the slots in turn.
	RoundRobin Distribution = "round_robin"
)

// TaskQueue holds the tasks of one session. A task belongs to at most one
// worker at a time, and every change of its state is kept. All methods may be
// called by many goroutines at once, and return ErrClosed after Close.
type TaskQueue interface {
	// Enqueue adds tasks. A spec whose key is there already changes nothing.
	Enqueue(ctx context.Context, specs ...Spec) (EnqueueResult, error)
	// Claim hands out up to req.Max due tasks, highest priority first, then in
	// the order in which they were enqueued: PENDING to ASSIGNED. It blocks
	// until a task is due, and returns ErrDrained when none of req.Portals is pending,
	// and none is in progress, so none can become due. It returns ctx's cause when ctx ends.
	Claim(ctx context.Context, req ClaimRequest) ([]*Lease, error)
	// Start: ASSIGNED to PROCESSING. It returns ErrLeaseLost for a lost lease.
	Start(ctx context.Context, lease *Lease) error
	// Extend is the worker's heartbeat. It returns ErrLeaseLost for a lost lease.
	Extend(ctx context.Context, lease *Lease) error
	// Record stores what became of the task: PROCESSING (or, for a released
	// one, ASSIGNED) to d.To. A retry passes through FAILED in the same
	// transaction. It returns when the record is durable, and ErrLeaseLost,
	// with nothing changed, for a lost lease.
	Record(ctx context.Context, lease *Lease, d Decision) error
	// Reap releases the tasks whose leases had no heartbeat during two calls of
	// Reap in a row, and returns how many: each call looks for a heartbeat since
	// the call before (the claim and Start are heartbeats too). The session
	// calls it at its check interval; time itself plays no part, so that a
	// machine that slept takes no lease from anyone.
	Reap(ctx context.Context) (int, error)
	// Retry puts the tasks with one of these outcomes back to PENDING with
	// fresh attempts, and returns how many: FAILED, or COMPLETED with a partial
	// outcome, or orders that were skipped. Others stay as they are, and so do those with
	// invalid input.
	Retry(ctx context.Context, outcomes ...Outcome) (int, error)
	// Reread puts the tasks with these ids back to PENDING, to be read in another
	// way, with the attempt that read them given back, and returns how many:
	// COMPLETED or FAILED ones. Others stay as they are.
	Reread(ctx context.Context, reason string, ids ...uuid.UUID) (int, error)
	// Prove gives the tasks that wait for an item on a page of this kind (see
	// ProcessingTask.Awaiting) their proof, and returns how many there were:
	// COMPLETED(partial) to COMPLETED(no_attachments). It is durable when Prove
	// returns. Where it returns an error, those that it has counted are proven.
	Prove(ctx context.Context, kind string, proof Proof) (int, error)
	// Doubt has the tasks with these ids be partial for this reason, and returns how many: COMPLETED(complete) to
	// COMPLETED(partial). Others stay as they are.
	Doubt(ctx context.Context, why *Failure, ids ...uuid.UUID) (int, error)
	// Repair puts tasks whose documents are gone, by their paths, back to PENDING with
	// fresh attempts, and returns how many: COMPLETED or FAILED ones that have such
	// documents, which count as failed until they are there again. Others stay as they
	// are.
	Repair(ctx context.Context, gone map[uuid.UUID][]string) (int, error)
	// Get returns one task, or ErrNotFound.
	Get(ctx context.Context, id uuid.UUID) (*ProcessingTask, error)
	// Each calls visit with every task, in the order in which they were
	// enqueued, until visit returns an error, which it returns.
	Each(ctx context.Context, visit func(*ProcessingTask) error) error
	// Transitions returns every change of a task's state, oldest first.
	Transitions(ctx context.Context, id uuid.UUID) ([]Transition, error)
	// Stats counts the tasks.
	Stats(ctx context.Context) (Stats, error)
	// Close ends the queue; claims that wait return ErrClosed. It may be called
	// twice.
	Close() error
}

// EnqueueResult says what Enqueue did.
type EnqueueResult struct {
	// Added is how many tasks are new, Known how many were there already.
	Added, Known int
}

// ClaimRequest says who asks for tasks.
type ClaimRequest struct {
	// Worker is the id of the worker that asks, "worker_001".
	Worker string
	// Max is the most tasks to hand out at once. 0 means 1.
	Max int
	// Sharers is how many workers share the tasks, this one included: where there
	// are not Max due tasks for each, a claim takes its even part of them, rounded
	// up. 0 means 1. RoundRobin deals the tasks evenly without it.
	Sharers int
	// Distribution: empty means LoadBalanced.
	Distribution Distribution
	// Workers lists the ids of the workers that share the tasks, in their
	// order, this one included. It is needed for RoundRobin: tasks that were
	// dealt to a worker that is not listed any more are dealt anew.
	Workers []string
	// Portals lists the portals whose tasks may be handed out, the preferred first: the
	// leases of one claim are all of the first portal that has any. Nil means that the
	// portal does not matter.
	Portals []string
}

// Validate returns an error that names the first field that is out of bounds.
func (r ClaimRequest) Validate() error {
	switch {
	case r.Worker == "":
		return errors.New("claim: Worker is empty: it must be the id of the worker that asks")
	case r.Max < 0:
		return fmt.Errorf("claim: Max is %d: it must not be negative", r.Max)
	case r.Sharers < 0:
		return fmt.Errorf("claim: Sharers is %d: it must not be negative", r.Sharers)
	case r.Distribution == RoundRobin && len(r.Workers) == 0:
		return errors.New("claim: Workers is empty: round_robin needs the ids of all workers")
	case r.Distribution != "" && r.Distribution != LoadBalanced && r.Distribution != RoundRobin:
		return fmt.Errorf("claim: Distribution is %q: it must be %q or %q", r.Distribution, LoadBalanced, RoundRobin)
	}
	return nil
}

// Reach returns how many of the due tasks have to be looked at for the request,
// for those who write a TaskQueue.
func (r ClaimRequest) Reach() int { return max(r.Max, 1) * max(r.Sharers, 1) }

// Portion returns how many of so many due tasks, counted up to Reach, the request
// may have.
func (r ClaimRequest) Portion(due int) int {
	sharers := max(r.Sharers, 1)
	return min(max(r.Max, 1), (due+sharers-1)/sharers)
}

// Lease is the right of one worker to work on one task. The fencing token
// (Attempt and Epoch) makes answers of an earlier holder recognisable.
type Lease struct {
	// Task as it was when it was claimed. The holder must not change it.
	Task *ProcessingTask
	// Worker that holds the lease.
	Worker string
	// Attempt is unique among all leases of this task.
	Attempt int64
	// Epoch is that of the queue's owner.
	Epoch int64
	// ClaimedAt is when it was handed out.
	ClaimedAt time.Time
	// ClaimTook is how long the queue needed to hand it out, the time spent in
	// waiting for a due task not counted.
	ClaimTook time.Duration
}

// Transition is one change of a task's state.
type Transition struct {
	At       time.Time `json:"at"`
	From, To State
	Outcome  Outcome
	Worker   string
	// Reason is a short text for people.
	Reason string
}

// Stats counts tasks.
type Stats struct {
	Total   int
	ByState map[State]int
	// ByOutcome leaves out the tasks of which nothing is known yet.
	ByOutcome map[Outcome]int
	// Ready are the pending tasks that are due now; skipped ones are not.
	Ready int
	// Waiting are the pending tasks whose due time has not come.
	Waiting int
	// NextDue is when the next of the waiting tasks is due; zero without one.
	NextDue time.Time
	// Portals counts the pending tasks of each portal that has any and a name.
	Portals map[string]Pending
}

// Pending counts pending tasks: those that are due now, and those that are not yet. Priority is
// the highest of those that are due, or 0 where none is.
type Pending struct{ Ready, Waiting, Priority int }

// Active returns how many tasks are with a worker.
func (s Stats) Active() int { return s.ByState[StateAssigned] + s.ByState[StateProcessing] }

// Open returns how many tasks have not ended: pending and not skipped, or with
// a worker.
func (s Stats) Open() int { return s.Ready + s.Waiting + s.Active() }
