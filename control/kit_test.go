package control_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/tasks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a session that notes what it is asked for.
type fake struct {
	over chan struct{}

	mu      sync.Mutex
	calls   []string
	workers int
	paused  bool
	refuse  error
	total   int
}

func newFake() *fake { return &fake{over: make(chan struct{}), workers: 4, total: 10} }

func (f *fake) note(call string) error {
	f.calls = append(f.calls, call)
	return f.refuse
}

func (f *fake) Snapshot() control.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := control.Snapshot{Status: control.Status{Protocol: control.Protocol, Status: tasks.SessionRunning, At: time.Now(), Total: f.total}}
	s.Status.Workers.Wanted = f.workers
	if f.paused {
		s.Status.Holds = []control.Hold{{Owner: control.HeldByPerson, Reason: "lunch"}, {Owner: "disk", Reason: "the disk is short"}}
	}
	for range f.workers {
		s.Workers = append(s.Workers, control.Worker{ID: "worker", Tasks: []string{strings.Repeat("x", 20)}})
	}
	return s
}

func (f *fake) Scale(n int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n < 1 || n > 8 {
		return control.Errorf(control.OutOfBounds, "%d is out of bounds", n)
	}
	f.workers = n
	return f.note("scale")
}

func (f *fake) Pause() (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.paused
	f.paused = true
	return was, f.note("pause")
}

func (f *fake) GoOn() (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.paused
	return was, f.note("resume")
}

func (f *fake) Stop(_ string, force bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if force {
		return f.note("stop --force")
	}
	return f.note("stop")
}

func (f *fake) Ended() <-chan struct{} { return f.over }

func (f *fake) told() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.calls, ", ")
}

// folder returns a folder whose path is short enough for a socket, or as long as asked for.
func folder(t *testing.T, long bool) string {
	t.Helper()
	base, err := os.MkdirTemp("", "c") //nolint:usetesting // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(base); err != nil {
			t.Error(err)
		}
	})
	dir := base
	if long {
		dir = filepath.Join(base, strings.Repeat("a", 100), strings.Repeat("b", 100))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// serve serves a session until the test ends.
func serve(t *testing.T, s control.Session, cfg control.Config) *control.Server {
	t.Helper()
	cfg.Session = s
	server, err := control.Serve(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func dial(t *testing.T, dir string) *control.Client {
	t.Helper()
	c, err := control.Dial(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func codeOf(err error) control.Code {
	var e *control.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
