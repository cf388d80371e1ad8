//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
)

// tmuxPane is a terminal that others have written.
type tmuxPane struct {
	t      *testing.T
	socket string
	dir    string
}

// newTmuxPane runs a shell command in a terminal of so many columns, and keeps the
// terminal open when it has ended, after a line with its exit code.
func newTmuxPane(t *testing.T, columns int, command string) *tmuxPane {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes seconds to see what a terminal shows")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux here: the bar is not tried in a terminal of others")
	}
	sockets, err := os.MkdirTemp("", "t") //nolint:usetesting // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	p := &tmuxPane{t: t, socket: filepath.Join(sockets, "s"), dir: t.TempDir()}
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

func (p *tmuxPane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// rows returns what is on the screen and above it, without empty lines.
func (p *tmuxPane) rows() []string {
	var rows []string
	for line := range strings.Lines(p.tmux("capture-pane", "-p", "-S", "-")) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			rows = append(rows, line)
		}
	}
	return rows
}

// shows waits until the screen has a text.
func (p *tmuxPane) shows(text string) {
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

// TestBarInTmux: the bar is drawn, and drawn anew in other widths, also by a terminal that is not this
// test's own. What else there is to see in one is tried without it.
func TestBarInTmux(t *testing.T) {
	t.Parallel()
	p := newTmuxPane(t, 100, "poscrape-on-stage run pos.csv")
	p.shows(" 36/72")
	for _, width := range []int{100, 33, 80} {
		p.tmux("resize-window", "-x", strconv.Itoa(width))
		testkit.Wait(t, "one bar of the new width", func() bool {
			got := bars(p.rows())
			return len(got) == 1 && got[0] == barLine(t, noon, halfOnStage(), width)
		})
	}
	if err := os.WriteFile(filepath.Join(p.dir, stageCue), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.shows("exit code 0")
}
