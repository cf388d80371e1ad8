package pool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// Config is all that a WorkerPool needs. Queue, Open and Size must be set; the
// zero value of every other field stands for its default.
type Config struct {
	// Queue gives the tasks and keeps their records. The pool does not close it.
	Queue tasks.TaskQueue
	// Open opens a worker.
	Open Open
	// Size is the number of workers to begin with, at least 1.
	Size int
	// Lifetime of a worker. Default: LifetimeTransient.
	Lifetime Lifetime
	// Policy decides what becomes of a task. Default: tasks.DefaultPolicy.
	Policy tasks.Policy
	// Distribution of the tasks to the slots. Default: tasks.LoadBalanced.
	Distribution tasks.Distribution

	// TaskTimeout bounds one attempt. Default: 2 minutes.
	TaskTimeout time.Duration
	// StartTimeout bounds the opening of a worker. Default: 30 s.
	StartTimeout time.Duration
	// CloseTimeout bounds the closing of a worker. Default: 10 s.
	CloseTimeout time.Duration
	// StopTimeout is how long Stop waits for tasks in progress before it ends
	// them. Default: 30 s.
	StopTimeout time.Duration
	// RecordTimeout bounds the publishing of one result, and its recording, each,
	// also after a forced stop. Default: 30 s.
	RecordTimeout time.Duration
	// Grace is how long a call may go on after its context has ended before it
	// is left behind and its worker is closed. Default: 5 s.
	Grace time.Duration
	// Heartbeat is how often a lease is extended. Default: 10 s.
	Heartbeat time.Duration
	// Poll is how long slots that wait for work, and that nobody wakes, leave the queue alone at first.
	// That doubles, up to MaxPoll. Defaults: 1 s and 30 s.
	Poll, MaxPoll time.Duration

	// Publish puts what an attempt brought home in its final place. It is called
	// with every result that came without an error, when the lease has just been
	// extended and before the record is written. An error becomes the failure of
	// the attempt, whose result is then dropped. It must return soon after ctx
	// ends. Nil: there is nothing to publish.
	Publish func(ctx context.Context, lease *tasks.Lease, result *tasks.Result) error
	// Settled is told, once for each result that Publish put in its place, whether
	// it was recorded; it was not where the lease was lost or the queue failed. It
	// is called before the slot records another, and must return soon. Nil: nobody
	// is told.
	Settled func(lease *tasks.Lease, result *tasks.Result, recorded bool)
	// OnEvent is told what happens, in order, by one goroutine. It does not hold
	// up the work: up to 4096 events wait for it, further ones are lost, and an
	// event of type EventEventsLost says how many. All have been told when Stop
	// returns, so OnEvent must not call Stop or Wait. Nil: nobody is told.
	OnEvent func(Event)
	// Drained is asked, by one slot at a time, when the queue has no task left: it may put
	// some back, and reports whether there are more. Nil: there are none.
	Drained func(ctx context.Context) (more bool, err error)
	// HeadStart is how long, from the start on, the first worker is alone: no other
	// is opened before its first attempt has ended, or its launch has failed, or
	// that time is up. Where processors are few, workers that are being opened keep
	// the one that stands from its first task. 0, the default: all are opened at once.
	HeadStart time.Duration
	// MaxLaunchFailures is how many launches may fail in a row, over all slots,
	// before the pool goes to ERROR, provided that no worker stands. Before that it
	// goes on with fewer workers, down to one: half of them, but not fewer than
	// stand, whenever as many launches have failed in a row as workers are wanted.
	// When none has failed for twice MaxLaunchBackoff, one more is tried. Default:
	// twice Size, at least 5.
	MaxLaunchFailures int
	// LaunchBackoff is how long a slot waits after its first failed launch; it
	// doubles with each further one up to MaxLaunchBackoff, and up to 20 % are
	// added at random. Defaults: 500 ms and 30 s.
	LaunchBackoff, MaxLaunchBackoff time.Duration
	// Weigh returns what the worker of each slot weighs, such as its memory: of busy workers,
	// or of idle ones, the heaviest is taken away first. Nil: all weigh the same.
	Weigh func() map[string]int64
	// KeepResults keeps the ids of ended tasks for Result and TryResult, 16
	// bytes for each until it is read.
	KeepResults bool
}

// Validate returns an error that names the first field that is out of bounds.
func (c Config) Validate() error {
	switch {
	case c.Queue == nil:
		return errors.New("pool: Queue is nil: tasks must come from somewhere")
	case c.Open == nil:
		return errors.New("pool: Open is nil: workers must come from somewhere")
	case c.Size < 1:
		return fmt.Errorf("pool: Size is %d: %w", c.Size, ErrSize)
	case c.Lifetime != "" && c.Lifetime != LifetimeTransient && c.Lifetime != LifetimeReusable:
		return fmt.Errorf("pool: Lifetime is %q: it must be %q or %q", c.Lifetime, LifetimeTransient, LifetimeReusable)
	case c.Distribution != "" && c.Distribution != tasks.LoadBalanced && c.Distribution != tasks.RoundRobin:
		return fmt.Errorf("pool: Distribution is %q: it must be %q or %q", c.Distribution, tasks.LoadBalanced, tasks.RoundRobin)
	case c.MaxLaunchFailures < 0:
		return fmt.Errorf("pool: MaxLaunchFailures is %d: it must not be negative", c.MaxLaunchFailures)
	}
	for _, d := range c.durations() {
		if *d.value < 0 {
			return fmt.Errorf("pool: %s is %v: it must not be negative", d.name, *d.value)
		}
	}
	if !policyUnset(c.Policy) {
		if err := c.Policy.Validate(); err != nil {
			return fmt.Errorf("pool: Policy: %w", err)
		}
	}
	return nil
}

// withDefaults returns c with every unset field set.
func (c Config) withDefaults() Config {
	for _, d := range c.durations() {
		if *d.value == 0 {
			*d.value = d.standard
		}
	}
	if c.Lifetime == "" {
		c.Lifetime = LifetimeTransient
	}
	if c.Distribution == "" {
		c.Distribution = tasks.LoadBalanced
	}
	if policyUnset(c.Policy) {
		c.Policy = tasks.DefaultPolicy()
	}
	if c.MaxLaunchFailures == 0 {
		c.MaxLaunchFailures = max(5, 2*c.Size)
	}
	return c
}

type durationField struct {
	name     string
	value    *time.Duration
	standard time.Duration
}

func (c *Config) durations() []durationField {
	return []durationField{
		{"TaskTimeout", &c.TaskTimeout, 2 * time.Minute},
		{"StartTimeout", &c.StartTimeout, 30 * time.Second},
		{"CloseTimeout", &c.CloseTimeout, 10 * time.Second},
		{"StopTimeout", &c.StopTimeout, 30 * time.Second},
		{"RecordTimeout", &c.RecordTimeout, 30 * time.Second},
		{"Grace", &c.Grace, 5 * time.Second},
		{"Heartbeat", &c.Heartbeat, 10 * time.Second},
		{"Poll", &c.Poll, time.Second},
		{"MaxPoll", &c.MaxPoll, 30 * time.Second},
		{"HeadStart", &c.HeadStart, 0},
		{"LaunchBackoff", &c.LaunchBackoff, 500 * time.Millisecond},
		{"MaxLaunchBackoff", &c.MaxLaunchBackoff, 30 * time.Second},
	}
}

func policyUnset(p tasks.Policy) bool {
	return p.Retries == 0 && p.Backoff == 0 && p.MaxBackoff == 0 && p.MaxRetryAfter == 0 &&
		p.Jitter == 0 && p.MaxLosses == 0 && p.Random == nil
}
