package main

import (
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

func TestPlainLine(t *testing.T) {
	t.Parallel()
	begin := session.Progress{At: noon, Status: tasks.SessionRunning, Total: 1, Wanted: 1, Running: 1, ETA: -1}
	for _, c := range []struct {
		name string
		p    session.Progress
		want string
	}{
		{"begin", begin, "0/1 orders (0 %), 1 worker, 0 busy"},
		{"half way", halfWay(), "131/300 orders (43 %), 7 not well, 62/min, 3m10s left, 3 of 4 workers, 2 busy: CPU 91 % over 80 %"},
		{"end", session.Progress{Total: 72, Done: 72, RatePerMinute: 4.25, Wanted: 4}, "72/72 orders (100 %), 4.2/min"},
		{"nearly", session.Progress{Total: 1000, Done: 999, ETA: -1, Wanted: 4, Running: 4, Busy: 1}, "999/1000 orders (99 %), 4 workers, 1 busy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := plainLine(noon, c.p); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// A clock of its own: which second gets a line.
func TestPlainViewIsSparing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// done is how many of 300 orders have ended after so many seconds.
		done func(second int) int
		last int
		want []int
	}{
		{"steady", func(s int) int { return s }, 40, []int{0, 10, 20, 30, 40}},
		{"notable steps", func(s int) int { return 10 * s }, 30, []int{0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30}},
		{"too fast for each step", func(s int) int { return min(60*s, 300) }, 6, []int{0, 2, 4, 6}},
		{"stuck", func(int) int { return 7 }, 130, []int{0, 60, 120}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			v := &plainView{err: &out, progress: true}
			var got []int
			seen := 0
			for s := 0; s <= c.last; s++ {
				p := session.Progress{At: noon, Status: tasks.SessionRunning, Total: 300, Done: c.done(s), ETA: -1, Wanted: 4, Running: 4}
				v.Progress(noon.Add(time.Duration(s)*time.Second), p)
				if s == c.last {
					v.End()
				}
				if lines := strings.Count(out.String(), "\n"); lines > seen {
					got, seen = append(got, s), lines
				}
			}
			if len(got) != len(c.want) {
				t.Fatalf("lines came at seconds %v, want %v\n%s", got, c.want, out.String())
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Fatalf("lines came at seconds %v, want %v\n%s", got, c.want, out.String())
				}
			}
		})
	}
}

func TestPlainViewTellsTheLastFigures(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	v := &plainView{err: &out, progress: true}
	v.Progress(noon, session.Progress{Total: 2, ETA: -1, Wanted: 1, Running: 1})
	v.Progress(noon.Add(time.Second), session.Progress{Total: 2, Done: 2, ETA: 0, Wanted: 1})
	v.End()
	v.End()
	if want := "0/2 orders (0 %), 1 worker, 0 busy\n2/2 orders (100 %)\n"; out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestPlainViewWithoutProgress(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	v := &plainView{err: &out}
	v.Progress(noon, halfWay())
	v.Notice(session.Notice{Level: session.NoticeWarning, Message: "pos.csv:3: po: it is empty\x1b[1m"})
	v.Notice(session.Notice{Level: session.NoticeInfo, Message: "hello"})
	v.Detail("a line of the log")
	v.End()
	if want := "Warning: pos.csv:3: po: it is empty\uFFFD[1m\nhello\na line of the log\n"; out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestRoundDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0s", 400 * time.Millisecond: "0s", 8 * time.Second: "8s", 59900 * time.Millisecond: "1m00s",
		190 * time.Second: "3m10s", 2*time.Hour + 5*time.Minute + 59*time.Second: "2h05m", 30 * time.Hour: "30h00m",
	} {
		if got := roundDuration(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
