// Package testkit holds what tests of many packages do: wait for a condition, write and
// read files. Tests alone import it.
//
// It waits in real time. In a bubble of testing/synctest one waits with synctest.Wait.
package testkit

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Patience bounds the wait for what must come. It is there so that a test that hangs says
// where: no test may fail by it because the machine is slow.
const Patience = 2 * time.Minute

// pause is how long Holds waits between two looks.
const pause = 5 * time.Millisecond

// Holds waits for a condition, and reports whether it has come to hold.
func Holds(condition func() bool) bool { return holdsWithin(Patience, condition) }

func holdsWithin(limit time.Duration, condition func() bool) bool {
	late := time.NewTimer(limit)
	defer late.Stop()
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-late.C:
			return condition()
		}
	}
	return true
}

// OpenTempDir returns a directory as t.TempDir does that other users can enter: as root, Chrome
// runs as one of them.
func OpenTempDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, closed := range []string{filepath.Dir(dir), dir} {
		Must(t, os.Chmod(closed, 0o711))
	}
	return dir
}

// Wait returns when the condition holds, and fails the test if it never does.
func Wait(t testing.TB, what string, condition func() bool) {
	t.Helper()
	if !Holds(condition) {
		t.Fatalf("waited %v in vain for %s", Patience, what)
	}
}

// Receive returns what comes from the channel, or its zero value when the channel is
// closed, and fails the test if nothing comes.
func Receive[T any](t testing.TB, what string, from <-chan T) (got T) {
	t.Helper()
	late := time.NewTimer(Patience)
	defer late.Stop()
	select {
	case got = <-from:
	case <-late.C:
		t.Fatalf("waited %v in vain for %s", Patience, what)
	}
	return got
}

// InVain tries what waits in vain, with longer and longer limits: what a slow machine does not
// come to within the first, it does within a later one. The test fails for the last error.
func InVain(t testing.TB, first time.Duration, try func(limit time.Duration) error) {
	t.Helper()
	for limit := first; ; limit *= 4 {
		err := try(limit)
		if err == nil {
			return
		}
		if 4*limit > Patience {
			t.Errorf("within %v: %v", limit, err)
			return
		}
	}
}

// Must fails the test for an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Write writes a file of this text, and the folders that it is in, and returns its path.
func Write(t testing.TB, path, text string) string {
	t.Helper()
	Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	Must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	Must(t, err)
	return string(text)
}

// ReadJSON reads a file of JSON, such as a report.json.
func ReadJSON[T any](t testing.TB, path string) (v T) {
	t.Helper()
	text, err := os.ReadFile(path)
	Must(t, err)
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

// EndServer closes a server that browsers ask which may outlive it: it takes no new connection
// while it closes those that there are, as a browser tries again what was cut off.
func EndServer(s *httptest.Server) {
	_ = s.Listener.Close() // Close does that again
	s.CloseClientConnections()
	s.Close()
}

// OwnState are the tests of a package that runs sessions: what they keep in the state directory is
// kept in one of their own, and gone when they end. It is what goleak.VerifyTestMain takes.
type OwnState struct{ *testing.M }

// Run runs them.
func (tests OwnState) Run() int {
	dir, err := os.MkdirTemp("", "poscrape-state-")
	if err == nil {
		err = os.Setenv("POSCRAPE_STATE_DIR", dir)
	}
	if err != nil {
		panic(err)
	}
	code := tests.M.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	return code
}
