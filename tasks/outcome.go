package tasks

// Outcome says what was found of an order. The empty Outcome means that nothing
// is known yet.
type Outcome string

const (
	// OutcomeComplete: every listed document is done, every required field is there.
	OutcomeComplete Outcome = "complete"
	// OutcomePartial: something is there, and something is missing.
	OutcomePartial Outcome = "partial"
	// OutcomeNoAttachments: no document is listed, and that is proven.
	OutcomeNoAttachments Outcome = "no_attachments"
	// OutcomeNotFound: the portal says that there is no such order.
	OutcomeNotFound Outcome = "not_found"
	// OutcomeAccessDenied: the portal refuses to show the order.
	OutcomeAccessDenied Outcome = "access_denied"
	// OutcomeIdentityMismatch: the page does not show the number asked for.
	OutcomeIdentityMismatch Outcome = "identity_mismatch"
	// OutcomeSessionExpired: the login wall stands and signing in could not be done.
	OutcomeSessionExpired Outcome = "session_expired"
	// OutcomeTimeout: the attempt's time was up.
	OutcomeTimeout Outcome = "timeout"
	// OutcomeFailed: no listed document could be had, or the attempt broke.
	OutcomeFailed Outcome = "failed"
	// OutcomeInvalidInput: the row cannot be used.
	OutcomeInvalidInput Outcome = "invalid_input"
	// OutcomeSkipped: left out by the user's own choice.
	OutcomeSkipped Outcome = "skipped"
	// OutcomeInterrupted: had begun when the run stopped; the attempt does not count.
	OutcomeInterrupted Outcome = "interrupted"
)

// Outcomes lists all outcomes in the order in which reports show them.
func Outcomes() []Outcome {
	return []Outcome{
		OutcomeComplete, OutcomePartial, OutcomeNoAttachments, OutcomeNotFound,
		OutcomeAccessDenied, OutcomeIdentityMismatch, OutcomeSessionExpired,
		OutcomeTimeout, OutcomeFailed, OutcomeInvalidInput, OutcomeSkipped,
		OutcomeInterrupted,
	}
}

// Well reports whether an order with this outcome needs nobody's attention.
func (o Outcome) Well() bool {
	return o == OutcomeComplete || o == OutcomeNoAttachments || o == OutcomeSkipped
}

// State returns the state in which a task with this outcome rests.
func (o Outcome) State() State {
	switch o {
	case OutcomeComplete, OutcomePartial, OutcomeNoAttachments:
		return StateCompleted
	case OutcomeSkipped, OutcomeInterrupted, "":
		return StatePending
	}
	return StateFailed
}
