//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// TestOnEnd: the command knows what came of the session, its output is no result, and its failure
// is said, but changes nothing. An interrupted session has its command run, too.
func TestOnEnd(t *testing.T) {
	t.Setenv("POSCRAPE_ON_END", `env | grep ^POSCRAPE_ | sort > told; echo noise; exit 7`)
	dir := t.TempDir()
	t.Chdir(dir)
	r := newStandIn()
	end := wellEnd()
	end.Total, end.ByOutcome = 5, map[tasks.Outcome]int{tasks.OutcomeComplete: 2, tasks.OutcomeFailed: 1}
	end.Confirmed, end.Lacking = 1, []session.Lacking{{Lack: "nothing", Orders: 1}}
	end.Status, end.Cause, end.Reason = tasks.SessionInterrupted, session.CauseUser, "lunch; $(rm -rf x)"
	r.run = func(context.Context) (session.End, error) { return end, nil }
	tr := newTrial(r, nil)
	if code := tr.execute(t.Context(), []string{"run", "--json", "pos.csv"}); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	told, err := os.ReadFile("told")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"DIR=" + filepath.Join(dir, "the-folder"), "EXIT_CODE=130", "STATUS=INTERRUPTED", "REASON=lunch; $(rm -rf x)", "TOTAL=5", "OPEN=2",
		"WELL=2", "NOT_WELL=1", "COMPLETE=2", "FAILED=1", "TIMEOUT=0", "CONFIRMED=1", "LISTED=1"} {
		if !strings.Contains("\n"+string(told), "\nPOSCRAPE_"+want+"\n") {
			t.Errorf("it is not told %s but\n%s", want, told)
		}
	}
	if strings.Contains(string(told), "POSCRAPE_ON_END") {
		t.Error("the command is told itself")
	}
	out := tr.out.String()
	if strings.Contains(out, "noise") || tr.err.String() != "noise\n" ||
		!strings.Contains(out, `"level":"warning","message":"the command of --on-end failed: exit status 7; the exit code stays 130"}`) || !strings.HasSuffix(out, `"exit_code":130}`+"\n") {
		t.Errorf("printed\n%s%s", out, tr.err.String())
	}
}

// TestOnEndIsInterrupted: a command that hangs does not keep poscrape from ending.
func TestOnEndIsInterrupted(t *testing.T) {
	t.Parallel()
	r := newStandIn()
	r.run = func(context.Context) (session.End, error) { return wellEnd(), nil }
	tr := newTrial(r, nil)
	mark := filepath.Join(t.TempDir(), "begun")
	tr.start(t, "run", "--on-end", "touch '"+mark+"'; exec sleep 600", "pos.csv")
	testkit.Wait(t, "the command to begin", func() bool { return there(mark) })
	tr.signals <- os.Interrupt
	if code := tr.wait(t); code != exitWell || !strings.Contains(tr.err.String(), "the command of --on-end failed: it was interrupted; the exit code stays 0") {
		t.Errorf("exit code %d, and %s", code, tr.err.String())
	}
}
