package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// Build reads a session from its source and returns its report. It returns an
// error where the source cannot be read, and where an ended session's source does
// not yield as many tasks as it counts.
func Build(ctx context.Context, src Source) (*Report, error) {
	session, err := src.Session(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the session's record: %w", err)
	}
	r := &Report{SchemaVersion: SchemaVersion, columns: session.Input.Columns, roles: session.Input.Roles,
		sheet: compare.New(session.Input), lines: lineColumns{}, findings: newFindings(), lacking: map[witness.Lack]*Lacking{}, delimiter: ',', mark: session.Input.Mark, updates: session.Update != "", started: newStarted(session.Config, session.Input.File)}
	if d, _ := utf8.DecodeRuneInString(session.Input.Delimiter); session.Input.Delimiter != "" {
		r.delimiter = d
	}
	if r.tasks, err = packTasks(); err != nil {
		return nil, err
	}
	counts, err := r.addTasks(ctx, src, &session)
	if err != nil {
		return nil, err
	}
	if err := r.addLog(ctx, src, session.Host, counts); err != nil {
		return nil, err
	}
	r.addSession(session, counts)
	return r, nil
}

// stopped reports whether nothing is being worked on in a session of this status.
func stopped(s tasks.SessionStatus) bool {
	switch s {
	case tasks.SessionInitializing, tasks.SessionRunning, tasks.SessionPaused:
		return false
	}
	return true
}

func (r *Report) addTasks(ctx context.Context, src Source, session *tasks.Session) (*tally, error) {
	counts, selectors, same, reasons := newTally(), newSelectorTallies(session.Selectors), firsts{}, newReasonTally()
	stopped := stopped(session.Status)
	witnesses := witness.Session{Warned: selectors.warned}
	// How a column is written shows only in all of its cells, and what confirms an order in all orders.
	if err := src.Each(ctx, func(pt *tasks.ProcessingTask) error {
		for _, row := range pt.Rows {
			r.sheet.See(row.Cells)
		}
		selectors.add(pt)
		witnesses.See(pt)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("reading the rows: %w", err)
	}
	err := src.Each(ctx, func(pt *tasks.ProcessingTask) error {
		t := newTask(pt, stopped, r.updates)
		t.confirm(witnesses.Judge(pt))
		r.lack(t)
		same.flag(t)
		t.Differences = r.sheet.Order(pt.Rows, t.Fields)
		if n, looked := listed(pt); looked {
			t.Differences = append(t.Differences, r.sheet.Documents(pt.Rows, n)...)
		}
		counts.add(t)
		if !stopped {
			counts.assign(pt)
		}
		reasons.add(t)
		r.lines.see(t.Lines)
		r.findings.add(t)
		r.unwell = append(r.unwell, t.unwell())
		r.addRows(pt.Rows, t)
		return r.tasks.add(t)
	})
	if err != nil {
		return nil, fmt.Errorf("reading the tasks: %w", err)
	}
	if err := r.tasks.seal(); err != nil {
		return nil, err
	}
	r.Selectors = selectors.list()
	r.warnings, r.notes = selectors.texts()
	r.reasons, r.reasonPlaces = reasons.list()
	r.fields = fieldColumns(session.Fields, r.rows)
	slices.SortStableFunc(r.rows, func(a, b row) int { return cmp.Compare(a.line, b.line) })
	if !stopped {
		return counts, nil
	}
	stats, err := src.Stats(ctx)
	if err != nil {
		return nil, fmt.Errorf("counting the tasks: %w", err)
	}
	if stats.Total != counts.totals.Tasks {
		return nil, fmt.Errorf("the session counts %d tasks, but %d could be read: "+
			"check session.db, or make the report again", stats.Total, counts.totals.Tasks)
	}
	return counts, nil
}

func (r *Report) addLog(ctx context.Context, src Source, host string, counts *tally) error {
	workers, err := src.Workers(ctx)
	if err != nil {
		return fmt.Errorf("reading the workers' records: %w", err)
	}
	scalings, err := src.Scalings(ctx)
	if err != nil {
		return fmt.Errorf("reading the scaling decisions: %w", err)
	}
	events, err := src.Events(ctx)
	if err != nil {
		return fmt.Errorf("reading the events: %w", err)
	}
	r.Workers = convert(workers, func(w tasks.Worker) Worker { return newWorker(w, host, counts) })
	r.Scaling = convert(scalings, newScaling)
	r.Events = convert(events, newEvent)
	r.warnings = append(r.warnings, r.changes(events)...)
	return nil
}

func (r *Report) addSession(s tasks.Session, counts *tally) {
	r.Session = Session{
		ID: s.ID, Status: s.Status, Reason: s.Reason,
		StartedAt: stamp(s.StartedAt), EndedAt: stamp(s.EndedAt), DurationMS: milliseconds(r.ran(s, counts)),
		Version: s.Version, Chrome: s.Chrome, Sandbox: s.Sandbox, Host: s.Host,
		Workers: s.Workers, Mode: s.Mode, Resumed: s.Resumed, Update: s.Update,
		Input: Input{File: s.Input.File, Rows: s.Input.Rows, SHA256: s.Input.SHA256},
	}
	r.Cleanup = Cleanup{
		BrowsersLeft: s.Cleanup.BrowsersLeft, ProfilesLeft: s.Cleanup.ProfilesLeft, ContainersLeft: s.Cleanup.ContainersLeft,
		DurationMS: milliseconds(s.Cleanup.Took),
	}
	var startMS []float64
	for i := range r.Events {
		if e := &r.Events[i]; e.Type == tasks.EventWorkerStarted && e.DurationMS > 0 {
			startMS = append(startMS, e.DurationMS)
		}
	}
	r.Totals = counts.totals
	r.Totals.Compared = r.sheet.Compared()
	r.Performance = counts.performance(r.Session.DurationMS, startMS)
	r.Pool = newPool(r.Workers, r.Events, counts)
}

// ran returns how long the session ran: as its record says; else until its end;
// else, while it runs, until the last thing that is known of it.
func (r *Report) ran(s tasks.Session, counts *tally) time.Duration {
	if s.Worked > 0 {
		return s.Worked
	}
	if s.StartedAt.IsZero() {
		return 0
	}
	end := s.EndedAt
	if end.IsZero() {
		end = counts.lastEnd
		if n := len(r.Events); n > 0 && r.Events[n-1].At != nil && r.Events[n-1].At.After(end) {
			end = *r.Events[n-1].At
		}
	}
	return max(0, end.Sub(s.StartedAt))
}

// newWorker returns the record of a worker that holds these orders, as their own records
// say: the worker's own is only stored now and then, with the first of them.
func newWorker(w tasks.Worker, host string, counts *tally) Worker {
	first, held := "", counts.held[w.ID]
	if len(held) > 0 {
		first = held[0]
	}
	work := counts.work[w.ID]
	return Worker{
		ID: w.ID, Machine: host, BrowserID: w.BrowserID, PID: w.PID, Profile: w.Profile, State: w.State, Draining: w.Draining,
		Task: first, Tasks: append([]string{}, held...), Processed: w.Processed, Succeeded: w.Processed - w.Failed, Failed: w.Failed, StartedAt: stamp(w.StartedAt),
		LastActivity: stamp(w.LastActivity), Restarts: w.Restarts, Error: w.Error,
		MemoryBytes: w.MemoryBytes, MemoryPeakBytes: w.MemoryPeakBytes, CPU: w.CPU, DiskBytes: w.DiskBytes, Isolation: w.Isolation,
		Usage:  Usage{CPU: w.CPU, Memory: w.MemoryBytes, Disk: w.DiskBytes},
		TaskMS: MeanTime{N: work.attempts, Mean: mean(work.ms, work.attempts)}, FellBack: work.fellBack, Retries: work.retries,
	}
}

func newScaling(s tasks.Scaling) Scaling {
	out := Scaling{At: stamp(s.At), From: s.From, To: s.To, Reason: s.Reason, CPU: load(s.CPU), Memory: load(s.Memory)}
	if s.Pressure >= 0 {
		pressure := load(s.Pressure)
		out.Pressure = &pressure
	}
	return out
}

// load keeps a load within its bounds: samplers overshoot a little.
func load(l float64) float64 { return min(max(l, 0), 1) }

func newEvent(e tasks.Event) Event {
	return Event{At: stamp(e.At), Type: e.Type, Worker: e.Worker, BrowserID: e.BrowserID, Detail: e.Detail, DurationMS: milliseconds(e.Took)}
}

// convert returns a list that is never nil, so that JSON shows [].
func convert[From, To any](list []From, one func(From) To) []To {
	out := make([]To, len(list))
	for i, item := range list {
		out[i] = one(item)
	}
	return out
}
