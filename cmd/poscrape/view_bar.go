package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"

	"github.com/poscrape/poscrape/session"
)

// barView has a progress bar drawn on the last line of a terminal. What else there is to say is
// written above it. A summary is what plainView makes of it.
type barView struct {
	plainView
	terminal terminal

	// bar draws, and drawn is what it has drawn, in so many columns: 0 while nothing is.
	bar     *progressbar.ProgressBar
	drawn   barFrame
	columns int
}

// barFrame is what a bar shows: so much done of a total, in a bar of so many columns between its
// ends, and a text beside it. Without columns there is no room for a bar.
type barFrame struct {
	done, total, width int
	text               string
}

// Progress draws the bar anew.
func (v *barView) Progress(now time.Time, p session.Progress) {
	v.newest, v.known = p, true
	v.Tick(now)
}

// Tick draws the bar anew if it would look other than it does.
func (v *barView) Tick(now time.Time) {
	if !v.known {
		return
	}
	if next := frameOf(now, v.newest, v.terminal.width()); v.columns == 0 || next != v.drawn {
		v.draw(next)
	}
}

// Notice writes a line above the bar.
func (v *barView) Notice(n session.Notice) { v.above(noticeText(n)) }

// Detail writes a line above the bar.
func (v *barView) Detail(line string) { v.above(line) }

// End draws the last figures and leaves the bar behind.
func (v *barView) End() {
	v.Tick(v.newest.At)
	if v.columns > 0 {
		fmt.Fprintln(v.err)
		v.columns = 0
	}
}

func (v *barView) above(text string) {
	shown := v.columns > 0
	v.erase()
	fmt.Fprintln(v.err, printable(text))
	if shown {
		v.draw(v.drawn)
	}
}

// draw draws a frame over the one that is there.
func (v *barView) draw(f barFrame) {
	if v.columns > v.terminal.width() {
		v.erase() // it has been wrapped
	}
	same := v.bar != nil && v.columns > 0 && v.drawn.width == f.width && v.drawn.total == f.total && f.done >= v.drawn.done
	switch {
	case f.width == 0:
		v.erase()
		v.bar = nil
		fmt.Fprint(v.err, f.text)
	case same && !v.bar.IsFinished():
		v.bar.Describe(f.text)
		_ = v.bar.Set(f.done) // it is not beyond the total
	default:
		v.erase()
		v.bar = newBar(v.err, v.terminal.erases, f)
	}
	v.drawn, v.columns = f, f.columns()
}

// newBar returns a bar that has drawn a frame.
func newBar(out io.Writer, erases bool, f barFrame) *progressbar.ProgressBar {
	bar := progressbar.NewOptions(f.total,
		progressbar.OptionSetWriter(out),
		progressbar.OptionUseANSICodes(erases),
		progressbar.OptionSetWidth(f.width),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetDescription(f.text),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetTheme(progressbar.Theme{
			Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "|", BarEnd: "|",
		}))
	_ = bar.Set(f.done) // it draws from one percent on; f.done is not beyond the total
	if f.done*100 < f.total || bar.String() == "" {
		_ = bar.RenderBlank() // there is nowhere to tell that it cannot be written
	}
	return bar
}

// erase leaves nothing of what is drawn. Where the terminal became narrower, that has been
// wrapped.
func (v *barView) erase() {
	rows := (v.columns - 1) / v.terminal.width()
	switch {
	case v.columns == 0:
	case !v.terminal.erases:
		fmt.Fprintf(v.err, "\r%s\r", strings.Repeat(" ", v.columns))
	case rows > 0:
		fmt.Fprintf(v.err, "\x1b[%dA\r\x1b[J", rows)
	default:
		fmt.Fprint(v.err, "\r\x1b[K")
	}
	v.columns = 0
}

const (
	// barMargin is left free at the right end: for the ^C that a terminal
	// writes when it is typed, without the line being wrapped.
	barMargin = 3
	// barFurniture are the columns around a bar: percents before it, its ends, blanks behind it
	// and behind the text.
	barFurniture = len("100%") + len("  ||   ")
	// minBar and maxBar bound the bar proper, between its ends, in columns.
	minBar, maxBar = 6, 30
	// minReason is how much of a reason is worth showing, in columns.
	minReason = 15
)

// columns returns how wide a frame is on the terminal.
func (f barFrame) columns() int {
	n := utf8.RuneCountInString(f.text)
	if f.width > 0 {
		n += barFurniture + f.width
	}
	return n
}

// frameOf says as much of a progress as fits into the width: the count first, the reason for
// fewer workers last.
func frameOf(now time.Time, p session.Progress, width int) barFrame {
	room := width - barMargin
	text := countOf(p)
	fits := func(more string) bool { return utf8.RuneCountInString(text+more)+barFurniture+minBar <= room }
	for _, fact := range []string{failuresOf(p), timeLeftOf(now, p), rateOf(p), workersOf(p)} {
		if fact != "" && fits(", "+fact) {
			text += ", " + fact
		}
	}
	if why := whyOf(p); why != "" && fits(": "+cut(why, minReason)) {
		text += ": " + cut(why, room-barFurniture-minBar-len(": ")-utf8.RuneCountInString(text))
	}
	wanted := max(wantedOf(p), 1)
	f := barFrame{done: min(p.Done, wanted), total: wanted, text: text}
	percent := fmt.Sprintf("%3d%% ", percentOf(p))
	switch free := room - utf8.RuneCountInString(text) - barFurniture; {
	case free >= minBar:
		f.width = min(free, maxBar)
	case utf8.RuneCountInString(percent+text) <= room:
		f.text = percent + text
	default:
		f.text = cut(text, max(room, 1))
	}
	return f
}

// cut shortens text to so many columns.
func cut(text string, columns int) string {
	if utf8.RuneCountInString(text) <= columns {
		return text
	}
	return string([]rune(text)[:columns-1]) + "…"
}
