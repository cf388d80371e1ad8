// Package pool keeps a number of workers fit, feeds them from a task queue,
// scales them and stops them.
//
// A WorkerPool has numbered slots. Each slot opens a worker through a function
// that it was handed, claims one task after another for it, and records what
// became of each. The pool does not know what a worker is (in poscrape: a
// browser with page code on top), reads no file, measures no load and decides
// nothing about a task: that is tasks.Policy's.
//
// # States of the pool
//
//	       Start             first worker stands,          Stop, StopFetching,
//	                         or there is nothing to do     Kill
//	IDLE ---------> STARTING ----------------------> RUNNING ---------> STOPPING
//	 ^ ^               |  |                            |                 ^   |
//	 | |               |  `----------------------------|-----------------'   |
//	 | |   Stop        v   no worker can be opened,    v                     |
//	 | `------------ ERROR   or nothing can be recorded                      |
//	 `-----------------------------------------------------------------------'
//	                         everything is gone
//
// # States of a worker
//
//	                  opened          claimed
//	INITIALIZING ------------> READY ----------> PROCESSING
//	   ^  |                    | ^ |                |  |
//	   |  | not opened         | | `-- unfit        |  |
//	   |  v                    | `------------------'  |
//	   | FAILED <--------------+-------- lost, hung, panicked
//	   |  |
//	   +--+--- COMPLETED <---- from any state: shut down, drained, worn out, or
//	                           ended after its one job
//
// Draining (finish the current task, then close) is shown beside the state of a
// worker, and so are the pool's holds: while somebody holds it, it is paused, claims
// nothing, and keeps what stands.
//
// # One task
//
// A slot opens its worker first, never more workers than there are tasks, and
// then claims: so no task pays for a launch, and a failed launch is no task's
// fault. When launches keep failing, there are to be fewer workers, down to one, before
// the pool gives up. An attempt runs under its time-out while heartbeats extend the lease.
// Its result is published and recorded beside the slot's next claim, one at a
// time. A result counts when the record is durable, not before.
//
// A worker that is Roomy gets several tasks by one claim, fewer when few are left
// for all, and works on them at once. Each has its own lease, time-out and record,
// and fails alone; the worker's fitness is judged, and more is claimed, when the
// last of them has ended.
//
// # Two contexts
//
// fetch ends when no more tasks are to be taken, work when what is being done
// is to end. StopFetching ends the first, Kill both, Stop the first and in the
// end the second. Interrupted tasks are released: the attempt is not charged.
//
// Code that is called (Open, Do, Fit, Close, Publish, OnEvent) may panic, and
// may ignore its context: it is given a grace, then left behind, counted in
// Stats.Stuck, and named by Stop if it has not come back by then.
package pool
