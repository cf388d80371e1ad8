package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// steerable is a session of a folder that does what it is asked for, if it does not refuse.
type steerable struct {
	dir  string
	over chan struct{}
	// end ends the session with a status, and lets its folder go.
	end func(tasks.SessionStatus)
	// leave has nobody reach it any more.
	leave func()

	mu     sync.Mutex
	shot   control.Snapshot
	refuse error
	// stop is what Stop does.
	stop func() error
}

// newSteerable serves a session of three orders in a folder.
func newSteerable(t *testing.T) *steerable {
	t.Helper()
	dir, l := newSessionFolder(t, 3)
	s := &steerable{dir: dir, over: make(chan struct{}), stop: func() error { return nil }}
	s.shot.Status = control.Status{Protocol: control.Protocol, Dir: dir, Status: tasks.SessionRunning, Total: 3}
	server, err := control.Serve(control.Config{Session: s, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	s.end = func(status tasks.SessionStatus) {
		once.Do(func() {
			ctx := context.WithoutCancel(t.Context())
			record, err := l.Session(ctx)
			record.Status = status
			if err = errors.Join(err, l.SaveSession(ctx, record), l.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	s.leave = func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(func() { s.end(tasks.SessionCompleted); s.leave() })
	return s
}

func (s *steerable) Snapshot() control.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shot
}

func (s *steerable) Scale(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shot.Status.Workers.Wanted = n
	return s.refuse
}

func (s *steerable) Pause() (bool, error)    { return false, s.Scale(4) }
func (s *steerable) GoOn() (bool, error)     { return true, s.Scale(4) }
func (s *steerable) Stop(string, bool) error { return s.stop() }
func (s *steerable) Ended() <-chan struct{}  { return s.over }

// steer runs a worker command, and returns its exit code and what it has printed.
func steer(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	tr := newTrial(nil, nil)
	tr.start(t, append([]string{"worker"}, args...)...)
	code = tr.wait(t)
	return code, tr.out.String(), tr.err.String()
}

// wantRefused checks that a command ends with an error of this code, which --json has on standard output, too.
func wantRefused(t *testing.T, code control.Code, exit int, says string, args ...string) {
	t.Helper()
	got, out, errs := steer(t, append(args, "--json")...)
	var refused struct{ Error control.Error }
	if err := json.Unmarshal([]byte(out), &refused); err != nil || refused.Error.Code != code {
		t.Errorf("%v: %v, and on standard output %q", args, err, out)
	}
	if got != exit || !strings.HasPrefix(errs, "poscrape: "+string(code)+": ") || !strings.Contains(errs, says) {
		t.Errorf("%v: exit code %d, %q; want %d, %s with %q", args, got, errs, exit, code, says)
	}
}

// TestWorkerSays: what is asked for is done, and what follows from it is said.
func TestWorkerSays(t *testing.T) {
	t.Parallel()
	s := newSteerable(t)
	s.shot.Status.Limits = []control.Limit{{Owner: "load", Workers: 2, Reason: "CPU 91 % over 80 %"}, {Owner: "launches", Workers: 5}}
	if code, out, errs := steer(t, "scale", "4", "--session", s.dir); code != 0 || errs != "" ||
		!strings.HasSuffix(out, ": 4 workers are asked for; there are 2 at most for now: CPU 91 % over 80 %\n") {
		t.Errorf("scale: exit code %d, %q %q", code, out, errs)
	}
	made := time.Date(2026, 3, 2, 12, 0, 0, 0, time.Local)
	s.shot.Status.History = control.History{CreatedAt: made, Opened: 5, Lost: 1, Claims: 4, WaitedMS: 6000}
	if code, out, errs := steer(t, "status", "--session", s.dir); code != 0 || errs != "" || !strings.Contains(out, "0/3 ended (0 %)") ||
		!strings.Contains(out, "\npool     made at 12:00:00, 5 workers opened, 1 lost, 4 orders claimed, after 1.5s on average\n") {
		t.Errorf("status: exit code %d, %q %q", code, out, errs)
	}
	if code, out, errs := steer(t, "list", "--session", s.dir); code != 0 || errs != "" || out != "no worker is there now\n" {
		t.Errorf("list: exit code %d, %q %q", code, out, errs)
	}
}

// TestWorkerErrors: each error has its code, says what was seen, and ends with the code's exit code.
func TestWorkerErrors(t *testing.T) {
	t.Parallel()
	s := newSteerable(t)
	wantRefused(t, control.OutOfBounds, exitUsage, "between 1 and 8", "scale", "9", "--session", s.dir)
	wantRefused(t, control.OutOfBounds, exitUsage, `two`, "scale", "two", "--session", s.dir)
	if code, _, errs := steer(t, "scale", "-1"); code != exitUsage || !strings.HasPrefix(errs, "poscrape: WORKER-005: ") || !strings.Contains(errs, "-1") {
		t.Errorf("scale -1: exit code %d, %q", code, errs)
	}
	s.refuse = control.Errorf(control.StartFailed, "the session ends: no worker can be opened")
	wantRefused(t, control.StartFailed, exitInternal, "no worker can be opened", "scale", "4", "--session", s.dir)
	wantRefused(t, control.NotFound, exitUsage, "does not exist", "list", "--session", filepath.Join(s.dir, "none"))
	wantRefused(t, control.NotFound, exitUsage, "is not the folder of a session", "list", "--session", t.TempDir())
	for status, says := range map[tasks.SessionStatus]string{
		tasks.SessionCompleted: "has ended: see ", tasks.SessionInterrupted: "does not run any more (INTERRUPTED)",
		tasks.SessionRunning: "has recorded no end (it stands as RUNNING)",
	} {
		ended := newSteerable(t)
		ended.end(status)
		ended.leave()
		for _, command := range []string{"pause", "stop"} {
			wantRefused(t, control.NotRunning, exitUsage, says, command, "--session", ended.dir)
		}
	}
}

// TestStopMeetsTheEnd: where a session ends by itself while it is being stopped, that is what was asked
// for. Where nothing says that it has ended in order, it is not.
func TestStopMeetsTheEnd(t *testing.T) {
	t.Parallel()
	refuse := control.Errorf(control.NotRunning, "it is over")
	for _, json := range []string{"--json", "--json=false"} {
		s := newSteerable(t)
		s.stop = func() error { s.end(tasks.SessionCompleted); return refuse }
		code, out, errs := steer(t, "stop", json, "--session", s.dir)
		if code != 0 || errs != "" || !strings.Contains(out, "it has ended before it could be stopped") || !strings.Contains(out, "COMPLETED") {
			t.Errorf("exit code %d, %q %q", code, out, errs)
		}
	}
	s := newSteerable(t)
	s.stop = func() error { s.end(tasks.SessionRunning); return refuse }
	wantRefused(t, control.NotRunning, exitUsage, "has recorded no end", "stop", "--session", s.dir)
	s = newSteerable(t)
	s.stop = func() error { s.end(tasks.SessionCompleted); return nil }
	close(s.over) // its last status is served
	if code, out, errs := steer(t, "stop", "--session", s.dir); code != 0 || errs != "" {
		t.Errorf("exit code %d, %q %q", code, out, errs)
	}
}

// TestWorkerFindsTheSession that runs below the current folder, and says which there are where it is not one.
func TestWorkerFindsTheSession(t *testing.T) {
	t.Chdir(t.TempDir())
	wantRefused(t, control.NotFound, exitUsage, "there is no session below", "status")
	place := func(name string) *ledger.Ledger {
		dir := filepath.Join(session.DefaultPlace, name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		l, err := ledger.Open(filepath.Join(dir, folder.LedgerName))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		return l
	}
	if err := place("ended").Close(); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, control.NotFound, exitUsage, "These do not run:\n  "+filepath.Join(session.DefaultPlace, "ended"), "status")
	place("one")
	place("two")
	wantRefused(t, control.NotFound, exitUsage, "2 sessions run below", "status")
}
