package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// syncBuffer is a bytes.Buffer for several goroutines.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// standIn is a runner that does what a test tells it, and notes what it is told.
type standIn struct {
	// run is what Run does; nil means to wait for stop.
	run func(ctx context.Context) (session.End, error)
	// stop ends Run with its value.
	stop chan session.End

	mu    sync.Mutex
	calls []string
}

func newStandIn() *standIn { return &standIn{stop: make(chan session.End, 1)} }

func (s *standIn) Run(ctx context.Context) (session.End, error) {
	s.note("run")
	if s.run != nil {
		return s.run(ctx)
	}
	return <-s.stop, nil
}

func (s *standIn) Interrupt(reason string) { s.note("interrupt: " + reason) }
func (s *standIn) Abort(reason string)     { s.note("abort: " + reason) }
func (s *standIn) Dir() string             { return "the-folder" }
func (s *standIn) Close() error            { s.note("close"); return nil }

func (*standIn) Control() control.Session { return nil }

func (s *standIn) note(call string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
}

func (s *standIn) called(call string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.calls, call)
}

func (s *standIn) told() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.calls, "; ")
}

// trial is a program whose world is the test's.
type trial struct {
	program
	out, err syncBuffer
	signals  chan os.Signal
	done     chan int
}

// newTrial returns a program that opens the given session, and notes the
// settings that it is opened with.
func newTrial(r runner, opened *session.Config) *trial {
	tr := &trial{signals: make(chan os.Signal, maxSignals), done: make(chan int, 1)}
	tr.program = program{
		stdin: strings.NewReader(""), stdout: &tr.out, stderr: &tr.err, now: time.Now,
		listen: func() (<-chan os.Signal, func()) { return tr.signals, func() {} },
		open: func(_ context.Context, cfg session.Config) (runner, error) {
			if opened != nil {
				*opened = cfg
			}
			if r == nil {
				return nil, errors.New("nothing to open")
			}
			return r, nil
		},
	}
	return tr
}

// start runs a command in the background; its exit code comes on done.
func (tr *trial) start(t *testing.T, args ...string) {
	go func() { tr.done <- tr.execute(t.Context(), args) }()
}

// wait returns the exit code.
func (tr *trial) wait(t *testing.T) int {
	t.Helper()
	select {
	case code := <-tr.done:
		return code
	case <-time.After(testkit.Patience):
		t.Fatalf("the command does not end; it printed\n%s%s", tr.out.String(), tr.err.String())
		return 0
	}
}

// wellEnd is the end of a session in which all went well.
func wellEnd() session.End {
	return session.End{
		Dir: "the-folder", Files: []string{"report.json", "results.csv"}, Status: tasks.SessionCompleted,
		Total: 2, ByOutcome: map[tasks.Outcome]int{tasks.OutcomeComplete: 2}, Took: 3 * time.Second,
	}
}
