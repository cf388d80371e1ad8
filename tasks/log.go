package tasks

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// SessionLog remembers a session besides its tasks. Its methods may be called
// by many goroutines at once.
type SessionLog interface {
	// SaveSession stores the session's own record, whole.
	SaveSession(ctx context.Context, s Session) error
	// Session returns the record, or ErrNotFound if none was stored.
	Session(ctx context.Context) (Session, error)
	// SaveWorker stores the record of the worker with this id, whole.
	SaveWorker(ctx context.Context, w Worker) error
	// Workers returns all records, sorted by id.
	Workers(ctx context.Context) ([]Worker, error)
	// AppendEvent and AppendScaling add to the session's story.
	AppendEvent(ctx context.Context, e Event) error
	AppendScaling(ctx context.Context, s Scaling) error
	// Events and Scalings return them, oldest first.
	Events(ctx context.Context) ([]Event, error)
	Scalings(ctx context.Context) ([]Scaling, error)
}

// Session is the record of one run.
type Session struct {
	ID     uuid.UUID
	Status SessionStatus
	// Reason says why a session was interrupted or failed, or is empty.
	Reason             string
	StartedAt, EndedAt time.Time
	// Worked is the time during which it ran, in all its runs.
	Worked time.Duration
	// Version of poscrape, Chrome's name and version, the host's name.
	Version, Chrome, Host string
	// Sandbox says how Chrome's sandbox was used: "on", or why it was off.
	Sandbox string
	Workers int
	Mode    string
	// Resumed counts how often it was resumed.
	Resumed int
	Input   Input
	// Selectors are those of the recipe, in its order.
	Selectors []Selector
	// Fields are the names of the recipe's fields, in its order; nil where the recipe takes
	// whatever fields a page has.
	Fields []string
	// Update is the folder of the session that this one updates, or empty.
	Update string
	// Config is the session's configuration as JSON, enough to resume it.
	Config []byte
	// Foreign: nothing shows that this user has stored ID and Config here, and storing them does not.
	Foreign bool
	// Cleanup is what was left when the session ended.
	Cleanup Cleanup
}

// Input describes the file that the orders came from.
type Input struct {
	File string
	// Rows is how many data rows it had.
	Rows int
	// SHA256 of its bytes in lower-case hexadecimal.
	SHA256 string
	// Columns is the header row, verbatim.
	Columns []string
	// Delimiter is what stands between its cells; empty means a comma.
	Delimiter string
	// Mark: text that is written for its readers begins with a byte order mark, as
	// the input was no UTF-8 without one.
	Mark bool
	// Roles says which of the columns was taken for what: "amount" to its index.
	Roles map[string]int
	// Compare overrules which column a field is held against, see package internal/compare.
	Compare map[string]string
}

// Selector is one selector of the session's recipe.
type Selector struct {
	// Where is its path in the recipe, "attachments.item".
	Where string `json:"where"`
	// Selector is what stands there.
	Selector string `json:"selector"`
	// Kind says what it means if it meets nothing.
	Kind SelectorKind `json:"kind"`
	// Portal is that of the tasks whose recipe it is of, and Recipe what people call that; both
	// are empty where the session has only one.
	Portal string `json:"portal,omitempty"`
	Recipe string `json:"recipe,omitempty"`
}

// SelectorKind says what it means if a selector meets nothing wherever it was looked
// for.
type SelectorKind string

const (
	// SelectorWarning: it is probably wrong.
	SelectorWarning SelectorKind = "warning"
	// SelectorNote: that may well be right.
	SelectorNote SelectorKind = "note"
)

// Cleanup is what a session left behind, and how long clearing up took.
type Cleanup struct {
	BrowsersLeft, ProfilesLeft, ContainersLeft int
	Took                                       time.Duration
}

// SessionStatus says where a session stands.
type SessionStatus string

// The states of a session; its machine is in package session.
const (
	SessionInitializing SessionStatus = "INITIALIZING"
	SessionRunning      SessionStatus = "RUNNING"
	SessionPaused       SessionStatus = "PAUSED"
	SessionCompleted    SessionStatus = "COMPLETED"
	SessionFailed       SessionStatus = "FAILED"
	SessionInterrupted  SessionStatus = "INTERRUPTED"
)

// Worker is the record of one worker slot.
type Worker struct {
	ID string
	// BrowserID is that of the browser in the slot, or of the last one that was there: a
	// UUID of version 7. It is the zero UUID before the first start, and while a browser
	// is opened.
	BrowserID uuid.UUID
	// PID of its Chrome, and the profile directory; 0 and "" before the first start.
	PID     int
	Profile string
	State   string
	// Draining: it ends after its current order.
	Draining bool
	// Task is the order it works on, or empty.
	Task                    string
	Processed, Failed       int
	StartedAt, LastActivity time.Time
	Restarts                int
	Error                   string
	// MemoryBytes, CPU in processors and DiskBytes of its profile are what its
	// browser used when that was last looked at, MemoryPeakBytes the most memory
	// of any of its browsers; 0 before the first look. Memory is PSS: what
	// processes share counts once.
	MemoryBytes, MemoryPeakBytes, DiskBytes int64
	CPU                                     float64
	// Isolation is what its browser runs in, "process" or "container", or empty before the first
	// start.
	Isolation string
}

// The types of events. Scripts match on them, so a type is never renamed.
const (
	EventWorkerStarted  = "worker_started"
	EventWorkerStopped  = "worker_stopped"
	EventWorkerFailed   = "worker_failed"
	EventWorkerRecycled = "worker_recycled"
	EventWorkerMoved    = "worker_moved" // it has a browser for another portal now
	EventRealTime       = "real_time"    // a kind of pages does not bear that its clock runs ahead
	EventTabLost        = "tab_lost"     // a page took its tab with it; the browser stays, or is recycled
	EventSessionStarted = "session_started"
	EventSessionEnded   = "session_ended"
	EventSwept          = "swept"
	EventInterrupted    = "session_interrupted"
	EventPoolError      = "pool_error"
	EventScaled         = "scaled"
	EventLeaseLost      = "lease_lost"
	EventLimitExceeded  = "limit_exceeded"
	EventNotice         = "notice"
	EventWallMet        = "wall_met"        // an order's page was a sign-in page, or another wall
	EventLoggedIn       = "logged_in"       // a worker has signed in at the portal
	EventLoggedOut      = "logged_out"      // the sign-in was ended, as all orders had
	EventTrustEarned    = "trust_earned"    // pages of a kind are only fetched from now on
	EventTrustLost      = "trust_lost"      // and are not any more, or never will be
	EventBreakerOpened  = "breaker_opened"  // a host is down or refuses; its orders wait
	EventBreakerClosed  = "breaker_closed"  // it answers again
	EventBreakerGaveUp  = "breaker_gave_up" // it did not, in all the time it was given
	EventPaused         = "session_paused"  // every worker waits
	EventProvenLater    = "proven_later"    // orders have their proof now that they have no documents
	EventPortalChanged  = "portal_changed"  // what a selector meets or reads is not what it was
	EventResumed        = "session_resumed" // they go on; or another run of the session begins
)

// Event is something that happened in a session.
type Event struct {
	At     time.Time
	Type   string
	Worker string
	// BrowserID is that of the worker's browser which the event is about, or the zero
	// UUID where it is about none.
	BrowserID uuid.UUID
	Detail    string
	// Took is how long it took, for a worker's start and stop; else 0.
	Took time.Duration
}

// Scaling is one change of the number of workers.
type Scaling struct {
	At       time.Time
	From, To int
	Reason   string
	// CPU, Memory and Pressure are loads from 0.0 to 1.0 at that moment.
	// Pressure is negative where the system does not measure it.
	CPU, Memory, Pressure float64
}
