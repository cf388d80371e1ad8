package tasks

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// The methods in this file are the steps of a task's life. Every TaskQueue moves
// its tasks by them alone, so that the rules are written once; each returns the
// transitions that the queue has to store beside the task.

// NewTask returns the task that a spec asks for: FAILED at once for an invalid
// spec that is not skipped, PENDING for every other.
func NewTask(spec Spec, now time.Time) (*ProcessingTask, []Transition, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, nil, fmt.Errorf("making an id for the task %q: %w", spec.Key, err)
	}
	t := &ProcessingTask{ID: id, Spec: spec, State: StatePending, Created: now, Updated: now}
	switch {
	case spec.Skipped != "":
		t.Outcome = OutcomeSkipped
	case spec.Invalid != nil:
		made, err := t.refuse(now)
		if err != nil {
			return nil, nil, err
		}
		return t, []Transition{made}, nil
	}
	return t, nil, nil
}

// refuse ends a task whose rows cannot be used: PENDING to FAILED.
func (t *ProcessingTask) refuse(now time.Time) (Transition, error) {
	made, err := t.step(StateFailed, OutcomeInvalidInput, t.Invalid.Message, now)
	if err != nil {
		return Transition{}, err
	}
	t.Outcome, t.Failure = OutcomeInvalidInput, t.Invalid
	return made, nil
}

// Claimable reports whether a worker may claim the task, now or when it is due.
func (t *ProcessingTask) Claimable() bool {
	return t.State == StatePending && t.Skipped == ""
}

// Active reports whether a worker holds the task.
func (t *ProcessingTask) Active() bool {
	return t.State == StateAssigned || t.State == StateProcessing
}

// Retryable reports whether a person may put the task back: it is FAILED, but
// not for its input, COMPLETED with a partial outcome, or an order that was skipped, or a
// row that cannot be used and was.
func (t *ProcessingTask) Retryable() bool {
	switch t.State {
	case StateCompleted:
		return t.Outcome == OutcomePartial
	case StatePending:
		return t.Skipped != "" && (t.PO != "" || t.Invalid != nil)
	}
	return t.State == StateFailed && t.Invalid == nil
}

// Assign gives the task to a worker: PENDING to ASSIGNED.
func (t *ProcessingTask) Assign(worker string, now time.Time) (Transition, error) {
	made, err := t.step(StateAssigned, "", "claimed", now)
	if err != nil {
		return Transition{}, err
	}
	t.Worker, made.Worker = worker, worker
	t.NotBefore = time.Time{}
	return made, nil
}

// Begin starts an attempt: ASSIGNED to PROCESSING.
func (t *ProcessingTask) Begin(now time.Time) (Transition, error) {
	made, err := t.step(StateProcessing, "", "started", now)
	if err != nil {
		return Transition{}, err
	}
	t.Outcome = ""
	return made, nil
}

// Again puts a task back that a person wants retried, with fresh attempts. What
// the earlier attempts brought home, and their history, stay. One that was skipped is so no more;
// if its rows cannot be used, it is FAILED.
func (t *ProcessingTask) Again(now time.Time) (Transition, error) {
	switch {
	case !t.Retryable():
		return Transition{}, &TransitionError{From: t.State, To: StatePending}
	case t.Skipped != "":
		t.Skipped, t.Outcome, t.Updated = "", "", now
		if t.Invalid != nil {
			return t.refuse(now)
		}
		return Transition{At: now, From: t.State, To: t.State, Reason: "retried on request, after it was skipped"}, nil
	}
	return t.afresh("retried on request", now)
}

// Confirm puts a task back that ended well, to be read again with fresh attempts as it is not confirmed: COMPLETED
// to PENDING. What the earlier attempts brought home, and their history, stay.
func (t *ProcessingTask) Confirm(now time.Time) (Transition, error) {
	if !t.Confirmable() {
		return Transition{}, &TransitionError{From: t.State, To: StatePending}
	}
	return t.afresh("retried on request, as it was not confirmed", now)
}

// Confirmable reports whether the task has ended well.
func (t *ProcessingTask) Confirmable() bool { return t.State == StateCompleted && t.Outcome.Well() }

// afresh puts a task back with fresh attempts.
func (t *ProcessingTask) afresh(reason string, now time.Time) (Transition, error) {
	made, err := t.step(StatePending, "", reason, now)
	if err != nil {
		return Transition{}, err
	}
	t.Outcome, t.Failure, t.NotBefore = "", nil, time.Time{}
	t.Attempts, t.Losses = 0, 0
	return made, nil
}

// Reread puts a task back whose page has to be read again, as how it was read
// turned out not to be trustworthy: COMPLETED or FAILED to PENDING. The attempt that
// read it is given back. What the earlier attempts brought home, and their history,
// stay.
func (t *ProcessingTask) Reread(reason string, now time.Time) (Transition, error) {
	if !t.State.Final() || t.Invalid != nil {
		return Transition{}, &TransitionError{From: t.State, To: StatePending}
	}
	made, err := t.step(StatePending, "", "read again: "+reason, now)
	if err != nil {
		return Transition{}, err
	}
	t.Outcome, t.Failure, t.NotBefore = "", nil, time.Time{}
	t.Attempts = max(0, t.Attempts-1)
	t.History = slices.Clone(t.History)
	for i := len(t.History) - 1; i >= 0; i-- {
		if !t.History[i].Released {
			t.History[i].Released = true
			break
		}
	}
	return made, nil
}

// Awaiting returns the kind of address whose pages have to show an item before the
// task is no_attachments, or "". It is "" too where a later attempt has broken since:
// that one leaves more in doubt than the item.
func (t *ProcessingTask) Awaiting() string {
	if t.State != StateCompleted || t.Outcome != OutcomePartial || t.Result == nil || !t.Result.AwaitsItem {
		return ""
	}
	if n := len(t.History); n > 0 && t.History[n-1].Outcome != OutcomePartial {
		return ""
	}
	return t.Result.Kind
}

// Prove gives a task the proof that it has been waiting for: COMPLETED with the
// outcome partial becomes COMPLETED with no_attachments. The attempts stay as they
// were recorded. A task that does not wait for a proof is a *TransitionError.
func (t *ProcessingTask) Prove(proof Proof, now time.Time) (Transition, error) {
	if t.Awaiting() == "" {
		return Transition{}, &TransitionError{From: t.State, To: StateCompleted}
	}
	proven := *t.Result
	proven.Outcome, proven.Proof, proven.Missing, proven.AwaitsItem = OutcomeNoAttachments, &proof, nil, false
	t.Result, t.Outcome, t.Failure, t.Updated = &proven, OutcomeNoAttachments, nil, now
	return Transition{
		At: now, From: t.State, To: t.State, Outcome: t.Outcome, Worker: t.Worker, Reason: "proven later: " + proof.Text,
	}, nil
}

// Doubtable reports whether the task can be doubted: it is COMPLETED with the outcome complete.
func (t *ProcessingTask) Doubtable() bool {
	return t.State == StateCompleted && t.Outcome == OutcomeComplete && t.Result != nil
}

// Doubt has a task be partial after all, for what other tasks have shown since: COMPLETED with the outcome complete
// becomes COMPLETED with partial. The attempts stay as they were recorded.
func (t *ProcessingTask) Doubt(why *Failure, now time.Time) (Transition, error) {
	if !t.Doubtable() {
		return Transition{}, &TransitionError{From: t.State, To: StateCompleted}
	}
	doubted := *t.Result
	doubted.Outcome, doubted.Proof, doubted.Missing = OutcomePartial, nil, why
	t.Result, t.Outcome, t.Failure, t.Updated = &doubted, OutcomePartial, why, now
	return Transition{At: now, From: t.State, To: t.State, Outcome: t.Outcome, Worker: t.Worker, Reason: "doubted later: " + why.Message}, nil
}

// Repair puts a task back whose documents at these paths are gone, with fresh attempts:
// COMPLETED or FAILED to PENDING. In its result they have failed until they are there
// again; what else the earlier attempts brought home, and their history, stay.
func (t *ProcessingTask) Repair(gone []string, now time.Time) (Transition, error) {
	if !t.Repairable(gone) {
		return Transition{}, &TransitionError{From: t.State, To: StatePending}
	}
	made, err := t.step(StatePending, "", fmt.Sprintf("%d of its documents are gone", len(gone)), now)
	if err != nil {
		return Transition{}, err
	}
	result := *t.Result
	result.Attachments = slices.Clone(result.Attachments)
	result.Outcome = OutcomeFailed
	for i := range result.Attachments {
		doc := &result.Attachments[i]
		switch {
		case doc.State != AttachmentDone:
		case slices.Contains(gone, doc.Path):
			doc.State, doc.Path = AttachmentFailed, ""
			doc.Error = Retry(ClassAttachment, "its file was gone from the session folder, or had changed")
		default:
			result.Outcome = OutcomePartial
		}
	}
	t.Result = &result
	t.Outcome, t.Failure, t.NotBefore = "", nil, time.Time{}
	t.Attempts, t.Losses = 0, 0
	return made, nil
}

// Repairable reports whether the task has ended, with one of the documents at these paths.
func (t *ProcessingTask) Repairable(gone []string) bool {
	return t.State.Final() && t.Result != nil && slices.ContainsFunc(t.Result.Attachments, func(doc Attachment) bool {
		return doc.State == AttachmentDone && slices.Contains(gone, doc.Path)
	})
}

// Apply does what was decided after an attempt: it moves the task to d.To, and
// adds the attempt to its history, its number, outcome, error and next due time
// filled in. A retry passes through FAILED. A released attempt is not charged;
// one that had not begun leaves no history. A decision without a result leaves
// the earlier one. A step that the task's state does not allow is a
// *TransitionError, and changes nothing.
func (t *ProcessingTask) Apply(d Decision, now time.Time) ([]Transition, error) {
	next := *t
	next.History = slices.Clone(t.History)
	began := t.State == StateProcessing || !d.Attempt.StartedAt.IsZero()
	made, err := next.follow(d, now)
	if err != nil {
		return nil, err
	}
	if began {
		next.History = append(next.History, t.ended(d, now))
	}
	if !d.Released {
		next.Attempts++
	}
	if d.Lost {
		next.Losses++
	}
	if d.Result != nil {
		next.Result = d.Result
	}
	next.NotBefore = time.Time{}
	switch {
	case d.To.Final():
		next.Outcome, next.Failure = d.Outcome, d.Failure
		if d.Outcome.Well() {
			next.Failure = nil
		}
	case d.Released:
		next.NotBefore = d.NotBefore
		if began {
			next.Outcome = d.Outcome
		}
	default:
		next.NotBefore = d.NotBefore
		next.Outcome, next.Failure = "", d.Failure
	}
	*t = next
	return made, nil
}

// Lapse returns the decision for a task whose worker is lost to the queue: it is
// due again at once, and the attempt, which ended at the given time, is not
// charged.
func (t *ProcessingTask) Lapse(ended time.Time, reason string) Decision {
	d := Decision{
		To: StatePending, Outcome: OutcomeInterrupted, Released: true,
		Failure: Release(ClassReleased, "%s", reason),
	}
	if t.State == StateProcessing {
		d.Attempt = Attempt{Worker: t.Worker, StartedAt: t.Updated, EndedAt: ended}
	}
	return d
}

// follow moves the task through the states that lead to d.To.
func (t *ProcessingTask) follow(d Decision, now time.Time) ([]Transition, error) {
	reason := string(d.Outcome)
	if d.Failure != nil {
		reason = d.Failure.Message
	}
	if d.To != StatePending && !d.To.Final() {
		return nil, &TransitionError{From: t.State, To: d.To}
	}
	if d.To.Final() || d.Released {
		made, err := t.step(d.To, d.Outcome, reason, now)
		return []Transition{made}, err
	}
	failed, err := t.step(StateFailed, d.Outcome, reason, now)
	if err != nil {
		return nil, err
	}
	again, err := t.step(StatePending, "", "retried by the policy", now)
	return []Transition{failed, again}, err
}

func (t *ProcessingTask) step(next State, o Outcome, reason string, now time.Time) (Transition, error) {
	made := Transition{At: now, From: t.State, To: next, Outcome: o, Worker: t.Worker, Reason: reason}
	if err := t.Become(next); err != nil {
		return Transition{}, err
	}
	t.Updated = now
	return made, nil
}

// ended returns the record of the attempt that d ends. The task is as it was
// during the attempt.
func (t *ProcessingTask) ended(d Decision, now time.Time) Attempt {
	a := d.Attempt
	a.N = 1
	for _, earlier := range t.History {
		if !earlier.Released {
			a.N++
		}
	}
	a.Outcome, a.Released, a.Error = d.attemptOutcome(), d.Released, d.Failure
	if d.To == StatePending {
		a.RetryAt = d.NotBefore
	}
	if a.Worker == "" {
		a.Worker = t.Worker
	}
	if a.StartedAt.IsZero() {
		a.StartedAt = t.Updated
	}
	if a.EndedAt.IsZero() {
		a.EndedAt = now
	}
	a.fill(d)
	return a
}

// fill copies from the result or the failure what the recorder left out.
func (a *Attempt) fill(d Decision) {
	a.Looks = d.Looks()
	if r := d.Result; r != nil {
		if a.Executor == "" {
			a.Executor = r.Executor
		}
		if a.PhaseMS == nil {
			a.PhaseMS = r.PhaseMS
		}
		if a.Evidence == nil {
			a.Evidence = r.Evidence
		}
	}
	if f := d.Failure; f != nil {
		if a.PhaseMS == nil {
			a.PhaseMS = f.PhaseMS
		}
		if a.Evidence == nil {
			a.Evidence = f.Evidence
		}
	}
}
