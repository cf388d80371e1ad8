package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// halfWay is a session in its middle, with all that there is to show.
func halfWay() session.Progress {
	return session.Progress{
		At: noon, Status: tasks.SessionRunning, Total: 300, Done: 131, Well: 124, NotWell: 7,
		Pending: 166, Active: 3, Wanted: 4, Running: 3, Busy: 2, RatePerMinute: 62.4, ETA: 190 * time.Second,
		Reason: "3 of 4 workers: CPU 91 % over 80 %",
	}
}

// barLine returns what a bar shows on a terminal of this width, without blanks at its end.
func barLine(t *testing.T, now time.Time, p session.Progress, width int) string {
	t.Helper()
	s := newScreen(t, width)
	barOn(s, true).Progress(now, p)
	if len(s.lines) != 1 {
		t.Errorf("the bar is wrapped:\n%s", s)
	}
	return s.rows()[0]
}

func TestBarLine(t *testing.T) {
	t.Parallel()
	begin := session.Progress{At: noon, Status: tasks.SessionRunning, Total: 72, Pending: 72, Wanted: 4, ETA: -1}
	end := session.Progress{At: noon, Status: tasks.SessionCompleted, Total: 72, Done: 72, Well: 72, RatePerMinute: 90, Wanted: 4}
	stopped := halfWay()
	stopped.Status, stopped.Reason = tasks.SessionInterrupted, "interrupted by Ctrl-C"
	for _, c := range []struct {
		name  string
		p     session.Progress
		width int
		want  string
	}{
		{"begin", begin, 80, "   0% |                              |  0/72, 0 of 4 workers, 0 busy"},
		{"end", end, 80, " 100% |==============================|  72/72, 90/min"},
		{"wide", halfWay(), 160, "  43% |===========>                  |  131/300, 7 not well, 3m10s left, 62/min, 3 of 4 workers, 2 busy: CPU 91 % over 80 %"},
		{"usual", halfWay(), 100, "  43% |=>    |  131/300, 7 not well, 3m10s left, 62/min, 3 of 4 workers, 2 busy: CPU 91 % over …"},
		{"small", halfWay(), 60, "  43% |==>    |  131/300, 7 not well, 3m10s left, 62/min"},
		{"smaller", halfWay(), 40, "  43% |==>    |  131/300, 7 not well"},
		{"no room for a bar", halfWay(), 20, " 43% 131/300"},
		{"no room for percents", halfWay(), 12, "131/300"},
		{"no room at all", halfWay(), 7, "131…"},
		{"one column", halfWay(), 1, "…"},
		{"interrupted", stopped, 80, "  43% |=====>          |  131/300, 7 not well, 62/min: interrupted by Ctrl-C"},
		{"nothing to do", session.Progress{Status: tasks.SessionCompleted}, 40, "   0% |                       |  0/0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := barLine(t, noon, c.p, c.width); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestBarLineCountsTheTimeLeftDown(t *testing.T) {
	t.Parallel()
	if got := barLine(t, noon.Add(12*time.Second), halfWay(), 60); !strings.Contains(got, "2m58s left") {
		t.Errorf("after 12 of 190 s the line is %q", got)
	}
	if got := barLine(t, noon.Add(time.Hour), halfWay(), 60); !strings.Contains(got, " 0s left") {
		t.Errorf("long after the estimate the line is %q", got)
	}
}

// Whatever the width, a line never reaches the end of the terminal: there it
// would be wrapped, or a typed ^C would wrap it.
func TestBarLineFits(t *testing.T) {
	t.Parallel()
	for width := barMargin + 1; width < 200; width++ {
		line := barLine(t, noon, halfWay(), width)
		if n := utf8.RuneCountInString(line); n > width-barMargin {
			t.Errorf("at a width of %d the line has %d columns: %q", width, n, line)
		}
	}
}

// barOn returns a bar on a screen.
func barOn(s *screen, erases bool) *barView {
	return &barView{
		plainView: plainView{out: s, err: s},
		terminal:  terminal{width: func() int { return s.width }, erases: erases},
	}
}

// Notices, details and progress in any order: the screen has each line of text
// once and whole, above a single bar.
func TestBarKeepsTheScreenClean(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 7))
		s := newScreen(t, 30+rng.IntN(90))
		v := barOn(s, seed%2 == 0)
		p := halfWay()
		var said []string
		for step := range 1 + rng.IntN(40) {
			switch rng.IntN(3) {
			case 0:
				text := fmt.Sprintf("notice %d %s", step, strings.Repeat("x", rng.IntN(12)))
				v.Notice(session.Notice{Level: session.NoticeInfo, Message: text})
				said = append(said, strings.TrimRight(text, " "))
			case 1:
				p.Done = rng.IntN(p.Total + 1)
				p.NotWell = rng.IntN(p.Done + 1)
				v.Progress(noon, p)
			case 2:
				p.Reason = strings.Repeat("why ", rng.IntN(20))
				v.Tick(noon.Add(time.Duration(step) * time.Second))
			}
		}
		v.Progress(noon, p)
		want := append(slices.Clone(said), barLine(t, noon, p, s.width))
		if got := s.rows(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: the screen shows\n%s\nwant\n%s", seed, s, strings.Join(want, "\n"))
		}
		v.End()
		if got := s.rows(); !slices.Equal(got, append(want, "")) {
			t.Fatalf("seed %d: at the end the screen shows\n%s\nwant\n%s\nand an empty line", seed, s, strings.Join(want, "\n"))
		}
	}
}

func TestBarAfterTheTerminalBecameNarrower(t *testing.T) {
	t.Parallel()
	for _, width := range []int{99, 61, 60, 40, 31, 20, 12} {
		s := newScreen(t, 120)
		v := barOn(s, true)
		v.Notice(session.Notice{Message: "first"})
		v.Progress(noon, halfWay())
		s.resize(width)
		v.Tick(noon)
		want := []string{"first", barLine(t, noon, halfWay(), width)}
		if got := s.rows(); !slices.Equal(got, want) {
			t.Errorf("from 120 to %d columns: the screen shows\n%s\nwant\n%s", width, s, strings.Join(want, "\n"))
		}
	}
}

func TestBarDrawsOnlyWhatChanges(t *testing.T) {
	t.Parallel()
	var out syncBuffer
	v := &barView{plainView: plainView{err: &out}, terminal: terminal{width: func() int { return 80 }, erases: true}}
	v.Progress(noon, halfWay())
	before := out.String()
	v.Progress(noon, halfWay())
	v.Tick(noon)
	if got := out.String(); got != before {
		t.Errorf("the same figures were drawn again: %q", strings.TrimPrefix(got, before))
	}
}

// What a sheet or a portal says cannot steer the terminal.
func TestBarShowsNoControlCharacters(t *testing.T) {
	t.Parallel()
	var out syncBuffer
	v := &barView{plainView: plainView{err: &out}, terminal: terminal{width: func() int { return 80 }, erases: true}}
	v.Notice(session.Notice{Level: session.NoticeWarning, Message: "po \x1b[2J\x07\r\u202e is odd"})
	if got, want := out.String(), "Warning: po \uFFFD[2J\uFFFD\uFFFD\uFFFD is odd\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBarWithoutProgressLeavesNothing(t *testing.T) {
	t.Parallel()
	var out syncBuffer
	v := &barView{plainView: plainView{err: &out}, terminal: terminal{width: func() int { return 80 }, erases: true}}
	v.Tick(noon)
	v.End()
	if got := out.String(); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}

func BenchmarkBarFrame(b *testing.B) {
	for b.Loop() {
		frameOf(noon, halfWay(), 120)
	}
}
