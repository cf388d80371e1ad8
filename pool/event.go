package pool

import (
	"fmt"
	"sync"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// The types of a pool's events.
const (
	EventWorkerStarted  = tasks.EventWorkerStarted  // Took: how long opening took
	EventWorkerStopped  = tasks.EventWorkerStopped  // closed as was meant; Took: how long closing took
	EventWorkerRecycled = tasks.EventWorkerRecycled // closed because it was not fit any more; Detail: why; Took
	EventWorkerFailed   = tasks.EventWorkerFailed   // Detail: not opened, lost, hung, panicked or not closed
	EventScaled         = tasks.EventScaled         // From, To; Owner and Detail of the limit that was set
	EventPoolError      = tasks.EventPoolError      // the pool is in ERROR, or failed while it stopped
	EventLeaseLost      = tasks.EventLeaseLost      // what the worker found is dropped
	EventNotice         = tasks.EventNotice         // a heartbeat that failed
	EventTaskAssigned   = "task_assigned"           // Took: what the queue needed to hand it out
	EventTaskEnded      = "task_ended"              // recorded: State, Outcome; Took: the attempt, with its recording
	EventHoldBegan      = "hold_began"              // Owner; Detail: why; Holds, with this one
	EventHoldEnded      = "hold_ended"              // Owner; Detail: what has changed; Holds: those that are left
	EventEventsLost     = "events_lost"             // OnEvent is too slow; Detail: how many are lost
)

// Event is something that happened in a pool.
type Event struct {
	At   time.Time
	Type string
	// Worker is its id, or empty for the pool itself.
	Worker string
	// Key and Order, of the task's spec, for events about a task.
	Key, Order string
	// State and Outcome of a task that has ended an attempt; PENDING: it is
	// retried or was released.
	State   tasks.State
	Outcome tasks.Outcome
	// Attempt numbers the attempt that has ended; RetryAt is when the task is due
	// again, or the zero time.
	Attempt int
	RetryAt time.Time
	// From and To are the numbers of workers, for EventScaled.
	From, To int
	// Owner of the hold that began or ended, or of the limit that was set; empty
	// where it was Scale. Holds are all that there were then, oldest first.
	Owner  string
	Holds  []Hold
	Detail string
	// Took is how long it took, or 0.
	Took time.Duration
	// Err is the error behind it, or nil.
	Err error
}

// eventBacklog is how many events wait for a slow OnEvent.
const eventBacklog = 4096

// events hands events to OnEvent, in order, without holding up who emits them.
type events struct {
	tell  func(Event)
	ready chan struct{}

	mu     sync.Mutex
	queue  []Event
	lost   int
	closed bool
}

func newEvents(tell func(Event)) *events {
	return &events{tell: tell, ready: make(chan struct{}, 1)}
}

func (e *events) emit(event Event) {
	if e.tell == nil {
		return
	}
	e.mu.Lock()
	event.At = time.Now()
	if len(e.queue) < eventBacklog {
		e.queue = append(e.queue, event)
	} else {
		e.lost++
	}
	e.mu.Unlock()
	e.wake()
}

func (e *events) wake() {
	select {
	case e.ready <- struct{}{}:
	default:
	}
}

// close lets deliver end when it has told everything.
func (e *events) close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.wake()
}

// deliver calls OnEvent until close is called and everything is told.
func (e *events) deliver() {
	for {
		batch, closed := e.next()
		for _, event := range batch {
			e.tell(event)
		}
		if closed && len(batch) == 0 {
			return
		}
		if len(batch) == 0 {
			<-e.ready
		}
	}
}

func (e *events) next() ([]Event, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	batch := e.queue
	e.queue = nil
	if e.lost > 0 {
		batch = append(batch, Event{
			At: time.Now(), Type: EventEventsLost,
			Detail: fmt.Sprintf("%d events are lost: OnEvent is too slow", e.lost),
		})
		e.lost = 0
	}
	return batch, e.closed
}

// start delivers in the background. That is one of the calls, which are waited
// for when the pool ends.
func (e *events) start(c *calls, failed func(error)) {
	if e.tell == nil {
		return
	}
	number := c.begin("OnEvent")
	go func() {
		defer c.end(number, false)
		returned := false
		defer func() {
			if !returned {
				failed(fmt.Errorf("telling an event: %w", panicked(recover())))
			}
		}()
		e.deliver()
		returned = true
	}()
}
