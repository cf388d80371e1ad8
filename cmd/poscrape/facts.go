package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// The functions in this file say one fact of a progress each, in the words that
// the bar and the plain lines share. They return "" where there is nothing to say.

func countOf(p session.Progress) string { return fmt.Sprintf("%d/%d", p.Done, wantedOf(p)) }

// wantedOf returns how many orders are run: all but those that are skipped.
func wantedOf(p session.Progress) int { return p.Total - p.Skipped }

// percentOf returns whole percents, rounded down: 100 only at the end.
func percentOf(p session.Progress) int {
	if wantedOf(p) <= 0 {
		return 0
	}
	return 100 * p.Done / wantedOf(p)
}

func failuresOf(p session.Progress) string {
	if p.NotWell == 0 {
		return ""
	}
	return strconv.Itoa(p.NotWell) + " not well"
}

func rateOf(p session.Progress) string {
	switch {
	case p.RatePerMinute <= 0:
		return ""
	case p.RatePerMinute < 10:
		return strconv.FormatFloat(p.RatePerMinute, 'f', 1, 64) + "/min"
	}
	return strconv.FormatFloat(p.RatePerMinute, 'f', 0, 64) + "/min"
}

// over reports whether nothing more happens in the session.
func over(p session.Progress) bool {
	switch p.Status {
	case tasks.SessionCompleted, tasks.SessionFailed, tasks.SessionInterrupted:
		return true
	}
	return wantedOf(p) > 0 && p.Done >= wantedOf(p)
}

// timeLeftOf counts on from the time at which the estimate was made.
func timeLeftOf(now time.Time, p session.Progress) string {
	if p.ETA < 0 || over(p) {
		return ""
	}
	left := p.ETA
	if !p.At.IsZero() {
		left = max(left-now.Sub(p.At), 0)
	}
	return roundDuration(left) + " left"
}

// workersOf says how many work of those that run, and of how many wanted, if
// they are fewer. The reason is another fact.
func workersOf(p session.Progress) string {
	if over(p) {
		return ""
	}
	running := strconv.Itoa(p.Running)
	if p.Running < p.Wanted {
		running += " of " + strconv.Itoa(p.Wanted)
	}
	return fmt.Sprintf("%s %s, %d busy", running, plural(max(p.Running, p.Wanted), "worker"), p.Busy)
}

// whyOf says why fewer workers run than wanted, or why the session stops. It is
// shown behind workersOf, so it leaves out what that says: "3 of 4 workers: ".
func whyOf(p session.Progress) string {
	if count, why, found := strings.Cut(p.Reason, " workers: "); found && !strings.ContainsFunc(count, unicode.IsPunct) {
		return printable(why)
	}
	return printable(p.Reason)
}

// roundDuration writes a duration as finely as it matters: 8s, 3m10s, 2h05m.
func roundDuration(d time.Duration) string {
	d = d.Round(time.Second)
	hours, minutes, seconds := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case hours > 0:
		return fmt.Sprintf("%dh%02dm", hours, minutes)
	case minutes > 0:
		return fmt.Sprintf("%dm%02ds", minutes, seconds)
	}
	return fmt.Sprintf("%ds", seconds)
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// counted returns a number with its noun: "1 order", "72 orders".
func counted(n int, noun string) string { return strconv.Itoa(n) + " " + plural(n, noun) }
