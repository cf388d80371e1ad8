package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// jsonEvery is how often a line of progress is written at most.
const jsonEvery = time.Second

// jsonView writes one JSON object a line to standard output, and nothing else.
// The lines of the log go to standard error.
type jsonView struct {
	out, err        io.Writer
	progress, quiet bool

	newest  session.Progress
	waiting bool
	lineAt  time.Time
}

// progressMessage is a line of progress. Durations are milliseconds.
type progressMessage struct {
	MessageType string              `json:"message_type"`
	At          time.Time           `json:"at"`
	Status      tasks.SessionStatus `json:"status"`
	Total       int                 `json:"total"`
	Done        int                 `json:"done"`
	Well        int                 `json:"well"`
	NotWell     int                 `json:"not_well"`
	Pending     int                 `json:"pending"`
	Active      int                 `json:"active"`
	Skipped     int                 `json:"skipped"`
	Workers     workersMessage      `json:"workers"`
	PerMinute   float64             `json:"rate_per_minute"`
	// ETAMS is null while nothing is known.
	ETAMS  *int64 `json:"eta_ms"`
	Reason string `json:"reason"`
	// Holds say who keeps the session paused.
	Holds []holdMessage `json:"holds"`
	// Load is null while it is not known.
	Load *loadMessage `json:"load"`
}

// loadMessage is how loaded the machine is, as shares of 1. Pressure is null where the system
// does not measure it.
type loadMessage struct {
	CPU      float64  `json:"cpu"`
	Memory   float64  `json:"memory"`
	Pressure *float64 `json:"pressure"`
}

type holdMessage struct {
	Owner  string    `json:"owner"`
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
}

type workersMessage struct {
	Wanted  int `json:"wanted"`
	Running int `json:"running"`
	Busy    int `json:"busy"`
	Idle    int `json:"idle"`
}

type noticeMessage struct {
	MessageType string              `json:"message_type"`
	Level       session.NoticeLevel `json:"level"`
	Message     string              `json:"message"`
}

// lackingMessage is what orders that ended well lack to be confirmed.
type lackingMessage struct {
	Lacks  string `json:"lacks"`
	Orders int    `json:"orders"`
	Advice string `json:"advice"`
}

// summaryMessage is the last line.
type summaryMessage struct {
	MessageType string                `json:"message_type"`
	Dir         string                `json:"dir"`
	Files       []string              `json:"files"`
	Status      tasks.SessionStatus   `json:"status"`
	Cause       session.Cause         `json:"cause"`
	Reason      string                `json:"reason"`
	Total       int                   `json:"total"`
	ByOutcome   map[tasks.Outcome]int `json:"by_outcome"`
	Warnings    []string              `json:"warnings"`
	Notes       []string              `json:"notes"`
	// Confirmed and Listed count the orders that ended well and are confirmed, or are not; Lacking says what the
	// latter lack.
	Confirmed   int                `json:"confirmed"`
	Listed      int                `json:"listed"`
	Lacking     []lackingMessage   `json:"lacking"`
	Documents   int                `json:"documents"`
	Differences int                `json:"differences"`
	Compared    []session.Compared `json:"compared"`
	// NewDocuments counts those that the session that was updated did not have; absent where
	// none was.
	NewDocuments *int            `json:"new_documents,omitempty"`
	Reasons      []reasonMessage `json:"reasons"`
	Next         []string        `json:"next"`
	DurationMS   int64           `json:"duration_ms"`
	Cleanup      cleanupMessage  `json:"cleanup"`
	ExitCode     int             `json:"exit_code"`
}

// reasonMessage is why some orders did not end well; First are the first of them.
type reasonMessage struct {
	Outcome tasks.Outcome `json:"outcome"`
	Class   tasks.Class   `json:"class"`
	Message string        `json:"message"`
	Orders  int           `json:"orders"`
	First   []string      `json:"first"`
}

type cleanupMessage struct {
	BrowsersLeft   int   `json:"browsers_left"`
	ProfilesLeft   int   `json:"profiles_left"`
	ContainersLeft int   `json:"containers_left"`
	DurationMS     int64 `json:"duration_ms"`
}

// Progress writes a line, or keeps the figures for later.
func (v *jsonView) Progress(now time.Time, p session.Progress) {
	v.newest, v.waiting = p, v.progress
	v.Tick(now)
}

// Tick writes the newest figures if a line is due.
func (v *jsonView) Tick(now time.Time) {
	if v.waiting && (v.lineAt.IsZero() || now.Sub(v.lineAt) >= jsonEvery) {
		v.lineAt = now
		v.writeProgress()
	}
}

// Notice writes a line.
func (v *jsonView) Notice(n session.Notice) {
	v.write(noticeMessage{MessageType: "notice", Level: n.Level, Message: n.Message})
}

// Detail writes a line to standard error.
func (v *jsonView) Detail(line string) { fmt.Fprintln(v.err, printable(line)) }

// End writes the last figures, if they were not written yet.
func (v *jsonView) End() {
	if v.waiting {
		v.writeProgress()
	}
}

// Summary writes what there is to say of the recipe, and then the last line.
func (v *jsonView) Summary(end session.End, code int) {
	for _, n := range remarks(end, v.quiet) {
		v.Notice(n)
	}
	files, outcomes := orEmpty(end.Files), end.ByOutcome
	if outcomes == nil {
		outcomes = map[tasks.Outcome]int{}
	}
	reasons, next := []reasonMessage{}, []string{}
	for _, r := range end.Reasons {
		reasons = append(reasons, reasonMessage{r.Outcome, r.Class, r.Text, r.Orders, r.First})
	}
	for _, c := range nextCommands(end) {
		next = append(next, c[0])
	}
	var added *int
	if end.Update != "" {
		added = &end.New
	}
	lacking := []lackingMessage{}
	for _, one := range end.Lacking {
		lacking = append(lacking, lackingMessage{one.Lack.Of(one.Orders), one.Orders, one.Lack.Advice()})
	}
	v.write(summaryMessage{
		NewDocuments: added, Confirmed: end.Confirmed, Listed: end.Unconfirmed(), Lacking: lacking,
		Reasons: reasons, Next: next,
		MessageType: "summary", Dir: end.Dir, Files: files, Status: end.Status, Cause: end.Cause, Reason: end.Reason,
		Total: end.Total, ByOutcome: outcomes, Warnings: orEmpty(end.Warnings), Notes: orEmpty(end.Notes), Documents: end.Documents, Differences: end.Differences, Compared: orEmpty(end.Compared), DurationMS: end.Took.Milliseconds(), ExitCode: code,
		Cleanup: cleanupMessage{end.Cleanup.BrowsersLeft, end.Cleanup.ProfilesLeft, end.Cleanup.ContainersLeft, end.Cleanup.Took.Milliseconds()},
	})
}

// orEmpty returns a list that JSON shows as [] where there is none.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (v *jsonView) writeProgress() {
	v.waiting = false
	p := v.newest
	m := progressMessage{
		MessageType: "progress", At: p.At, Status: p.Status,
		Total: p.Total, Done: p.Done, Well: p.Well, NotWell: p.NotWell,
		Pending: p.Pending, Active: p.Active, Skipped: p.Skipped,
		Workers:   workersMessage{p.Wanted, p.Running, p.Busy, max(p.Running-p.Busy, 0)},
		PerMinute: p.RatePerMinute, Reason: p.Reason, Holds: []holdMessage{},
	}
	for _, h := range p.Holds {
		m.Holds = append(m.Holds, holdMessage{h.Owner, h.Reason, h.Since})
	}
	if load := p.Load; !load.At.IsZero() {
		m.Load = &loadMessage{CPU: load.CPU, Memory: load.Memory}
		if load.Pressure >= 0 {
			m.Load.Pressure = &load.Pressure
		}
	}
	if p.ETA >= 0 {
		ms := p.ETA.Milliseconds()
		m.ETAMS = &ms
	}
	v.write(m)
}

func (v *jsonView) write(message any) {
	encoder := json.NewEncoder(v.out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(message)
}
