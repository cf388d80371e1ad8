package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/poscrape/poscrape/session"
)

const (
	// plainEvery is how often a line of progress is due.
	plainEvery = 10 * time.Second
	// plainStep in percents is how much of the work earns a line of its own, if
	// the last one is plainGap ago.
	plainStep = 10
	plainGap  = 2 * time.Second
	// plainIdle is how often a line is due while nothing changes.
	plainIdle = time.Minute
)

// plainView writes whole lines without any control character: for log files,
// pipes, and terminals that know no better.
type plainView struct {
	out, err        io.Writer
	progress, quiet bool

	newest session.Progress
	known  bool
	// written is the progress that was shown last, at the time lineAt.
	written session.Progress
	lineAt  time.Time
}

// Progress writes a line, or keeps the figures for later.
func (v *plainView) Progress(now time.Time, p session.Progress) {
	v.newest, v.known = p, true
	v.Tick(now)
}

// Tick writes the newest figures if a line is due.
func (v *plainView) Tick(now time.Time) {
	if v.known && v.due(now) {
		v.write(now)
	}
}

func (v *plainView) due(now time.Time) bool {
	if v.lineAt.IsZero() {
		return true
	}
	since := now.Sub(v.lineAt)
	step := percentOf(v.newest)/plainStep > percentOf(v.written)/plainStep
	changed := !sameFigures(v.newest, v.written)
	return step && since >= plainGap || changed && since >= plainEvery || since >= plainIdle
}

func (v *plainView) write(now time.Time) {
	v.written, v.lineAt = v.newest, now
	if v.progress {
		v.line(plainLine(now, v.newest))
	}
}

// Notice writes a line.
func (v *plainView) Notice(n session.Notice) { v.line(noticeText(n)) }

// Detail writes a line.
func (v *plainView) Detail(line string) { v.line(line) }

// End writes the last figures, if they were not written yet.
func (v *plainView) End() {
	if v.known && !sameFigures(v.newest, v.written) {
		v.write(v.newest.At)
	}
}

// Summary tells how the session ended, and what there is to say of its recipe.
func (v *plainView) Summary(end session.End, code int) {
	if !v.quiet {
		fmt.Fprint(v.out, printable(summaryText(end, code)))
	}
	for _, n := range remarks(end, v.quiet) {
		if n.Level == session.NoticeInfo {
			n.Message = "Note: " + n.Message
		}
		v.line(noticeText(n))
	}
}

func (v *plainView) line(text string) { fmt.Fprintln(v.err, printable(text)) }

func noticeText(n session.Notice) string {
	if n.Level == session.NoticeWarning {
		return "Warning: " + n.Message
	}
	return n.Message
}

// plainLine says all facts of a progress.
func plainLine(now time.Time, p session.Progress) string {
	facts := []string{fmt.Sprintf("%s orders (%d %%)", countOf(p), percentOf(p))}
	for _, fact := range []string{failuresOf(p), rateOf(p), timeLeftOf(now, p), workersOf(p)} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	line := strings.Join(facts, ", ")
	if why := whyOf(p); why != "" {
		line += ": " + why
	}
	return line
}

// sameFigures reports whether two progresses look the same but for the clock.
func sameFigures(a, b session.Progress) bool {
	a.At, a.ETA, a.RatePerMinute, a.Pool = b.At, b.ETA, b.RatePerMinute, b.Pool
	return reflect.DeepEqual(a, b)
}
