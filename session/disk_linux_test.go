package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// TestOutputRunsFull: nothing keeps the documents from filling the disk of the
// session folder, until a write fails.
func TestOutputRunsFull(t *testing.T) {
	t.Parallel()
	synctest.Test(t, outputRunsFull)
}

// bulky returns stand-ins that take some time for each order, and bring a document of so many bytes.
func bulky(size int) *session.StandIns {
	return &session.StandIns{Act: func(task *tasks.ProcessingTask) session.Act {
		text := session.Documents(task.PO)
		for name := range text {
			text[name] += strings.Repeat(" ", size)
		}
		return session.Act{Takes: 100 * time.Millisecond, Documents: text}
	}}
}

func outputRunsFull(t *testing.T) {
	cfg := standing(t, 60)
	cfg.Out, cfg.MinFree = filepath.Join(smallDisk(t, 24), "out"), 1
	end, r := runOn(t, cfg, bulky(1<<20))
	checkTrue(t, nil, end)
	for _, text := range []string{"the disk of " + cfg.Out, "free some space", "poscrape resume " + cfg.Out} {
		if !strings.Contains(end.Reason, text) {
			t.Errorf("the reason %q does not say %q", end.Reason, text)
		}
	}
	if r.Totals.Completed == 0 || r.Totals.Pending == 0 {
		t.Errorf("%d orders ended and %d did not: the disk was not filled in mid-run", r.Totals.Completed, r.Totals.Pending)
	}
}

// TestDiskRunsShort: the session pauses while there is still room, and ends when
// nobody makes more.
func TestDiskRunsShort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, diskRunsShort)
}

func diskRunsShort(t *testing.T) {
	cfg := standing(t, 60)
	cfg.Out, cfg.DiskPatience = filepath.Join(smallDisk(t, 24), "out"), time.Minute
	var once sync.Once
	cfg.OnProgress = func(progress session.Progress) {
		if progress.Done > 2 { // something else fills the disk
			once.Do(func() { fillDisk(t, filepath.Join(filepath.Dir(cfg.Out), "filler"), 7_000_000) })
		}
	}
	end, r := runOn(t, cfg, bulky(1<<16))
	checkTrue(t, nil, end)
	for _, text := range []string{"the disk of " + cfg.Out + " has ", " are missing", "poscrape resume " + cfg.Out} {
		if !strings.Contains(end.Reason, text) {
			t.Errorf("the reason %q does not say %q", end.Reason, text)
		}
	}
	if story := storyOf(r); !slices.Contains(story, tasks.EventPaused) || slices.Contains(story, tasks.EventResumed) {
		t.Errorf("the story is %v", story)
	}
	for _, task := range r.Tasks {
		if releasedAttempts(task) > 0 {
			t.Errorf("%s was in progress when the session ended", task.PO)
		}
	}
}

func storyOf(r wholeReport) []string {
	var types []string
	for _, e := range r.Events {
		types = append(types, e.Type)
	}
	return types
}

// TestShortDiskIsFreedAgain: the session waits, says so, and goes on by itself.
func TestShortDiskIsFreedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, diskIsFreed)
}

func diskIsFreed(t *testing.T) {
	cfg := standing(t, 40)
	small := smallDisk(t, 64)
	filler := filepath.Join(small, "filler")
	cfg.Out, cfg.DiskPatience = filepath.Join(small, "out"), time.Hour
	var filled, freed sync.Once
	var paused session.Progress
	cfg.OnProgress = func(progress session.Progress) {
		if progress.Done > 2 {
			filled.Do(func() { fillDisk(t, filler, 5_000_000) })
		}
		if progress.Status == tasks.SessionPaused && progress.Active == 0 {
			freed.Do(func() {
				paused = progress
				if err := os.Remove(filler); err != nil {
					t.Error(err)
				}
			})
		}
	}
	var notices []session.Notice
	cfg.OnNotice = func(n session.Notice) { notices = append(notices, n) }
	end, r := runOn(t, cfg, takes(100*time.Millisecond))
	if end.Status != tasks.SessionCompleted || end.Cause != "" {
		t.Errorf("it ended as %s: %s", end.Status, end.Reason)
	}
	if n := checkBrought(t, end.Dir, r); n != 40 {
		t.Errorf("%d orders have ended", n)
	}
	checkCleared(t, end)
	if paused.Pending == 0 || !strings.Contains(paused.Reason, "the disk of "+cfg.Out) {
		t.Errorf("while it was paused: %+v", paused)
	}
	story := storyOf(r)
	if at := slices.Index(story, tasks.EventPaused); at < 0 || slices.Index(story, tasks.EventResumed) < at {
		t.Errorf("the story is %v", story)
	}
	if !slices.ContainsFunc(notices, func(n session.Notice) bool { return strings.HasPrefix(n.Message, "paused") }) ||
		!slices.ContainsFunc(notices, func(n session.Notice) bool { return strings.HasPrefix(n.Message, "continuing") }) {
		t.Errorf("the user was told %v", notices)
	}
}

// TestProfilesRunFull: the browsers' own disk, to which Chrome writes what was clicked, is
// full; it says only that something did not work.
func TestProfilesRunFull(t *testing.T) {
	small := smallDisk(t, 48)
	p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 40, Variations: []portal.Variation{portal.Blob}, MaxDocument: 1 << 20})
	cfg := config(t, sheet)
	cfg.MinFree, cfg.Workers = 1, 4 // several write at once
	t.Setenv("TMPDIR", small)
	ended := make(chan struct{})
	var filler sync.WaitGroup
	var once sync.Once
	cfg.OnProgress = func(progress session.Progress) {
		if progress.Done > 2 {
			once.Do(func() {
				filler.Go(func() {
					ticker := time.NewTicker(20 * time.Millisecond)
					defer ticker.Stop()
					for {
						fillDisk(t, filepath.Join(small, "filler"), 100_000)
						select {
						case <-ended:
							return
						case <-ticker.C:
						}
					}
				})
			})
		}
	}
	end, r := run(t, cfg)
	close(ended)
	filler.Wait()
	checkTrue(t, p, end)
	if !strings.Contains(end.Reason, "the disk of "+small+" (--temp-dir) is full") || !strings.Contains(end.Reason, "with --temp-dir") {
		t.Errorf("the reason is %q", end.Reason)
	}
	if r.Totals.Pending == 0 {
		t.Error("every order ended: the disk was not filled in mid-run")
	}
	if err := os.Remove(filepath.Join(small, "filler")); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(small); len(left) > 0 {
		t.Errorf("left on the browsers' disk: %v", left)
	}
}

// TestNoRoomForTheReport: something takes every byte that the session frees. It never rests, so
// time is the machine's.
func TestNoRoomForTheReport(t *testing.T) {
	t.Parallel()
	cfg := standing(t, 400)
	small := smallDisk(t, 16)
	cfg.Out, cfg.MinFree = filepath.Join(small, "out"), 1
	ended := make(chan struct{})
	var filler sync.WaitGroup
	var once sync.Once
	cfg.OnProgress = func(progress session.Progress) {
		if progress.Done > 5 {
			once.Do(func() {
				filler.Go(func() {
					for {
						fillDisk(t, filepath.Join(small, "filler"), 0)
						select {
						case <-ended:
							return
						default:
						}
					}
				})
			})
		}
	}
	on := &session.StandIns{Act: func(*tasks.ProcessingTask) session.Act {
		return session.Act{Takes: 5 * time.Millisecond, Outcome: tasks.OutcomeNoAttachments}
	}}
	end, err := openOn(t, cfg, on).Run(context.WithoutCancel(t.Context()))
	close(ended)
	filler.Wait()
	var environment *session.EnvironmentError
	if !errors.As(err, &environment) || !strings.Contains(err.Error(), "the disk of "+cfg.Out+" is full") ||
		!strings.Contains(err.Error(), "poscrape resume "+cfg.Out) {
		t.Errorf("it ended with %v", err)
	}
	if end.Cleanup.BrowsersLeft != 0 || end.Cleanup.ProfilesLeft != 0 {
		t.Errorf("left behind: %+v", end.Cleanup)
	}
	for _, name := range []string{"report.json", "results.csv"} {
		if _, err := os.Stat(filepath.Join(cfg.Out, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is there, although there was no room for it: %v", name, err)
		}
	}
	if err := os.Remove(filepath.Join(small, "filler")); err != nil {
		t.Fatal(err)
	}
	if stats := checkLedger(t, cfg.Out); stats.Total != 400 || stats.ByState[tasks.StateCompleted] < 5 || stats.ByState[tasks.StateFailed] > 0 {
		t.Errorf("the ledger has %+v", stats)
	}
}

// TestStagingMountedOver: in mid-run, another disk is mounted where documents are staged, on
// which nothing can be written any more, or all can be.
func TestStagingMountedOver(t *testing.T) {
	t.Parallel()
	for name, readOnly := range map[string]bool{"read-only": true, "writable": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { mountOverStaging(t, readOnly) })
		})
	}
}

func mountOverStaging(t *testing.T, readOnly bool) {
	cfg := standing(t, 60)
	cfg.Out = filepath.Join(smallDisk(t, 64), "out")
	staging := filepath.Join(cfg.Out, ".staging")
	end, r := runOnUntil(t, cfg, takes(100*time.Millisecond), func(progress session.Progress) bool { return progress.Done > 3 }, func(*session.ProcessingSession) {
		t.Cleanup(func() { _ = syscall.Unmount(staging, syscall.MNT_DETACH) }) // where the test did not come so far
		err := syscall.Mount(staging, staging, "", syscall.MS_BIND, "")
		if err == nil && readOnly {
			err = syscall.Mount("", staging, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
		}
		if err != nil {
			t.Error(err)
		}
	})
	// What could not be removed from a read-only disk can be now.
	testkit.Unmount(t, staging)
	if err := os.RemoveAll(staging); err != nil {
		t.Error(err)
	}
	checkTrue(t, nil, end)
	// A document that is staged meets the other disk before what it allows.
	reason, found := strings.CutPrefix(end.Reason, "the disk of "+cfg.Out+" ")
	expected := strings.HasPrefix(reason, "is not one disk any more: another one is mounted in that folder;") ||
		readOnly && strings.HasPrefix(reason, "is read-only;")
	if !found || !expected {
		t.Errorf("the reason is %q", end.Reason)
	}
	if r.Totals.Pending == 0 {
		t.Error("every order ended: nothing was mounted in mid-run")
	}
}
