package report

import (
	"strings"
	"time"
)

// writeSummary writes what the session was, what it has found, and what the workbook lacks.
func (r *Report) writeSummary(b *workbook) error {
	w := newWidths([]string{"what", "value"})
	w.atLeast(0, 30)
	w.atLeast(1, 48)
	s, err := b.sheet(summarySheet, w)
	if err != nil {
		return err
	}
	for _, line := range r.summary(b) {
		s.add(b.text(line.what), line.value)
		s.next()
	}
	return s.close()
}

type summaryLine struct {
	what  string
	value any
}

func (r *Report) summary(b *workbook) []summaryLine {
	text := func(what, value string) summaryLine { return summaryLine{what, b.text(value)} }
	number := func(what string, n int) summaryLine { return summaryLine{what, b.number(float64(n), 0)} }
	moment := func(what string, at *time.Time) summaryLine {
		if at == nil {
			return summaryLine{what, nil}
		}
		return text(what, at.Format(time.RFC3339))
	}
	t := r.Totals
	lines := []summaryLine{
		text("session", r.Session.ID.String()),
		text("status", strings.TrimSpace(string(r.Session.Status)+" "+oneLine(r.Session.Reason))),
		moment("started at", r.Session.StartedAt),
		moment("ended at", r.Session.EndedAt),
		text("ran for", duration(r.Session.DurationMS)),
		text("input", base(r.Session.Input.File)),
		number("rows", t.Rows),
		number("orders", t.Tasks),
	}
	for _, o := range outcomesOf(t.ByOutcome) {
		if n := t.ByOutcome[o]; n > 0 {
			lines = append(lines, number("orders: "+words(o), n))
		}
	}
	if n := t.Tasks - known(t); n > 0 {
		lines = append(lines, number("orders: "+waiting, n))
	}
	lines = append(lines,
		number("documents listed", t.Attachments.Found),
		number("documents brought home", t.Attachments.Done),
		number("documents that failed", t.Attachments.Failed),
		number("documents skipped", t.Attachments.Skipped),
		number("bytes", int(t.Attachments.Bytes)),
		number("cells that differ from the portal", t.Differences),
	)
	if r.Session.Update != "" {
		lines = append(lines, text("updates the session in", r.Session.Update), number("new documents", t.Attachments.New))
	}
	for _, warning := range r.warnings {
		lines = append(lines, text("warning", warning))
	}
	for _, note := range r.notes {
		lines = append(lines, text("note", note))
	}
	for _, cut := range b.cut {
		lines = append(lines, text("not in this workbook", cut))
	}
	return lines
}

// known counts the tasks that have an outcome.
func known(t Totals) (n int) {
	for _, tasks := range t.ByOutcome {
		n += tasks
	}
	return n
}
