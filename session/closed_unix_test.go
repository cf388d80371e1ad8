//go:build unix

package session_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// TestSessionFolderIsClosed looks at what others may read of a session, also of one that
// an earlier version has made.
func TestSessionFolderIsClosed(t *testing.T) {
	t.Parallel()
	_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 3, Variations: []portal.Variation{portal.Plain, portal.NotFound, portal.NoneMarker}})
	cfg := alone(t, sheet)
	cfg.Mode, cfg.Retries = session.ModeRender, 0
	end, r := run(t, cfg)
	check := func(when string) {
		t.Helper()
		closed := map[string]fs.FileMode{".": 0o700, "session.db": 0o600, "poscrape.log": 0o600, "evidence": 0o700}
		evidence := 0
		err := filepath.WalkDir(end.Dir, func(path string, _ fs.DirEntry, err error) error {
			name, _ := filepath.Rel(end.Dir, path)
			info, statErr := os.Lstat(path)
			if err = errors.Join(err, statErr); err != nil {
				return err
			}
			want, listed := closed[name]
			switch {
			case listed:
			case strings.HasPrefix(name, "evidence"):
				want = 0o600
				if info.IsDir() {
					want = 0o700
				} else {
					evidence++
				}
			case info.IsDir() || strings.HasPrefix(name, "session.db"):
				return nil
			default:
				want = 0o644
			}
			if info.Mode().Perm() != want {
				t.Errorf("%s: %s is %v, want %v", when, name, info.Mode().Perm(), want)
			}
			return nil
		})
		if err != nil || evidence == 0 {
			t.Errorf("%d files of evidence, %v", evidence, err)
		}
	}
	check("new")
	if n := r.Tasks[2].Attempts[0].Evidence; len(n) != 1 || !strings.HasSuffix(n[0], "attempt-1-screenshot.png") {
		t.Errorf("of the order without documents there is %v", n)
	}
	err := filepath.WalkDir(end.Dir, func(path string, entry fs.DirEntry, err error) error {
		mode := fs.FileMode(0o644)
		if entry.IsDir() {
			mode = 0o755
		}
		return errors.Join(err, os.Chmod(path, mode))
	})
	if err != nil {
		t.Fatal(err)
	}
	resume(t, end.Dir, session.ResumeConfig{})
	check("gone on with")
}

// TestPlantedLinksAreNotFollowed plants links to a folder and a file elsewhere where a
// session will write, and looks whether anything there has changed.
func TestPlantedLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	broken.Store(true)
	act := func(task *tasks.ProcessingTask) session.Act {
		if broken.Load() && task.PO == "PO1002" {
			return session.Act{Err: tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "there is no such order")}
		}
		return session.Act{}
	}
	cfg := standing(t, 2)
	whole, _ := runOn(t, cfg, &session.StandIns{Act: act})
	broken.Store(false)
	// Only these are written to while an order is read, for which the resume gives it back.
	worked := []string{"orders", "orders/{po}", ".reserve", ".staging"}
	for _, planted := range append([]string{"poscrape.log", "results.csv", "report.json", "report.html", "failed.csv", "results.xlsx",
		".results.xlsx.parts", ".results.csv.tmp", "session.db-wal", "session.db.lock"}, worked...) {
		t.Run(planted, func(t *testing.T) {
			t.Parallel()
			dir := copied(t, whole)
			var again []tasks.Outcome
			if slices.Contains(worked, planted) {
				again = []tasks.Outcome{tasks.OutcomeNotFound}
			}
			check := plant(t, dir, planted, os.Symlink, []string{"PO1001", "PO1002"})
			s, err := session.ResumeOn(t.Context(), dir, session.ResumeConfig{Retry: again}, &session.StandIns{Act: act})
			if err == nil {
				_, err = s.Run(t.Context())
			}
			check(err)
		})
	}
}

// TestPlantedHardLinks: what is written in its place is refused or becomes a copy, as hard links come out of archives
// as well.
func TestPlantedHardLinks(t *testing.T) {
	t.Parallel()
	cfg := standing(t, 1)
	whole, _ := runOn(t, cfg, &session.StandIns{})
	for planted, refused := range map[string]bool{"poscrape.log": false, "results.csv": false, "report.json": false, "report.html": false, "results.xlsx": false,
		"session.db-wal": true, "session.db-shm": true, "session.db-journal": true, "session.db.lock": true} {
		t.Run(planted, func(t *testing.T) {
			t.Parallel()
			dir := copied(t, whole)
			check := plant(t, dir, planted, os.Link, []string{""})
			s, err := session.ResumeOn(t.Context(), dir, session.ResumeConfig{}, &session.StandIns{})
			if err == nil {
				_, err = s.Run(t.Context())
			}
			if file := (*ledger.FileError)(nil); refused && errors.As(err, &file) && strings.Contains(err.Error(), "cp -a") {
				err = nil
			} else if refused {
				t.Errorf("it ended with %v", err)
			}
			check(err)
			if planted == "poscrape.log" && !strings.HasPrefix(testkit.Read(t, filepath.Join(dir, planted)), "as it was{") {
				t.Error("the log does not go on where it was")
			}
		})
	}
}

// TestPlantedLinksAmongEvidence is the same for what only a scraper writes.
func TestPlantedLinksAmongEvidence(t *testing.T) {
	t.Parallel()
	p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 1, Variations: []portal.Variation{portal.NotFound}})
	cfg := alone(t, sheet)
	cfg.Retries = 0
	whole, _ := run(t, cfg)
	for _, planted := range []string{"evidence", "evidence/{po}"} {
		t.Run(planted, func(t *testing.T) {
			t.Parallel()
			dir := copied(t, whole)
			check := plant(t, dir, planted, os.Symlink, []string{p.Orders()[0].Number})
			s, err := session.Resume(t.Context(), dir, session.ResumeConfig{Retry: []tasks.Outcome{tasks.OutcomeNotFound}})
			if err == nil {
				_, err = s.Run(t.Context())
			}
			check(err)
		})
	}
}

// plant puts links to a folder or a file elsewhere in the place of what is planted, for each order
// where it has {po}, and returns what checks that nothing has changed there.
func plant(t *testing.T, dir, planted string, link func(to, name string) error, numbers []string) (check func(err error)) {
	t.Helper()
	elsewhere := t.TempDir()
	victim := filepath.Join(elsewhere, "victim")
	testkit.Write(t, victim, "as it was")
	to := victim
	if strings.HasPrefix(planted, "orders") || strings.HasPrefix(planted, "evidence") || planted == ".staging" {
		to = elsewhere
	}
	for _, number := range numbers {
		name := filepath.Join(dir, filepath.FromSlash(strings.Replace(planted, "{po}", number, 1)))
		if err := errors.Join(os.RemoveAll(name), os.MkdirAll(filepath.Dir(name), 0o700), link(to, name)); err != nil {
			t.Fatal(err)
		}
	}
	return func(err error) {
		t.Helper()
		if refused := (*session.FolderError)(nil); err != nil && !errors.As(err, &refused) {
			t.Errorf("it ended with %v", err)
		}
		entries, dirErr := os.ReadDir(elsewhere)
		text, fileErr := os.ReadFile(victim)
		if dirErr != nil || fileErr != nil || len(entries) != 1 || string(text) != "as it was" {
			t.Errorf("elsewhere is changed: %v, %q, %v, %v", entries, text, dirErr, fileErr)
		}
	}
}

// TestEvidenceModes runs orders with each mode, and with a limit that is soon reached.
func TestEvidenceModes(t *testing.T) {
	t.Parallel()
	_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 6, Variations: []portal.Variation{
		portal.Plain, portal.NotFound, portal.NoneMarker, portal.NoneMarker, portal.NoneMarker, portal.NoneMarker,
	}})
	for _, c := range []struct {
		keep                        session.Keep
		limit                       int64
		complete, notFound, without int // orders with evidence, of 1, 1 and 4
	}{
		{session.KeepNone, 0, 0, 0, 0}, {session.KeepFailed, 0, 0, 1, 3}, {session.KeepAll, 0, 1, 1, 4}, {session.KeepAll, 1, 0, 0, 0},
	} {
		t.Run(string(c.keep), func(t *testing.T) {
			t.Parallel()
			if c.limit == 0 && c.keep != session.KeepFailed {
				longOnly(t, "thorough")
			}
			cfg := config(t, sheet)
			cfg.Mode, cfg.Evidence, cfg.EvidenceLimit, cfg.Workers = session.ModeRender, c.keep, c.limit, 1
			told := 0
			cfg.OnNotice = func(n session.Notice) {
				if strings.Contains(n.Message, "--evidence-limit") {
					told++
				}
			}
			_, r := run(t, cfg)
			got := map[tasks.Outcome]int{}
			for _, task := range r.Tasks {
				for _, a := range task.Attempts {
					if len(a.Evidence) > 0 {
						got[task.Outcome]++
					}
				}
			}
			if got[tasks.OutcomeComplete] != c.complete || got[tasks.OutcomeNotFound] != c.notFound || got[tasks.OutcomeNoAttachments] != c.without {
				t.Errorf("got %v", got)
			}
			if limited := c.limit == 1; (told == 1) != limited || limited != hasNotice(r, "--evidence-limit") {
				t.Errorf("the limit was told %d times", told)
			}
		})
	}
}

func hasNotice(r wholeReport, text string) bool {
	for _, e := range r.Events {
		if e.Type == tasks.EventNotice && strings.Contains(e.Detail, text) {
			return true
		}
	}
	return false
}
