// Package ending says how a session ends: with which status, for which cause, and whether its
// first orders show that the rest will not end well either. It does nothing about it.
package ending

import (
	"errors"
	"fmt"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session/space"
	"github.com/poscrape/poscrape/tasks"
)

// End is how a session ended.
type End struct {
	// Dir is the session folder, Files what is in it for people, by name.
	Dir   string
	Files []string
	// Status is COMPLETED, INTERRUPTED or FAILED; Cause says why not COMPLETED.
	Status tasks.SessionStatus
	Cause  Cause
	Reason string
	// Totals of all tasks.
	Total     int
	ByOutcome map[tasks.Outcome]int
	// Reasons are why orders did not end well, first what has met most of them. Logins are what a
	// person types to sign in, at each portal where that is needed to go on, and State is the file
	// that this saves to, where going on has to name it.
	Reasons []report.Reason
	Logins  []string
	State   string
	// StateFile is the file of the session's sign-in, where a setting names one.
	StateFile string
	// Sheet and Recipe are the files of the session, and Workers is how many it was given.
	Sheet, Recipe string
	// Reading are the flags that say how the sheet was read, as they are typed, each after a space.
	Reading string
	// Again are the flags that its rows need in another file, as they are typed, each after a space.
	Again   string
	Workers int
	// Warnings name what is probably wrong in the recipe: with one, orders that ended
	// well have not proven all that they say. Notes are what may well be right.
	Warnings, Notes []string
	// Confirmed counts the orders that ended well and are confirmed; Lacking is what the others that ended well
	// lack, the most first.
	Confirmed int
	Lacking   []report.Lacking
	// Strict: these others are not well enough.
	Strict bool
	// Differences counts the cells of the sheet that say something else than the portal.
	Differences int
	// Compared are the columns of the sheet that orders were held against, or should have been.
	Compared []report.Compared
	// Documents counts those that were brought home.
	Documents int
	// Update is the folder of the session that was updated, or empty, and New counts the
	// documents that it did not have.
	Update string
	New    int
	// Missing is how many documents of the report are not where it says.
	Missing int
	Cleanup tasks.Cleanup
	Took    time.Duration
}

// Well reports whether every order ended well, and its documents are there; with Strict, whether all are confirmed, too.
func (e End) Well() bool {
	if e.Status != tasks.SessionCompleted || e.Missing > 0 || e.Strict && e.Unconfirmed() > 0 {
		return false
	}
	for outcome, n := range e.ByOutcome {
		if n > 0 && !outcome.Well() {
			return false
		}
	}
	return true
}

// Unconfirmed returns how many orders ended well and are not confirmed.
func (e End) Unconfirmed() (n int) {
	for _, one := range e.Lacking {
		n += one.Orders
	}
	return n
}

// Cause says what stopped a session before it was completed. The empty Cause
// means that nothing did.
type Cause string

// The causes of an early end.
const (
	User        Cause = "user"        // interrupted by a person or a signal
	Environment Cause = "environment" // no Chrome, no disk space
	Login       Cause = "login"       // signing in could not be done
	Breaker     Cause = "breaker"     // the portal blocks or is down
	Recipe      Cause = "recipe"      // the recipe has to say something else first
	Internal    Cause = "internal"    // an error inside poscrape
)

// Facts are what is known of a session whose work has ended.
type Facts struct {
	Stats tasks.Stats
	// Work is the pool's error, Halted why this machine ended the session, and Unread why orders
	// in doubt could not be put back; each is nil where there is none.
	Work, Halted, Unread error
	// Stopped is why the session took no more orders, or empty, and Cause what kind of reason.
	Stopped string
	Cause   Cause
	// Distrusted is the error about a certificate that every order has met, or nil; Retry is what
	// a person types after mending that.
	Distrusted error
	Retry      string
}

// Judge says how the session ended.
func (f Facts) Judge() (tasks.SessionStatus, Cause, string) {
	open := f.Stats.Open()
	// An error of the pool that only says that it was stopped is none.
	stoppedOnly := f.Work == nil || errors.Is(f.Work, pool.ErrStopped)
	switch {
	case f.Unread != nil:
		return f.unread()
	case open == 0 && stoppedOnly && f.Distrusted != nil:
		return tasks.SessionCompleted, Environment, fmt.Sprintf("no order could be opened: %v; then go on with: %s", f.Distrusted, f.Retry)
	case open == 0 && stoppedOnly && f.Cause == Recipe:
		return tasks.SessionCompleted, Recipe, f.Stopped
	case open == 0 && (f.Work == nil || f.Halted != nil):
		return tasks.SessionCompleted, "", ""
	case f.Halted != nil:
		return tasks.SessionInterrupted, Environment, f.Halted.Error()
	case open == 0 && f.Stopped != "" && stoppedOnly:
		return tasks.SessionCompleted, "", ""
	case f.Stopped != "" && stoppedOnly:
		return tasks.SessionInterrupted, f.Cause, f.Stopped
	case isEnvironment(f.Work):
		return tasks.SessionInterrupted, Environment, f.Work.Error()
	case errors.Is(f.Work, pool.ErrStopped):
		return tasks.SessionInterrupted, User, "the program that ran the session ended it"
	}
	return f.failed(open)
}

// failed judges a session that nobody has ended.
func (f Facts) failed(open int) (tasks.SessionStatus, Cause, string) {
	if f.Work == nil {
		return tasks.SessionFailed, Internal, fmt.Sprintf("%d orders are open although the work has ended", open)
	}
	return tasks.SessionFailed, Internal, f.Work.Error()
}

// unread judges a session whose orders in doubt could not be put back.
func (f Facts) unread() (tasks.SessionStatus, Cause, string) {
	if space.IsStorage(f.Unread) || f.Halted != nil {
		return tasks.SessionInterrupted, Environment, f.Unread.Error()
	}
	return tasks.SessionFailed, Internal, f.Unread.Error()
}

// isEnvironment reports whether an error is this machine's, and not poscrape's.
func isEnvironment(err error) bool {
	for _, known := range []error{pool.ErrNoWorker, browser.ErrLaunch, browser.ErrNoChrome, profiles.ErrNoSpace} {
		if errors.Is(err, known) {
			return true
		}
	}
	return space.IsStorage(err)
}
