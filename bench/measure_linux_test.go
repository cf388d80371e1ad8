package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/proc"
)

// The tests of this file are not parallel: what they measure takes each child of
// this process for one of the tool's.

// busy is a shell's work of some hundredths of a second at least.
const busy = `i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done;`

func shell(script string) *exec.Cmd { return exec.Command("sh", "-c", script) }

func runShell(ctx context.Context, t *testing.T, script string, grace time.Duration) (usage, error) {
	t.Helper()
	if err := adoptOrphans(); err != nil {
		t.Fatal(err)
	}
	u, err := meter{every: time.Millisecond, grace: grace}.run(ctx, shell(script))
	if _, running, reapErr := reap(); reapErr != nil || len(running) > 0 {
		t.Errorf("children left: %v, %v", running, reapErr)
	}
	return u, err
}

func TestMeterTellsTheToolFromItsChildren(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures processes for seconds")
	}
	for _, c := range []struct {
		name, script string
		// own: the tool itself works, and not its children.
		own bool
	}{
		{"its own work", busy, true},
		{"a child's work", "sh -c '" + busy + "'; true", false},
		{"the work of a child that nobody waits for", `perl -e '$SIG{CHLD} = "IGNORE"; if (fork) { wait } else { 1 while (times)[0] < 0.2 }'; true`, false},
		{"an orphan's work", "sh -c '" + busy + "' & exit 0", false},
		{"an orphan's, whose parent was killed", "sh -c 'sh -c \"" + strings.ReplaceAll(busy, "$", `\$`) + "\" & kill -9 $$'; true", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, err := runShell(t.Context(), t, c.script, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			busy, idle := u.browsers, u.own
			if c.own {
				busy, idle = u.own, u.browsers
			}
			if busy < 2*proc.Tick || idle > busy/2 {
				t.Errorf("own CPU time %v, its children's %v: want its own to be the most: %t", u.own, u.browsers, c.own)
			}
			if u.wall <= 0 {
				t.Errorf("it took %v", u.wall)
			}
		})
	}
}

func TestMeterTellsWhyAToolFailed(t *testing.T) {
	_, err := runShell(t.Context(), t, "echo no Chrome >&2; exit 7", time.Hour)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 || !strings.Contains(err.Error(), "no Chrome") {
		t.Errorf("error %v, want one with code 7 and what it said", err)
	}
}

// What a tool leaves behind is ended, and makes its turn void.
func TestMeterClearsUp(t *testing.T) {
	_, err := runShell(t.Context(), t, "sleep 1000 >/dev/null 2>&1 & exit 0", time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "left 1 processes behind") {
		t.Errorf("error %v, want one about a process that was left", err)
	}
}

func TestMeterEndsWithItsContext(t *testing.T) {
	errEnough := errors.New("enough")
	for _, script := range []string{
		"exec sleep 1000",
		"trap '' TERM; while :; do sleep 0.01; done", // it will not listen
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errEnough)
		_, err := runShell(ctx, t, script, 50*time.Millisecond)
		if !errors.Is(err, errEnough) {
			t.Errorf("%s: error %v, want %v", script, err, errEnough)
		}
	}
}

func TestMemoryIsThatOfTheChildren(t *testing.T) {
	cmd := shell("cat; true") // two processes, until the end of their input
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	both, err := memory(0)
	if err != nil || both <= 0 {
		t.Errorf("got %d bytes, %v", both, err)
	}
	if err := errors.Join(input.Close(), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	if none, err := memory(0); err != nil || none != 0 {
		t.Errorf("without a child, got %d bytes, %v", none, err)
	}
}

// The portal is left alone by all that is done to a tool's processes.
func TestPortalIsAProcessOfItsOwn(t *testing.T) {
	p, err := startPortal(portal.BenchConfig{Orders: 3, Documents: 1, DocumentSize: 4096})
	if err != nil {
		t.Fatal(err)
	}
	if bytes, err := memory(p.pid()); err != nil || bytes != 0 {
		t.Errorf("the portal's memory is counted: %d bytes, %v", bytes, err)
	}
	if err := adoptOrphans(); err != nil {
		t.Fatal(err)
	}
	if _, err := (meter{portal: p.pid(), every: time.Millisecond, grace: time.Hour}).run(t.Context(), shell("true")); err != nil {
		t.Error(err)
	}
	sheet := p.sheet(2)
	if len(sheet) != 2 || len(p.Orders) != 3 {
		t.Fatalf("a sheet of %d orders, of %d", len(sheet), len(p.Orders))
	}
	answer, err := http.Get(sheet[1].URL)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(answer.Body)
	http.DefaultClient.CloseIdleConnections()
	if err = errors.Join(err, answer.Body.Close()); err != nil || !strings.Contains(string(page), sheet[1].PO) {
		t.Errorf("%s is not about %s (%v)", sheet[1].URL, sheet[1].PO, err)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
	if !p.cmd.ProcessState.Success() {
		t.Errorf("the portal ended with %s", p.cmd.ProcessState)
	}
}

func TestPortalThatCannotStart(t *testing.T) {
	if p, err := startPortal(portal.BenchConfig{}); err == nil {
		t.Errorf("a portal without orders runs as %d", p.pid())
	}
}

func TestLinesPassOnWholeLines(t *testing.T) {
	t.Parallel()
	var got []string
	l := &lines{each: func(line []byte, _ time.Time) { got = append(got, string(line)) }}
	for _, piece := range []string{"a", "b\nc\n", "", "d"} {
		if n, err := l.Write([]byte(piece)); err != nil || n != len(piece) {
			t.Errorf("%q: %d, %v", piece, n, err)
		}
	}
	if !slices.Equal(got, []string{"ab", "c"}) {
		t.Errorf("got %q", got)
	}
}
