//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
)

// pane is a real terminal, by tmux.
type pane struct {
	t      *testing.T
	socket string
	dir    string
}

// newPane runs a shell command in a terminal of so many columns, and keeps the
// terminal open when it has ended, after a line with its exit code.
func newPane(t *testing.T, columns int, command string) *pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux here: the bar is not tried in a real terminal")
	}
	sockets, err := os.MkdirTemp("", "t") //nolint:usetesting // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	p := &pane{t: t, socket: filepath.Join(sockets, "s"), dir: t.TempDir()}
	t.Cleanup(func() {
		p.tmux("kill-server")
		if err := os.RemoveAll(sockets); err != nil {
			t.Error(err)
		}
	})
	p.tmux("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(columns), "-y", "40", "-c", p.dir,
		command+"; echo \"exit code $?\"; exec cat")
	return p
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// rows returns what is on the screen and above it, without empty lines.
func (p *pane) rows() []string {
	var rows []string
	for line := range strings.Lines(p.tmux("capture-pane", "-p", "-S", "-")) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			rows = append(rows, line)
		}
	}
	return rows
}

// shows waits until the screen has a text.
func (p *pane) shows(text string) {
	p.t.Helper()
	var rows []string
	p.t.Cleanup(func() {
		if p.t.Failed() {
			p.t.Logf("the terminal shows\n%s", strings.Join(rows, "\n"))
		}
	})
	testkit.Wait(p.t, "the terminal to show "+strconv.Quote(text), func() bool {
		rows = p.rows()
		return strings.Contains(strings.Join(rows, "\n"), text)
	})
}

// bars returns the rows that have a bar, or its count.
func bars(rows []string) []string { return barsOf(rows, stageTotal) }

// barsOf is bars, for so many orders.
func barsOf(rows []string, orders int) []string {
	var found []string
	for _, row := range rows {
		if strings.Contains(row, "/"+strconv.Itoa(orders)) {
			found = append(found, row)
		}
	}
	return found
}

func TestBarInATerminal(t *testing.T) {
	t.Parallel()
	p := newPane(t, 100, "poscrape-on-stage run pos.csv")
	p.shows(" 36/72")
	want := func(width int) string { return barLine(t, noon, halfOnStage(), width) }
	if got := bars(p.rows()); len(got) != 1 || got[0] != want(100) {
		t.Errorf("the terminal has the bars %q, want %q alone", got, want(100))
	}
	if got := strings.Join(p.rows(), ""); strings.Count(got, "is odd "+strings.Repeat("indeed ", 14)+"indeed") != 4 {
		t.Errorf("the notices are not whole: %s", got)
	}

	// Narrower, and narrower again: what was wrapped is gone, and one bar is there.
	for _, width := range []int{60, 33, 80} {
		p.tmux("resize-window", "-x", strconv.Itoa(width))
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
	if got := strings.Join(rows, "\n"); !strings.Contains(got, "72/72, 60/min\n72 orders in 0s: all ended well.\n") {
		t.Errorf("the summary does not follow the bar on a line of its own:\n%s", got)
	}
}

// pressAgain presses Ctrl-C once more, no sooner than a person can: before that it would be an echo.
func (p *pane) pressAgain() {
	p.t.Helper()
	shown := time.Now()
	testkit.Wait(p.t, "the time in which an echo comes to pass", func() bool { return time.Since(shown) > 2*echo })
	p.tmux("send-keys", "C-c")
}

func TestCtrlCInATerminal(t *testing.T) {
	t.Parallel()
	p := newPane(t, 120, "poscrape-on-stage run --grace 45s pos.csv")
	p.shows(" 36/72")
	p.tmux("send-keys", "C-c")
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
	p.tmux("send-keys", "C-c")
	p.shows("Press Ctrl-C again")
	p.pressAgain()
	p.shows("exit code 130")
	if got := strings.Join(p.rows(), "\n"); strings.Contains(got, "|") {
		t.Errorf("there is a bar:\n%s", got)
	}
}

// The whole, with real browsers.
func TestDemoInATerminal(t *testing.T) {
	t.Parallel()
	p := newPane(t, 100, "poscrape demo --orders 5 --workers 2 --no-scale --out tryout")
	p.shows("exit code ")
	rows := p.rows()
	count := 0
	for _, row := range rows {
		if strings.Contains(row, "/5") {
			count++
		}
	}
	screen := strings.Join(rows, "\n")
	if count != 1 || !strings.Contains(screen, "\n 100% |==============================|  5/5") {
		t.Errorf("the terminal shows %d bars, want one that is full:\n%s", count, screen)
	}
	if !strings.Contains(screen, "As the portal meant it") || !strings.Contains(screen, "exit code 0") {
		t.Errorf("the demo did not end as meant:\n%s", screen)
	}
}
