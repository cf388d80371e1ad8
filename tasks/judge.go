package tasks

import "time"

// Facts are what the pool, the worker, the breaker and the disk saw around an attempt that
// did not end well. Each says what it saw, not what follows from that, and none changes
// another's. Policy.After decides from all of them at once.
type Facts struct {
	// Host is set where the host is to blame and not the order.
	Host *HostTrouble
	// Wall is why an attempt that met a sign-in page, or another wall, does not count, or empty.
	Wall string
	// Disk says what is wrong with a disk, or with the session folder.
	Disk error
	// Ended is the limit for which the browser was ended.
	Ended error
	// Stopped is why the attempt was stopped, other than by its own time.
	Stopped error
	// Panic is what the attempt panicked with.
	Panic error
	// Late is the time that the attempt had, if that was up. Closed: the attempt
	// ignored that, and its worker was closed.
	Late   time.Duration
	Closed bool
}

// HostTrouble is what is wrong with a host.
type HostTrouble struct {
	// Text names the host and says what is wrong with it.
	Text string
	// After is how long its orders wait.
	After time.Duration
}

// WithFacts adds facts to the result or error of an attempt. A result that is well, or that
// no other attempt can improve, is returned as it is. Otherwise WithFacts returns no result,
// and the failure with the facts.
func WithFacts(res *Result, err error, facts Facts) (*Result, error) {
	var f Failure
	switch {
	case facts == Facts{}:
		return res, err
	case err != nil:
		f = *AsFailure(err)
	case res == nil || res.Outcome.Well() || res.Missing != nil && res.Missing.Advice == AdvicePermanent:
		return res, nil
	default:
		f = *Retry(ClassInternal, "what was found is not whole, and nothing says why")
		if res.Missing != nil {
			f = *res.Missing
		}
		f.PhaseMS, f.Evidence, f.Executor, f.Looks = res.PhaseMS, res.Evidence, res.Executor, res.Looks
	}
	if facts.Disk == nil {
		facts.Disk = f.Facts.Disk
	}
	if facts.Wall == "" {
		facts.Wall = f.Facts.Wall
	}
	f.Facts = facts
	return nil, &f
}

// judge returns the failure of an attempt as its facts explain it. The first case that
// applies decides:
//
//   - a host in trouble is to blame for whatever its orders meet, unless they are stopped
//   - a wall that is being dealt with says nothing of the order
//   - a permanent failure stays one
//   - the disk, which may be why the work was stopped, then a stop, a panic and a limit explain
//     whatever failed beside them
//   - time that is up explains what could be tried again
//
// A failure without facts is its own explanation.
func judge(task *ProcessingTask, f *Failure) *Failure {
	met, order := f.Facts, task.Name()
	switch {
	case met.Host != nil && met.Stopped == nil:
		judged := f.as(Release(f.Class, "%s; the attempt does not count (%s)", f.Message, met.Host.Text))
		judged.After = met.Host.After
		return judged
	case met.Wall != "":
		judged := f.as(Release(f.Class, "%s; the attempt does not count (%s)", f.Message, met.Wall))
		judged.After = f.After
		return judged
	case met.Host == nil && f.Advice == AdvicePermanent:
		return f
	case met.Disk != nil:
		return f.as(Release(ClassStorage, "%w", met.Disk))
	case met.Stopped != nil:
		return f.as(Release(ClassReleased, "the attempt at %s was interrupted: %w", order, met.Stopped))
	case met.Panic != nil:
		return f.as(Retry(ClassPanic, "the attempt at %s panicked: %w", order, met.Panic))
	case met.Ended != nil:
		return f.as(Release(ClassBrowserLost, "the browser was ended while the order was worked on: %w", met.Ended))
	case met.Late > 0 && f.Advice == AdviceRetry:
		also := ""
		if met.Closed {
			also = ", and its worker was closed"
		}
		judged := f.as(Retry(ClassTimeout, "the attempt at %s did not end within %v%s: %w", order, met.Late, also, f))
		judged.Outcome, judged.After = OutcomeTimeout, f.After
		return judged
	}
	return f
}

// as returns a failure with what is known of this attempt.
func (f *Failure) as(judged *Failure) *Failure {
	judged.Phase, judged.PhaseMS, judged.Evidence, judged.Executor, judged.Looks = f.Phase, f.PhaseMS, f.Evidence, f.Executor, f.Looks
	judged.Bystander, judged.Facts = f.Bystander, f.Facts
	if judged.Cause == nil {
		judged.Cause = f.Cause
	}
	return judged
}
