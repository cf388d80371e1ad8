package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"

	"github.com/poscrape/poscrape/session"
)

// barView draws a bar on the last line of a terminal, over and over. What else
// there is to say is written above it. A summary is what plainView makes of it.
type barView struct {
	plainView
	terminal terminal

	// drawn is the line on the screen, without what ends it.
	drawn string
}

// Progress draws the bar anew.
func (v *barView) Progress(now time.Time, p session.Progress) {
	v.newest, v.known = p, true
	v.Tick(now)
}

// Tick draws the bar anew if it would look other than it does.
func (v *barView) Tick(now time.Time) {
	if v.known {
		v.draw(barLine(now, v.newest, v.terminal.width()))
	}
}

// Notice writes a line above the bar.
func (v *barView) Notice(n session.Notice) { v.above(noticeText(n)) }

// Detail writes a line above the bar.
func (v *barView) Detail(line string) { v.above(line) }

// End draws the last figures and leaves the bar behind.
func (v *barView) End() {
	v.Tick(v.newest.At)
	if v.drawn != "" {
		fmt.Fprintln(v.err)
		v.drawn = ""
	}
}

func (v *barView) draw(line string) {
	if line == v.drawn {
		return
	}
	var out bytes.Buffer
	v.eraseTo(&out, line)
	_, _ = v.err.Write(out.Bytes())
	v.drawn = line
}

func (v *barView) above(text string) {
	var out bytes.Buffer
	v.eraseTo(&out, "")
	fmt.Fprintln(&out, printable(text))
	out.WriteString(v.drawn)
	_, _ = v.err.Write(out.Bytes())
}

// eraseTo writes the line over the one that is drawn, and leaves nothing of it.
// Where the terminal became narrower, the drawn one has been wrapped.
func (v *barView) eraseTo(out *bytes.Buffer, line string) {
	was, is := utf8.RuneCountInString(v.drawn), utf8.RuneCountInString(line)
	switch rows := (was - 1) / v.terminal.width(); {
	case was == 0:
		out.WriteString(line)
	case !v.terminal.erases:
		out.WriteString("\r" + line + strings.Repeat(" ", max(was-is, 0)))
		if line == "" {
			out.WriteString("\r")
		}
	case rows > 0:
		fmt.Fprintf(out, "\x1b[%dA\r\x1b[J%s", rows, line)
	default:
		out.WriteString("\r" + line + "\x1b[K")
	}
}

const (
	// barMargin is left free at the right end: for the ^C that a terminal
	// writes when it is typed, without the line being wrapped.
	barMargin = 3
	// minBar and maxBar bound the bar proper, between its ends, in columns.
	minBar, maxBar = 8, 30
	// minReason is how much of a reason is worth showing, in columns.
	minReason = 16
)

// barLine says as much of a progress as fits into the width: the count first,
// the reason for fewer workers last.
func barLine(now time.Time, p session.Progress, width int) string {
	room := width - barMargin
	line := countOf(p)
	percent := fmt.Sprintf("%3d%% ", percentOf(p))
	bar := len(percent) + len("|| ")
	fits := func(more string) bool { return utf8.RuneCountInString(line+more)+bar+minBar <= room }
	for _, fact := range []string{failuresOf(p), timeLeftOf(now, p), rateOf(p), workersOf(p)} {
		if fact != "" && fits(", "+fact) {
			line += ", " + fact
		}
	}
	if why := whyOf(p); why != "" && fits(": "+cut(why, minReason)) {
		line += ": " + cut(why, room-bar-minBar-len(": ")-utf8.RuneCountInString(line))
	}
	switch free := room - utf8.RuneCountInString(line) - bar; {
	case free >= minBar:
		return percent + drawBar(p, min(free, maxBar)) + " " + line
	case free+bar >= len(percent):
		return percent + line
	}
	return cut(line, max(room, 1))
}

// drawBar returns the bar proper, of this width between its ends.
func drawBar(p session.Progress, width int) string {
	bar := progressbar.NewOptions(max(p.Total, 1),
		progressbar.OptionSetWriter(io.Discard),
		progressbar.OptionSetWidth(width),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetTheme(progressbar.Theme{
			Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "|", BarEnd: "|",
		}))
	// Set fails only beyond the total, and draws the full bar then.
	_ = bar.Set(min(p.Done, p.Total))
	text := bar.String()
	if begin, end := strings.Index(text, "|"), strings.LastIndex(text, "|"); begin < end {
		return text[begin : end+1]
	}
	return "|" + strings.Repeat(" ", width) + "|"
}

// cut shortens text to so many columns.
func cut(text string, columns int) string {
	if utf8.RuneCountInString(text) <= columns {
		return text
	}
	return string([]rune(text)[:columns-1]) + "…"
}
