package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
)

func TestBarInATerminal(t *testing.T) {
	t.Parallel()
	p := newPane(t, 100, "poscrape-on-stage run pos.csv")
	p.shows(" 36/72")
	want := func(width int) string { return barLine(t, noon, halfOnStage(), width) }
	testkit.Wait(t, "the bar of that", func() bool { // its text is drawn before its length
		got := bars(p.rows())
		return len(got) == 1 && got[0] == want(100)
	})
	if got := strings.Join(p.rows(), ""); strings.Count(got, "is odd "+strings.Repeat("indeed ", 14)+"indeed") != 4 {
		t.Errorf("the notices are not whole: %s", got)
	}

	// Narrower, and narrower again: what was wrapped is gone, and one bar is there.
	for _, width := range []int{60, 33, 80} {
		p.resize(width)
		testkit.Wait(t, "a bar of the new width", func() bool {
			got := bars(p.rows())
			return len(got) == 1 && got[0] == want(width)
		})
	}

	if err := os.WriteFile(filepath.Join(p.dir, stageCue), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p.shows("exit code 0")
	rows := p.rows()
	if got := bars(rows); len(got) != 1 || !strings.HasPrefix(got[0], " 100% |=====") || !strings.Contains(got[0], "72/72") {
		t.Errorf("at the end the terminal has the bars %q, want a full one", got)
	}
	if got := strings.Join(rows, "\n"); !strings.Contains(got, "72/72, 60/min\n72 orders in 0s: all ended well and are confirmed.\n") {
		t.Errorf("the summary does not follow the bar on a line of its own:\n%s", got)
	}
}

// ctrlC is what a keyboard sends.
const ctrlC = "\x03"

// pressAgain presses Ctrl-C once more, no sooner than a person can: before that it would be an echo.
func (p *pane) pressAgain() {
	p.t.Helper()
	shown := time.Now()
	testkit.Wait(p.t, "the time in which an echo comes to pass", func() bool { return time.Since(shown) > 2*echo })
	p.press(ctrlC)
}

func TestCtrlCInATerminal(t *testing.T) {
	t.Parallel()
	p := newPane(t, 120, "poscrape-on-stage run --grace 45s pos.csv")
	p.shows(" 36/72")
	p.press(ctrlC)
	p.shows("in progress have up to 45s to finish. Press Ctrl-C again")
	p.shows("stopping: orders in")
	p.pressAgain()
	p.shows("exit code 130")
	rows := p.rows()
	if got := bars(rows); len(got) != 1 || strings.Contains(got[0], "^C") {
		t.Errorf("the terminal has the bars %q, want one", got)
	}
	if got := strings.Join(rows, "\n"); !strings.Contains(got, "\nInterrupted after 0s: 36 of 72 orders ended, 36 still open.\n") {
		t.Errorf("the end is not told:\n%s", got)
	}
}

func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	p := newPane(t, 100, "TERM=dumb poscrape-on-stage run pos.csv")
	p.shows("36/72 orders (50 %)")
	p.press(ctrlC)
	p.shows("Press Ctrl-C again")
	p.pressAgain()
	p.shows("exit code 130")
	if got := strings.Join(p.rows(), "\n"); strings.Contains(got, "|") {
		t.Errorf("there is a bar:\n%s", got)
	}
}

// A terminal is shown what goes into files without what steers it, and JSON with the same values.
func TestTextOfOthersOnATerminal(t *testing.T) {
	t.Parallel()
	dir, _ := gift(t, `"chrome":""`, "https://portal.example/\u009b2J\u202e")
	for _, format := range []string{"json", "csv", "html"} {
		far, near := openTerminal(t)
		shown := make(chan string)
		go func() {
			text, _ := io.ReadAll(far) // which ends with an error when near is closed
			shown <- string(text)
		}()
		code := run(t.Context(), []string{"report", "--format", format, dir}, strings.NewReader(""), near, io.Discard)
		testkit.Must(t, near.Close())
		text := strings.ReplaceAll(<-shown, "\r\n", "\n") // as the terminal has it
		testkit.Must(t, far.Close())
		if code != exitWell || printable(text) != text || !strings.Contains(text, "portal.example") {
			t.Errorf("%s: exit code %d, %q", format, code, text)
		}
	}
}
