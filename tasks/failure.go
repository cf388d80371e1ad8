package tasks

import (
	"errors"
	"fmt"
	"time"
)

// Class names a kind of failure. Scripts match on it, so a class is never renamed.
type Class string

// The classes of failures.
const (
	ClassInvalidInput   Class = "invalid_input"   // the row cannot be used
	ClassNavigation     Class = "navigation"      // the page could not be reached
	ClassCertificate    Class = "certificate"     // the portal's certificate is not trusted, or it asks for one
	ClassHTTPStatus     Class = "http_status"     // the portal answered with an error status
	ClassThrottled      Class = "throttled"       // the portal asks to wait
	ClassNotFound       Class = "not_found"       // the portal has no such order
	ClassAccessDenied   Class = "access_denied"   // the portal refuses
	ClassIdentity       Class = "identity"        // the page shows another order, or none
	ClassLogin          Class = "login"           // the page is a login wall
	ClassStep           Class = "step"            // a step of the recipe could not be done
	ClassSearch         Class = "search"          // the portal's search did not lead to the order
	ClassWall           Class = "wall"            // the page asks for something else before it shows the order
	ClassNotReady       Class = "not_ready"       // the ready rule was not met in its time
	ClassTimeout        Class = "timeout"         // the attempt's time was up
	ClassMissingField   Class = "missing_field"   // a required field is not on the page
	ClassUnproven       Class = "unproven"        // no documents, and no proof that there are none
	ClassIncomplete     Class = "incomplete"      // the page says that there are more documents
	ClassPage           Class = "page"            // the page's own scripts broke the reading
	ClassPageIncomplete Class = "page_incomplete" // a part of the page could not be loaded
	ClassUnsettled      Class = "unsettled"       // the page never came to rest
	ClassPortalError    Class = "portal_error"    // the page is an error or a maintenance notice
	ClassNotClicked     Class = "not_clicked"     // a document's control says that it does more than show it
	ClassNotYet         Class = "not_yet"         // the portal lists a document, and has not made it yet
	ClassAttachment     Class = "attachment"      // a document could not be had
	ClassEmptyFile      Class = "empty_file"      // a document without a byte
	ClassWrongSize      Class = "wrong_size"      // fewer or more bytes than announced
	ClassWrongType      Class = "wrong_type"      // an HTML page in place of a document
	ClassHost           Class = "host"            // an address on a host that the recipe does not allow
	ClassLimit          Class = "limit"           // over one of the recipe's limits
	ClassRendererCrash  Class = "renderer_crash"  // the page's process died
	ClassBrowserLost    Class = "browser_lost"    // the browser died or was taken away
	ClassStorage        Class = "storage"         // a file could not be written
	ClassPanic          Class = "panic"           // a bug: the attempt panicked
	ClassReleased       Class = "released"        // the worker had to give the task back
	ClassInternal       Class = "internal"        // a bug
)

// Advice is what an error asks to be done with its task.
type Advice string

const (
	// AdviceRetry: try again, after the policy's back-off or After, whichever is longer.
	AdviceRetry Advice = "retry"
	// AdvicePermanent: trying again would change nothing.
	AdvicePermanent Advice = "permanent"
	// AdviceRelease: it was not the task's fault; the attempt is given back.
	AdviceRelease Advice = "release"
)

// Setting is what the settings of a session can have wrong for all its orders.
type Setting string

// The settings that can be.
const (
	SettingName        Setting = "name"        // the host's name is not known
	SettingProxy       Setting = "proxy"       // the proxy cannot be used
	SettingCertificate Setting = "certificate" // the certificate is not trusted
)

// The phases of an attempt, as they appear in phase_ms and in failures.
const (
	PhaseOpen     = "open"
	PhaseFetch    = "fetch"
	PhaseSettle   = "settle"
	PhaseDownload = "download"
)

// Failure says why something did not end well, and what should happen next. It
// is an error: what an attempt returns is a *Failure, or is treated as one by
// AsFailure.
type Failure struct {
	Class Class `json:"class"`
	// Phase is the phase of the attempt in which it happened, or empty.
	Phase string `json:"phase,omitempty"`
	// Message says what happened, to what, and what to do next.
	Message string `json:"message"`
	// Retryable: another attempt may end better.
	Retryable bool `json:"retryable"`
	// Advice is what should happen next. It is not stored.
	Advice Advice `json:"-"`
	// After is the least time to wait before a retry. It is not stored.
	After time.Duration `json:"-"`
	// Outcome is what the task amounts to if this is the last word. The empty
	// Outcome means OutcomeFailed. It is not stored.
	Outcome Outcome `json:"-"`
	// Evidence are paths below the session folder. They are stored with the attempt.
	Evidence []string `json:"-"`
	// Executor is the way in which the page was being read. It is stored with
	// the attempt.
	Executor string `json:"-"`
	// Looks are what the recipe's selectors met on the order's own page, if that was
	// read. They are stored with the attempt.
	Looks []Look `json:"-"`
	// PhaseMS is how long each phase took until then. It is stored with the attempt.
	PhaseMS map[string]float64 `json:"-"`
	// Bystander: the browser was lost while it worked on other tasks too, so it is
	// not known whose fault that was. It is not stored.
	Bystander bool `json:"-"`
	// Unreached: the order's host gave no answer at all. Seen says in a few words what was
	// seen of the host in its place, "connection refused". They are not stored.
	Unreached bool   `json:"-"`
	Seen      string `json:"-"`
	// Setting is what of the session's settings may be wrong. It is not stored.
	Setting Setting `json:"-"`
	// SignIn: it was met while signing in, without which no order of the host can be opened. It is not stored.
	SignIn bool `json:"-"`
	// Facts are what else was seen around the attempt. They are not stored.
	Facts Facts `json:"-"`
	// Cause is the error behind it, or nil. It is not stored.
	Cause error `json:"-"`
}

func (f *Failure) Error() string { return f.Message }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Cause }

// Retry returns a failure that another attempt may overcome.
func Retry(class Class, format string, args ...any) *Failure {
	return newFailure(AdviceRetry, class, format, args)
}

// Permanent returns a failure that no other attempt can overcome, and the
// outcome that it amounts to.
func Permanent(outcome Outcome, class Class, format string, args ...any) *Failure {
	f := newFailure(AdvicePermanent, class, format, args)
	f.Outcome = outcome
	return f
}

// Release returns a failure that is not the task's fault: the task goes back to
// the queue and its attempt is not charged.
func Release(class Class, format string, args ...any) *Failure {
	return newFailure(AdviceRelease, class, format, args)
}

func newFailure(advice Advice, class Class, format string, args []any) *Failure {
	err := fmt.Errorf(format, args...)
	return &Failure{
		Class: class, Message: err.Error(), Cause: errors.Unwrap(err),
		Advice: advice, Retryable: advice != AdvicePermanent,
	}
}

// AsFailure returns the *Failure in err's chain, or a retryable one of class
// internal that wraps err. It returns nil for nil.
func AsFailure(err error) *Failure {
	if err == nil {
		return nil
	}
	var f *Failure
	if errors.As(err, &f) && f != nil {
		return f
	}
	return Retry(ClassInternal, "%w", err)
}
