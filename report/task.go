package report

import (
	"cmp"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/tasks"
)

// Task is one purchase order in report.json.
type Task struct {
	ID uuid.UUID `json:"id"`
	// PO is the canonical number. It is empty for a row without one.
	PO string `json:"po"`
	// Rows are the lines of the input that ask for this order, Raws the number
	// as written in each of them.
	Rows     []int         `json:"rows"`
	Raws     []string      `json:"raws"`
	URL      string        `json:"url"`
	Priority int           `json:"priority"`
	State    tasks.State   `json:"state"`
	Outcome  tasks.Outcome `json:"outcome"`
	// Error is why the task is not well, or nil.
	Error *Error `json:"error"`
	// Skipped says why the user left the order out.
	Skipped string `json:"skipped,omitempty"`
	// Executor is the way in which the page was read last, or empty.
	Executor string `json:"executor"`
	FellBack string `json:"fell_back,omitempty"`
	// Confirmed: two witnesses speak for the result. Proof says which, and what is lacking. Both are absent
	// unless the order has ended well.
	Confirmed *bool        `json:"confirmed,omitempty"`
	Proof     *tasks.Proof `json:"proof,omitempty"`
	// Notes are remarks on the page that change nothing.
	Notes []string `json:"notes,omitempty"`
	// Sheet is what the input says of the order; absent where it says nothing.
	Sheet tasks.Sheet `json:"sheet,omitzero"`
	// Differences are where the sheet and the portal say something else; absent where nowhere.
	Differences []compare.Difference `json:"differences,omitempty"`
	// CreatedAt is when the order was enqueued, StartedAt when its first attempt began,
	// and CompletedAt when it came to its final outcome. Each is nil where that has not
	// happened.
	CreatedAt   *time.Time             `json:"created_at"`
	StartedAt   *time.Time             `json:"started_at"`
	CompletedAt *time.Time             `json:"completed_at"`
	Folder      string                 `json:"folder"`
	Fields      map[string]tasks.Field `json:"fields"`
	Lines       []map[string]string    `json:"lines"`
	Attachments []Attachment           `json:"attachments"`
	Attempts    []Attempt              `json:"attempts"`
}

// Error says why something did not end well.
type Error struct {
	Class   tasks.Class `json:"class"`
	Message string      `json:"message"`
}

// Attachment is one document that the order's pages list. Its address is left
// out on purpose: it may carry a token.
type Attachment struct {
	Name string `json:"name"`
	// OriginalName is the file name that the server or the page gave it; Name where there was none.
	OriginalName string `json:"original_name"`
	// Path is below the session folder, with "/"; empty unless the state is done.
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	MIME   string `json:"mime"`
	// Macros: it holds programs of an Office program, which may run when it is opened there.
	Macros bool                  `json:"macros,omitempty"`
	Source string                `json:"source"`
	State  tasks.AttachmentState `json:"state"`
	Error  *Error                `json:"error"`
	// New: in a session that updates another, the order had no such bytes there. Absent where
	// there is none to update, or the document is not done.
	New *bool `json:"new,omitempty"`
	// SameAs flags bytes that an earlier order has as well; nil for the first.
	SameAs *SameAs `json:"same_as,omitempty"`
}

// Attempt is one attempt that has ended.
type Attempt struct {
	// N numbers the charged attempts, Seq all attempts of the order, both from 1.
	N        int           `json:"n"`
	Seq      int           `json:"seq"`
	Worker   string        `json:"worker"`
	Executor string        `json:"executor"`
	Outcome  tasks.Outcome `json:"outcome"`
	// Released: it was given back and is not charged.
	Released  bool               `json:"released,omitempty"`
	StartedAt *time.Time         `json:"started_at"`
	EndedAt   *time.Time         `json:"ended_at"`
	PhaseMS   map[string]float64 `json:"phase_ms"`
	Error     *AttemptError      `json:"error"`
	// RetryAt is when the task became due again, where a retry was granted.
	RetryAt  *time.Time `json:"retry_at,omitempty"`
	Evidence []string   `json:"evidence"`
}

// AttemptError says why an attempt did not end well.
type AttemptError struct {
	Class     tasks.Class `json:"class"`
	Phase     string      `json:"phase"`
	Message   string      `json:"message"`
	Retryable bool        `json:"retryable"`
}

// newTask returns the report's view of t. In a stopped session, what had begun
// and has not ended is interrupted; in one that updates another, documents may be new.
func newTask(t *tasks.ProcessingTask, stopped, updates bool) *Task {
	out := &Task{
		ID: t.ID, PO: t.PO, URL: t.URL, Priority: t.Priority,
		State: t.State, Outcome: outcomeOf(t, stopped), Skipped: t.Skipped,
		Sheet: t.Sheet, CreatedAt: stamp(t.Created), StartedAt: stamp(t.Started()), CompletedAt: stamp(t.Completed()),
		Rows: make([]int, len(t.Rows)), Raws: make([]string, len(t.Rows)),
		Fields: map[string]tasks.Field{}, Lines: []map[string]string{},
		Attachments: []Attachment{}, Attempts: make([]Attempt, len(t.History)),
	}
	for i, row := range t.Rows {
		out.Rows[i], out.Raws[i] = row.Line, row.Raw
	}
	for i := range t.History {
		out.Attempts[i] = newAttempt(&t.History[i])
		out.Attempts[i].Seq = i + 1
		if e := t.History[i].Executor; e != "" {
			out.Executor = e
		}
	}
	if t.Result != nil {
		out.addResult(t.Result)
		for i := range out.Attachments {
			if updates && out.Attachments[i].State == tasks.AttachmentDone {
				out.Attachments[i].New = &t.Result.Attachments[i].New
			}
		}
	}
	out.Error = newError(failureOf(t, out.Outcome))
	return out
}

// confirm notes what speaks for the result, or is lacking: a proof is nil where the order has not ended well.
func (t *Task) confirm(proof *tasks.Proof, confirmed bool) {
	if t.Proof = proof; proof != nil {
		t.Confirmed = &confirmed
	}
}

func (t *Task) addResult(res *tasks.Result) {
	t.FellBack, t.Folder, t.Notes = res.FellBack, res.Folder, res.Notes
	if res.Executor != "" {
		t.Executor = res.Executor
	}
	if t.URL == "" {
		t.URL = res.URL
	}
	if len(res.Fields) > 0 {
		t.Fields = res.Fields
	}
	if len(res.Lines) > 0 {
		t.Lines = res.Lines
	}
	t.Attachments = make([]Attachment, len(res.Attachments))
	for i, a := range res.Attachments {
		t.Attachments[i] = Attachment{
			Name: a.Name, OriginalName: cmp.Or(a.Original, a.Name), Path: a.Path, Size: a.Size, SHA256: a.SHA256, MIME: a.MIME, Macros: a.Macros,
			Source: a.Source, State: a.State, Error: newError(a.Error),
		}
	}
}

func newAttempt(a *tasks.Attempt) Attempt {
	out := Attempt{
		N: a.N, Worker: a.Worker, Executor: a.Executor, Outcome: a.Outcome, Released: a.Released,
		StartedAt: stamp(a.StartedAt), EndedAt: stamp(a.EndedAt), RetryAt: stamp(a.RetryAt),
		PhaseMS: make(map[string]float64, len(a.PhaseMS)), Evidence: a.Evidence,
	}
	if a.Released {
		out.Outcome = tasks.OutcomeInterrupted
	}
	for phase, ms := range a.PhaseMS {
		out.PhaseMS[phase] = round(ms)
	}
	if out.Evidence == nil {
		out.Evidence = []string{}
	}
	if f := a.Error; f != nil {
		out.Error = &AttemptError{Class: f.Class, Phase: f.Phase, Message: f.Message, Retryable: f.Retryable}
	}
	return out
}

// unwell reports whether the task has ended, and not well.
func (t *Task) unwell() bool { return t.State.Final() && !t.Outcome.Well() }

// outcomeOf returns what a task amounts to now. One that is not at its end has
// an outcome only if it is skipped, or was stopped after it had begun.
func outcomeOf(t *tasks.ProcessingTask, stopped bool) tasks.Outcome {
	switch {
	case t.State.Final():
		return t.Outcome
	case t.Outcome == tasks.OutcomeSkipped:
		return tasks.OutcomeSkipped
	case stopped && (len(t.History) > 0 || t.State != tasks.StatePending):
		return tasks.OutcomeInterrupted
	}
	return ""
}

// failureOf returns why a task is not well: its own failure, or for an
// interrupted one that of its last attempt.
func failureOf(t *tasks.ProcessingTask, outcome tasks.Outcome) *tasks.Failure {
	if t.Failure == nil && outcome == tasks.OutcomeInterrupted && len(t.History) > 0 {
		return t.History[len(t.History)-1].Error
	}
	return t.Failure
}

func newError(f *tasks.Failure) *Error {
	if f == nil {
		return nil
	}
	return &Error{Class: f.Class, Message: f.Message}
}

// stamp returns t in UTC to the millisecond, or nil for the zero time.
func stamp(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Millisecond)
	return &t
}
