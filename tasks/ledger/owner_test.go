package ledger

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

func TestSecondOwnerIsRefused(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	before := time.Now().Add(-time.Second)
	l := openAt(t, path)
	var owned *OwnedError
	if _, err := Open(path); !errors.As(err, &owned) {
		t.Fatalf("second Open: %v, want an OwnedError", err)
	}
	if owned.PID != os.Getpid() || owned.Since.Before(before) || !strings.Contains(owned.Error(), path) {
		t.Errorf("owned by %d since %v: %v", owned.PID, owned.Since, owned)
	}
	closeLedger(t, l)
	openAt(t, path)
}

// TestOwnersTakeTurns lets many open the same file: never two at a time, though
// each removes the lock's file.
func TestOwnersTakeTurns(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	var owners, turns atomic.Int64
	var crowd sync.WaitGroup
	for range 6 {
		crowd.Go(func() {
			for turns.Load() < 40 {
				lock, err := acquire(path)
				var owned *OwnedError
				if errors.As(err, &owned) {
					continue
				}
				if err != nil {
					t.Errorf("acquire: %v", err)
					return
				}
				if n := owners.Add(1); n != 1 {
					t.Errorf("%d owners at once", n)
				}
				turns.Add(1)
				owners.Add(-1)
				if err := lock.release(); err != nil {
					t.Errorf("release: %v", err)
					return
				}
			}
		})
	}
	crowd.Wait()
}

// TestLockOfARemovedFileIsWorthless: one who opened the lock's file just before
// its owner removed it holds a lock that nobody else sees.
func TestLockOfARemovedFileIsWorthless(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no file that is open")
	}
	path := newPath(t)
	held, err := acquire(path)
	testkit.Must(t, err)
	name := held.file.Path()
	if !current(held.file, name) {
		t.Error("a lock that was just taken is not current")
	}
	testkit.Must(t, os.Remove(name))
	if current(held.file, name) {
		t.Error("the lock of a removed file is current")
	}
	other, err := acquire(path)
	testkit.Must(t, err)
	if current(held.file, name) || !current(other.file, name) {
		t.Error("the lock of a replaced file is current")
	}
	testkit.Must(t, errors.Join(held.file.Unlock(), other.release()))
}

func TestReopenReleasesWhatWasInProgress(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	l := openAt(t, path)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(4)...)))
	done, started, claimed := claimOne(t, l, "w1"), claimOne(t, l, "w2"), claimOne(t, l, "w3")
	testkit.Must(t, l.Start(t.Context(), done))
	testkit.Must(t, l.Record(t.Context(), done, completed()))
	testkit.Must(t, l.Start(t.Context(), started))
	closeLedger(t, l)

	l = openAt(t, path)
	if s, err := l.Stats(t.Context()); err != nil || s.Active() != 0 || s.Ready != 3 {
		t.Errorf("stats %+v, %v", s, err)
	}
	for _, old := range []*tasks.Lease{done, started, claimed} {
		for name, err := range map[string]error{
			"Start": l.Start(t.Context(), old), "Extend": l.Extend(t.Context(), old), "Record": l.Record(t.Context(), old, completed()),
		} {
			if !errors.Is(err, tasks.ErrLeaseLost) {
				t.Errorf("%s with a lease of the earlier owner: %v", name, err)
			}
		}
	}
	task, err := l.Get(t.Context(), started.Task.ID)
	testkit.Must(t, err)
	if task.Attempts != 0 || task.Outcome != tasks.OutcomeInterrupted || len(task.History) != 1 || !task.History[0].Released {
		t.Errorf("the started task: %s with %d attempts, history %+v", task.Outcome, task.Attempts, task.History)
	}
	task, err = l.Get(t.Context(), claimed.Task.ID)
	testkit.Must(t, err)
	if task.Attempts != 0 || task.Outcome != "" || len(task.History) != 0 {
		t.Errorf("the claimed task: %q with %d attempts, history %+v", task.Outcome, task.Attempts, task.History)
	}
	for range 3 {
		if again := claimOne(t, l, "w1"); again.Epoch <= started.Epoch {
			t.Errorf("%s has the epoch %d after %d", again.Task.Key, again.Epoch, started.Epoch)
		}
	}
}

// TestKilledOwner kills a process that works on a session: whatever it said it
// had recorded is there, what it held is due again, and nobody owns the file.
func TestKilledOwner(t *testing.T) {
	t.Parallel()
	const n = 30
	path := newPath(t)
	l := openAt(t, path)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(n)...)))
	closeLedger(t, l)

	child, lines := startChild(t, path)
	var recorded []string
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "holds") {
		recorded = append(recorded, lines.Text())
	}
	var owned *OwnedError
	if _, err := Open(path); !errors.As(err, &owned) || owned.PID != child.Process.Pid {
		t.Errorf("Open while the child lives: %v", err)
	}
	reader, err := OpenReadOnly(path)
	testkit.Must(t, err)
	if s, err := reader.Stats(t.Context()); err != nil || s.ByState[tasks.StateProcessing] != 1 {
		t.Errorf("stats of the running session: %+v, %v", s, err)
	}
	testkit.Must(t, child.Process.Kill())
	_ = child.Wait() // the error says that it was killed
	if s, err := reader.Stats(t.Context()); err != nil || s.ByOutcome[tasks.OutcomeComplete] != n-1 {
		t.Errorf("stats of the killed session: %+v, %v", s, err)
	}
	closeLedger(t, reader)

	if len(recorded) != n-1 {
		t.Fatalf("the child recorded %d of %d: %v", len(recorded), n, recorded)
	}
	l = openAt(t, path)
	complete := make(map[string]bool)
	testkit.Must(t, l.Each(t.Context(), func(task *tasks.ProcessingTask) error {
		complete[task.Key] = task.Outcome == tasks.OutcomeComplete && task.Result != nil
		return nil
	}))
	for _, key := range recorded {
		if !complete[key] {
			t.Errorf("the record of %s is lost", key)
		}
	}
	testkit.Must(t, l.Start(t.Context(), claimOne(t, l, "w")))
	closeLedger(t, l)
	wantAlone(t, path)
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	l := openAt(t, path)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(2)...)))
	lease := claimOne(t, l, "w")
	reader, err := OpenReadOnly(path)
	testkit.Must(t, err)
	ctx := t.Context()
	calls := map[string]func() error{
		"Enqueue":     func() error { return errOf(reader.Enqueue(ctx, manySpecs(3)...)) },
		"Claim":       func() error { _, err := reader.Claim(ctx, tasks.ClaimRequest{Worker: "w"}); return err },
		"Start":       func() error { return reader.Start(ctx, lease) },
		"Extend":      func() error { return reader.Extend(ctx, lease) },
		"Record":      func() error { return reader.Record(ctx, lease, completed()) },
		"Reap":        func() error { _, err := reader.Reap(ctx); return err },
		"Retry":       func() error { _, err := reader.Retry(ctx, tasks.OutcomeFailed); return err },
		"SaveSession": func() error { return reader.SaveSession(ctx, tasks.Session{}) },
		"AppendEvent": func() error { return reader.AppendEvent(ctx, tasks.Event{}) },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v, want ErrReadOnly", name, err)
		}
	}
	// The reader sees what the owner does, at once.
	testkit.Must(t, l.Start(ctx, lease))
	testkit.Must(t, l.Record(ctx, lease, completed()))
	if task, err := reader.Get(ctx, lease.Task.ID); err != nil || task.State != tasks.StateCompleted {
		t.Errorf("Get: %+v, %v", task, err)
	}
	closeLedger(t, l)
	if s, err := reader.Stats(ctx); err != nil || s.Total != 2 {
		t.Errorf("stats after the owner has closed: %+v, %v", s, err)
	}
	closeLedger(t, reader)
	if _, err := reader.Stats(ctx); !errors.Is(err, tasks.ErrClosed) {
		t.Errorf("Stats after Close: %v", err)
	}
}
