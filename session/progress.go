package session

import (
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// Progress is how a session stands.
type Progress struct {
	At     time.Time
	Status tasks.SessionStatus
	// Total tasks, and how many of them have ended: Done = Well + NotWell.
	Total, Done, Well, NotWell int
	// Pending tasks wait, Active ones are with a worker; Skipped were left out.
	Pending, Active, Skipped int
	// Wanted workers are those that were asked for; how many run, and how many of
	// those work on an order.
	Wanted, Running, Busy int
	// Pool is what this run's pool has done since it was made; zero before Run.
	Pool pool.History
	// RatePerMinute is how many tasks ended per minute, lately.
	RatePerMinute float64
	// ETA is how long the rest will take at that rate, or -1 while nothing is known.
	ETA time.Duration
	// Holds are the reasons why the session is paused, oldest first. It goes on when
	// there are none.
	Holds []Hold
	// Reason says in one sentence why fewer workers run than wanted, or why the
	// session is paused or stopping, or is empty.
	Reason string
}

// NoticeLevel says how much a notice matters.
type NoticeLevel string

// The levels of notices.
const (
	NoticeInfo    NoticeLevel = "info"
	NoticeWarning NoticeLevel = "warning"
)

// Notice is something that a person should know.
type Notice struct {
	Level   NoticeLevel
	Message string
}

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
	// Warnings name what is probably wrong in the recipe: with one, orders that ended
	// well have not proven all that they say. Notes are what may well be right.
	Warnings, Notes []string
	// Missing is how many documents of the report are not where it says.
	Missing int
	Cleanup tasks.Cleanup
	Took    time.Duration
}

// Cause says what stopped a session before it was completed. The empty Cause
// means that nothing did.
type Cause string

// The causes of an early end.
const (
	CauseUser        Cause = "user"        // interrupted by a person or a signal
	CauseEnvironment Cause = "environment" // no Chrome, no disk space
	CauseLogin       Cause = "login"       // signing in could not be done
	CauseBreaker     Cause = "breaker"     // the portal blocks or is down
	CauseInternal    Cause = "internal"    // an error inside poscrape
)

// Well reports whether every order ended well, and its documents are there.
func (e End) Well() bool {
	if e.Status != tasks.SessionCompleted || e.Missing > 0 {
		return false
	}
	for outcome, n := range e.ByOutcome {
		if n > 0 && !outcome.Well() {
			return false
		}
	}
	return true
}
