package tasks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Policy decides what becomes of a task after an attempt. It is a value without
// state; After is a pure function but for its jitter.
type Policy struct {
	// Retries is how many further attempts a task gets after its first.
	Retries int
	// Backoff is the wait before the first retry; each further one waits twice
	// as long as the one before.
	Backoff time.Duration
	// MaxBackoff bounds the wait that the policy chooses itself.
	MaxBackoff time.Duration
	// MaxRetryAfter bounds the wait that a portal asks for.
	MaxRetryAfter time.Duration
	// Jitter spreads the wait: 0.2 means up to 20 % longer.
	Jitter float64
	// MaxLosses is how often a task may lose its browser before it is taken to
	// be the cause.
	MaxLosses int
	// Random returns a number in [0,1). Nil means math/rand.
	Random func() float64
}

// DefaultPolicy returns the policy that is used where nothing else is said.
func DefaultPolicy() Policy {
	return Policy{
		Retries: 2, Backoff: time.Second, MaxBackoff: time.Minute,
		MaxRetryAfter: 5 * time.Minute, Jitter: 0.2, MaxLosses: 2,
	}
}

// Validate returns an error that names the first field that is out of bounds.
func (p Policy) Validate() error {
	switch {
	case p.Retries < 0:
		return fmt.Errorf("policy: Retries is %d: it must not be negative", p.Retries)
	case p.Backoff < 0, p.MaxBackoff < 0, p.MaxRetryAfter < 0:
		return fmt.Errorf("policy: Backoff, MaxBackoff and MaxRetryAfter must not be negative")
	case p.Jitter < 0 || p.Jitter > 1:
		return fmt.Errorf("policy: Jitter is %v: it must be between 0 and 1", p.Jitter)
	case p.MaxLosses < 1:
		return fmt.Errorf("policy: MaxLosses is %d: it must be at least 1", p.MaxLosses)
	}
	return nil
}

// Decision is what becomes of a task after an attempt: it is what TaskQueue's
// Record stores.
type Decision struct {
	// To is the state in which the task comes to rest: COMPLETED or FAILED
	// where the attempt was its last, PENDING where it is retried or released.
	To State
	// Outcome of this attempt; the task's own where To is final.
	Outcome Outcome
	// Released: the attempt is not charged.
	Released bool
	// Lost: it was released because its browser was lost.
	Lost bool
	// NotBefore is when a pending task is due.
	NotBefore time.Time
	// Result is what was found, or nil.
	Result *Result
	// Failure is why the attempt did not end well, or nil.
	Failure *Failure
	// Attempt is the record of the attempt: its times, phases and evidence.
	Attempt Attempt
}

// Looks returns what the recipe's selectors met in the attempt.
func (d Decision) Looks() []Look {
	switch {
	case d.Attempt.Looks != nil:
		return d.Attempt.Looks
	case d.Result != nil && d.Result.Looks != nil:
		return d.Result.Looks
	case d.Failure != nil:
		return d.Failure.Looks
	}
	return nil
}

// After decides what becomes of a task whose attempt ended at now with a result
// or an error, which may carry Facts. The task is as it was when the attempt began. Where the
// last attempt broke, but an earlier one brought something home, the task is partial.
func (p Policy) After(task *ProcessingTask, res *Result, err error, now time.Time) Decision {
	if res == nil && err == nil {
		err = Permanent(OutcomeFailed, ClassInternal, "the attempt ended with neither a result nor an error")
	}
	d := Decision{Result: res}
	if err != nil {
		d.Failure = judge(task, AsFailure(err))
		d.Outcome = d.Failure.attemptOutcome()
	} else {
		d.Outcome = res.Outcome
		d.Failure = res.Missing
	}
	if err == nil && d.Outcome.Well() {
		return d.final(task)
	}
	f := d.Failure
	if f != nil && f.Advice == AdviceRelease {
		return p.release(task, d, now)
	}
	if f != nil && f.Advice == AdviceRetry && task.Attempts < p.Retries {
		d.To = StatePending
		d.NotBefore = now.Add(p.wait(task.Attempts, f.After))
		return d
	}
	return d.final(task)
}

// final brings the task to rest.
func (d Decision) final(task *ProcessingTask) Decision {
	if !d.Outcome.State().Final() {
		d.Outcome = OutcomeFailed // as PENDING it would begin anew for ever
	}
	broke := d.Result == nil && (d.Outcome == OutcomeFailed || d.Outcome == OutcomeTimeout)
	if broke && task.Result != nil && task.Result.Outcome == OutcomePartial {
		d.Outcome = OutcomePartial
	}
	d.To = d.Outcome.State()
	return d
}

// attemptOutcome returns what the attempt that ended so amounted to by itself.
func (d Decision) attemptOutcome() Outcome {
	if d.Outcome == OutcomePartial && d.Result == nil && d.Failure != nil {
		return d.Failure.attemptOutcome()
	}
	return d.Outcome
}

func (f *Failure) attemptOutcome() Outcome {
	if f.Outcome == "" {
		return OutcomeFailed
	}
	return f.Outcome
}

func (p Policy) release(task *ProcessingTask, d Decision, now time.Time) Decision {
	d.Lost = d.Failure.Class == ClassBrowserLost && !d.Failure.Bystander
	if d.Lost && task.Losses+1 >= p.MaxLosses {
		last := *d.Failure
		last.Retryable = false
		d.Failure = &last
		d.Outcome = OutcomeFailed
		return d.final(task)
	}
	d.To = StatePending
	d.Outcome = OutcomeInterrupted
	d.Released = true
	d.NotBefore = now.Add(d.Failure.After)
	return d
}

// wait returns how long to wait before the retry that follows failed attempts,
// given the least time that the failure asks for.
func (p Policy) wait(failed int, atLeast time.Duration) time.Duration {
	backoff := time.Duration(math.Min(float64(p.Backoff)*math.Pow(2, float64(failed)), float64(p.MaxBackoff)))
	wait := max(backoff, min(atLeast, p.MaxRetryAfter))
	random := p.Random
	if random == nil {
		random = rand.Float64
	}
	return wait + time.Duration(float64(wait)*p.Jitter*random())
}
