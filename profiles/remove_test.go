package profiles

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var errBusy = errors.New("busy")

// busy makes removals of directories that contain name fail the first n times.
func busy(m *ProfileManager, name string, n int) *atomic.Int64 {
	var tries atomic.Int64
	remove := m.removeAll
	m.removeAll = func(dir string) error {
		if strings.Contains(dir, name) && tries.Add(1) <= int64(n) {
			return fmt.Errorf("unlink %s: %w", dir, errBusy)
		}
		return remove(dir)
	}
	return &tries
}

func TestRemoveLeavesNothing(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{})
	p := create(t, m, "worker")
	write(t, filepath.Join(p.Downloads, "a", "b", "c.pdf"), "pdf")
	if err := p.RecordProcess(os.Getpid(), 0, time.Now()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is gone already
		if err := m.Remove(p); err != nil {
			t.Fatal(err)
		}
	}
	wantOnlyOwner(t, m)
	if m.Len() != 0 {
		t.Errorf("%d profiles", m.Len())
	}
}

func TestRemoveTriesAgain(t *testing.T) {
	t.Parallel()
	for _, failures := range []int{1, 2, 7} {
		t.Run(fmt.Sprint(failures), func(t *testing.T) {
			t.Parallel()
			m := newManager(t, Config{})
			synctest.Test(t, func(t *testing.T) {
				p := create(t, m, "worker")
				tries := busy(m, "worker", failures)
				if err := m.Remove(p); err != nil {
					t.Error(err)
				}
				if tries.Load() != int64(failures+1) {
					t.Errorf("%d tries, want %d", tries.Load(), failures+1)
				}
			})
		})
	}
}

func TestWhatCannotBeRemovedIsNamed(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		m, err := NewManager(Config{Parent: parent, Max: 3, CleanupTimeout: 10 * time.Second, MinFree: 1})
		if err != nil {
			t.Fatal(err)
		}
		stuck := create(t, m, "stuck")
		create(t, m, "other")
		busy(m, "stuck", 1<<30)
		began := time.Now()

		n, err := m.RemoveAll()
		if n != 1 || !errors.Is(err, errBusy) {
			t.Errorf("RemoveAll: %d, %v", n, err)
		}
		wantMessage(t, err, "stuck", stuck.Path, "10s")
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("RemoveAll took %v", took)
		}
		if m.Len() != 1 {
			t.Errorf("%d profiles exist, want the stuck one", m.Len())
		}
		err = m.Close()
		wantMessage(t, err, stuck.Path)
		if left, err := Leftovers(parent); err != nil || len(left) != 0 {
			t.Errorf("a living owner's directory counts as left: %v, %v", left, err)
		}

		m.removeAll = m.root.RemoveAll // whatever it was has let go
		if err := m.Close(); err != nil {
			t.Errorf("second Close: %v", err)
		}
		wantEmpty(t, parent)
	})
}

// TestRemoveWhileSomethingStillWrites removes a profile while files appear in
// it, as those of a browser that is about to end.
func TestRemoveWhileSomethingStillWrites(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{})
	p := create(t, m, "worker")
	var tries atomic.Int64
	remove := m.removeAll
	m.removeAll = func(dir string) error {
		defer tries.Add(1)
		return remove(dir)
	}
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; tries.Load() < 2; i++ {
			dir := filepath.Join(p.Path, "Default", fmt.Sprint(i%10))
			_ = os.MkdirAll(dir, 0o700)
			_ = os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600)
		}
	})
	err := m.Remove(p)
	tries.Store(2)
	writer.Wait()
	if err != nil {
		t.Fatal(err)
	}
	// What the writer made after the end is not the manager's any more.
	if err := os.RemoveAll(p.Path); err != nil {
		t.Fatal(err)
	}
}

func TestRemoveAllCounts(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{})
	for i := range 5 {
		create(t, m, fmt.Sprint("worker_", i))
	}
	if n, err := m.RemoveAll(); n != 5 || err != nil {
		t.Errorf("RemoveAll: %d, %v, want 5", n, err)
	}
	wantOnlyOwner(t, m)
	if n, err := m.RemoveAll(); n != 0 || err != nil {
		t.Errorf("second RemoveAll: %d, %v, want 0", n, err)
	}
	create(t, m, "again")
}
