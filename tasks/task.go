package tasks

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// ProcessingTask is one purchase order on its way from the input's rows to its
// final record.
type ProcessingTask struct {
	// ID is a UUID of version 7: unique, and sorted by the time it was made.
	ID uuid.UUID
	// Spec is what was asked for. It never changes, but that one that was skipped may be
	// asked for later.
	Spec
	State   State
	Outcome Outcome
	// Failure is why the task is not well, or nil.
	Failure *Failure
	// Result is what the attempts have brought home so far, or nil.
	Result *Result
	// Worker is the worker that holds the task now, or had it last.
	Worker string
	// Attempts counts the attempts that were charged. Released ones are not.
	Attempts int
	// Losses counts how often the task was released because its browser was lost.
	Losses int
	// History lists every ended attempt, released ones included, oldest first.
	History []Attempt
	// NotBefore is when a pending task is due. The zero time means now.
	NotBefore time.Time
	// Created, Updated are when the task was enqueued, and last moved on.
	Created, Updated time.Time
	// Foreign: nothing shows that this user has stored Result here, and storing it again does not.
	Foreign bool
}

// Started returns when the first attempt at the task began, be it one that was
// released. It returns the zero time where none has begun.
func (t *ProcessingTask) Started() time.Time {
	for i := range t.History {
		if began := t.History[i].StartedAt; !began.IsZero() {
			return began
		}
	}
	if t.State == StateProcessing {
		return t.Updated
	}
	return time.Time{}
}

// Completed returns when the task came to the final outcome that it has, or the zero
// time where it has none.
func (t *ProcessingTask) Completed() time.Time {
	if !t.State.Final() {
		return time.Time{}
	}
	return t.Updated
}

// Spec is what is asked of the queue: one order, with the input rows that it
// stands for.
type Spec struct {
	// Key makes enqueueing idempotent: a spec whose key is there already
	// changes nothing.
	Key string
	// PO is the canonical order number. It is empty for a row without one.
	PO string
	// Digits is PO without its prefix, and PO itself where it has none.
	Digits string
	// Dir is a file name that is safe on every system, made from the number,
	// and unlike that of every other task, also where case does not count.
	Dir string
	// URL is where the order is opened. It is empty where a recipe says so.
	URL string
	// Portal names the portal that the order is of, or is empty where the session has only one.
	Portal string
	// Priority: higher is claimed first.
	Priority int
	// Sheet is what the input says of the order besides.
	Sheet Sheet
	// Rows are the input rows that ask for this order, in input order.
	Rows []Row
	// Invalid says why the rows cannot be used, or is nil. Such a task is
	// enqueued as FAILED with OutcomeInvalidInput, unless it is skipped.
	Invalid *Failure
	// Skipped says why the user left the order out, or is empty. Such a task
	// stays PENDING with OutcomeSkipped, and is never claimed, until a person retries it.
	Skipped string
}

// AsWritten returns PO and Digits with the case of the letters in the first row: ids of some systems differ in it
// alone. A prefix stays canonical.
func (s Spec) AsWritten() (po, digits string) {
	if len(s.Rows) == 0 {
		return s.PO, s.Digits
	}
	digits = InCaseOf(s.Digits, s.Rows[0].Raw)
	return strings.TrimSuffix(s.PO, s.Digits) + digits, digits
}

// InCaseOf returns a canonical number, or its end, with the case of its letters in a text that ends in it as it was
// written, and as it is where the text does not.
func InCaseOf(number, text string) string {
	written := []rune(strings.Join(strings.Fields(text), ""))
	if n := utf8.RuneCountInString(number); len(written) >= n {
		written = written[len(written)-n:]
	}
	if strings.ToUpper(string(written)) == number {
		return string(written)
	}
	return number
}

// Name is what people call the task: its order's number, or its key where that has none.
func (t *ProcessingTask) Name() string { return cmp.Or(t.PO, t.Key) }

// Sheet is what the input says of an order. Each value is that of the first row that
// has one, as written there, or empty.
type Sheet struct {
	Supplier string `json:"supplier,omitempty"`
	Amount   string `json:"amount,omitempty"`
	Currency string `json:"currency,omitempty"`
	Buyer    string `json:"buyer,omitempty"`
	// Documents is how many documents the order has, where its rows say so in a column that a person named, and
	// agree; else nil.
	Documents *int `json:"documents,omitempty"`
}

// Row is one row of the input.
type Row struct {
	// Line is the number of the row's first line in its file, from 1.
	Line int `json:"line"`
	// Raw is the order number as written there.
	Raw string `json:"raw"`
	// Cells are all cells of the row, verbatim, as many as the row had.
	Cells []string `json:"cells"`
}

// Attempt is the record of one attempt that has ended.
type Attempt struct {
	// N numbers the charged attempts from 1. A released attempt bears the
	// number that the next one will bear again.
	N int `json:"n"`
	// Worker is the id of the worker that made it.
	Worker string `json:"worker"`
	// Executor is the way in which the page was read, ExecutorRender or ExecutorFetch.
	Executor string `json:"executor,omitempty"`
	// Outcome is what this attempt alone amounted to.
	Outcome Outcome `json:"outcome"`
	// Released: the attempt was not charged.
	Released  bool      `json:"released,omitempty"`
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	// PhaseMS is the wall time of each phase in milliseconds.
	PhaseMS map[string]float64 `json:"phase_ms"`
	// Error is why the attempt did not end well, or nil.
	Error *Failure `json:"error,omitempty"`
	// RetryAt is when the task became due again; absent where no retry was granted.
	RetryAt time.Time `json:"retry_at,omitzero"`
	// Evidence are paths below the session folder.
	Evidence []string `json:"evidence"`
	// Looks are what the recipe's selectors met on the order's own page. It is empty
	// where no such page was read.
	Looks []Look `json:"looks,omitempty"`
}

// The ways in which a page is read.
const (
	ExecutorRender = "render"
	ExecutorFetch  = "fetch"
)
