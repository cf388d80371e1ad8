package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// atWork is a session without browsers that its user reaches as any other: by what is in its folder.
// It has five orders, one of which has ended; two are with a worker, and stay there until it is stopped.
type atWork struct {
	ledger *ledger.Ledger
	over   chan struct{}

	mu   sync.Mutex
	shot control.Snapshot
}

// begins DIR has a session run in a folder, until it is stopped, or the script ends.
func begins(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: begins DIR")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o700))
	l, err := ledger.Open(filepath.Join(dir, folder.LedgerName))
	ts.Check(err)
	ts.Defer(func() { _ = l.Close() })
	var specs []tasks.Spec
	for i := range 5 {
		po := fmt.Sprint("PO", 1001+i)
		specs = append(specs, tasks.Spec{Key: po, PO: po, Dir: po})
	}
	_, err = l.Enqueue(context.Background(), specs...)
	record := tasks.Session{ID: uuid.Must(uuid.NewV7()), Status: tasks.SessionRunning, StartedAt: time.Now()}
	ts.Check(cmp.Or(err, l.SaveSession(context.Background(), record)))

	s := &atWork{ledger: l, over: make(chan struct{})}
	s.shot = control.Snapshot{
		Status: control.Status{Protocol: control.Protocol, Session: record.ID, Dir: dir, PID: os.Getpid(), Status: record.Status,
			StartedAt: record.StartedAt, Total: 5, Active: 2, Pending: 2, Completed: 1, Well: 1,
			Workers: control.Workers{Wanted: 4, Allowed: 4, Running: 2, Busy: 1, Idle: 1}},
		Workers: []control.Worker{
			{ID: "worker_001", PID: 4711, Isolation: "container", State: "PROCESSING", Task: "PO1002", Tasks: []string{"PO1002", "PO1003"}, Processed: 2, Succeeded: 1,
				Failed: 1, MemoryBytes: 312_000_000, CPU: 0.5},
			{ID: "worker_002", PID: 4712, State: "READY", Draining: true, Tasks: []string{}},
		},
	}
	server, err := control.Serve(control.Config{Session: s, Dir: dir})
	ts.Check(err)
	ts.Defer(func() {
		if err := server.Close(); err != nil {
			ts.Logf("closing: %v", err)
		}
	})
}

func (s *atWork) Snapshot() control.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.shot
	now.Status.At = time.Now()
	return now
}

func (s *atWork) Ended() <-chan struct{} { return s.over }

func (s *atWork) Scale(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shot.Status.Workers.Wanted = n
	return nil
}

func (s *atWork) Pause() (already bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := &s.shot.Status
	if status.Status == tasks.SessionPaused {
		return true, nil
	}
	status.Status, status.Reason = tasks.SessionPaused, "paused: a person asked for it"
	status.Holds = []control.Hold{{Owner: control.HeldByPerson, Reason: "a person asked for it", Since: time.Now()}}
	return false, nil
}

func (s *atWork) GoOn() (ended bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := &s.shot.Status
	ended = status.Status == tasks.SessionPaused
	status.Status, status.Reason, status.Holds = tasks.SessionRunning, "", nil
	return ended, nil
}

// Stop ends the session: the orders in progress have ended well, or are put back.
func (s *atWork) Stop(reason string, force bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := &s.shot.Status
	if force {
		status.Pending += status.Active
	} else {
		status.Completed += status.Active
		status.Well += status.Active
	}
	status.Active, status.Status, status.Reason, status.Workers = 0, tasks.SessionInterrupted, reason, control.Workers{}
	s.shot.Workers = []control.Worker{}
	record, err := s.ledger.Session(context.Background())
	record.Status, record.Reason, record.EndedAt = status.Status, reason, time.Now()
	err = errors.Join(err, s.ledger.SaveSession(context.Background(), record), s.ledger.Close())
	close(s.over)
	return err
}
