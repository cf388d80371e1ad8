package session

import (
	"time"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/tasks"
)

// Progress is how a session stands.
type Progress = progress.Progress

// Load is how loaded the machine is.
type Load = progress.Load

// Notice is something that a person should know.
type Notice = story.Notice

// NoticeLevel says how much a notice matters.
type NoticeLevel = story.Level

// The levels of notices.
const (
	NoticeInfo    = story.LevelInfo
	NoticeWarning = story.LevelWarning
)

// Reason is why some orders did not end well.
type Reason = report.Reason

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
	// person types to sign in, at each portal where that is needed to go on.
	Reasons []Reason
	Logins  []string
	// Warnings name what is probably wrong in the recipe: with one, orders that ended
	// well have not proven all that they say. Notes are what may well be right.
	Warnings, Notes []string
	// Differences counts the cells of the sheet that say something else than the portal.
	Differences int
	// Update is the folder of the session that was updated, or empty, and New counts the
	// documents that it did not have.
	Update string
	New    int
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
