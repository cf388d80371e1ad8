package session

import (
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session/ending"
	"github.com/poscrape/poscrape/session/life"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/space"
	"github.com/poscrape/poscrape/session/story"
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

// Lacking is what orders lack that ended well and are not confirmed.
type Lacking = report.Lacking

// Compared is what came of a column of the sheet.
type Compared = report.Compared

// End is how a session ended.
type End = ending.End

// Cause says what stopped a session before it was completed. The empty Cause
// means that nothing did.
type Cause = ending.Cause

// The causes of an early end.
const (
	CauseUser        = ending.User        // interrupted by a person or a signal
	CauseEnvironment = ending.Environment // no Chrome, no disk space
	CauseLogin       = ending.Login       // signing in could not be done
	CauseBreaker     = ending.Breaker     // the portal blocks or is down
	CauseRecipe      = ending.Recipe      // the recipe has to say something else first
	CauseInternal    = ending.Internal    // an error inside poscrape
)

var (
	// ErrClosed is returned for a session that was closed or has run.
	ErrClosed = life.ErrClosed
	// ErrNotRunning is returned by Hold and Scale while the session does not run.
	ErrNotRunning = life.ErrNotRunning
)

// TransitionError is a step that a session's states do not allow.
type TransitionError = life.TransitionError

// EnvironmentError says what of this machine is in the way.
type EnvironmentError = space.EnvironmentError
