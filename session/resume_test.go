package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// resume goes on with a session to its end and returns its report.
func resume(t *testing.T, dir string, cfg session.ResumeConfig) (session.End, wholeReport) {
	t.Helper()
	s, err := session.Resume(t.Context(), dir, cfg)
	if err != nil {
		t.Fatal(err)
	}
	end, err := s.Run(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return end, readReport(t, end.Dir)
}

// interrupted runs a session until some of its orders have ended, and stops it.
func interrupted(t *testing.T, cfg session.Config) (session.End, wholeReport) {
	t.Helper()
	end, r := runUntil(t, cfg, func(p session.Progress) bool { return p.Done >= 3 && p.Busy > 0 },
		func(s *session.ProcessingSession) { s.Abort("stopped by the test") })
	if end.Status != tasks.SessionInterrupted {
		t.Fatalf("got %+v", end)
	}
	return end, r
}

// copied returns the folder of a copy of an ended session.
func copied(t *testing.T, end session.End) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.CopyFS(dir, os.DirFS(end.Dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestResumeEndsWhereARunWithoutAStopEnds(t *testing.T) {
	t.Parallel()
	const orders = 12
	variations := []portal.Variation{portal.Plain, portal.Several, portal.NoneMarker, portal.NotFound, portal.SameNameOtherBytes}
	p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: orders, Variations: variations})
	cfg := config(t, sheet)
	recipe := filepath.Join(t.TempDir(), "recipe.yaml")
	text, err := os.ReadFile("../testdata/recipes/demo.yaml")
	if err == nil {
		err = os.WriteFile(recipe, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cfg.RecipeFile, cfg.Workers = recipe, 2
	cfg.Mode = session.ModeRender // what is only fetched is proven once more
	whole, _ := run(t, cfg)
	cfg.Out += "-stopped"
	end, before := interrupted(t, cfg)
	// The session remembers what it needs of these.
	if err := errors.Join(os.Remove(recipe), os.Remove(sheet)); err != nil {
		t.Fatal(err)
	}
	var progress sync.Map
	end, after := resume(t, end.Dir, session.ResumeConfig{Version: "2", OnProgress: func(p session.Progress) { progress.Store(p.Total, p.Done) }})
	if end.Status != tasks.SessionCompleted || after.Session.Resumed != 1 || after.Session.Workers != 2 || after.Session.Version != "2" {
		t.Errorf("got %+v, %+v", end, after.Session)
	}
	if done, _ := progress.Load(orders); done != orders {
		t.Errorf("the last progress was %v of %d", done, orders)
	}
	for i := range after.Tasks {
		task := &after.Tasks[i]
		// Interrupted attempts do not count.
		task.Attempts = slices.DeleteFunc(task.Attempts, func(a reportAttempt) bool { return a.Outcome == tasks.OutcomeInterrupted })
		order, _ := p.Order(task.PO)
		checkTask(t, end.Dir, p, order, order.WantRecipe, *task)
		was := before.Tasks[slices.IndexFunc(before.Tasks, func(b reportTask) bool { return b.ID == task.ID })]
		if was.State.Final() && len(was.Attempts) != len(task.Attempts) {
			t.Errorf("%s had ended, and was worked on again", task.PO)
		}
	}
	if !maps.Equal(files(t, end.Dir), files(t, whole.Dir)) {
		t.Error("the documents differ from those of a run without a stop")
	}
	if !slices.ContainsFunc(after.Events, func(e reportEvent) bool { return e.Type == tasks.EventResumed }) {
		t.Error("the report's events do not say that the session was resumed")
	}
	checkCounts(t, after, orders)
	checkCleared(t, end)
}

func TestResumeOfACompletedSessionChangesNothing(t *testing.T) {
	t.Parallel()
	end, before := runOn(t, standing(t, 2), takes(0))
	var notices []string
	on := takes(0)
	end, after := resumeOn(t, end.Dir, session.ResumeConfig{OnNotice: func(n session.Notice) { notices = append(notices, n.Message) }}, on)
	if n := on.Launched(); n > 0 {
		t.Errorf("%d workers were opened for nothing", n)
	}
	if end.Status != tasks.SessionCompleted || !end.Well() || after.Totals.Attempts != before.Totals.Attempts {
		t.Errorf("got %+v, %+v", end, after.Totals)
	}
	if told := strings.Join(notices, "\n"); !strings.Contains(told, "nothing is left to do") {
		t.Errorf("the notices are %q", told)
	}
}

// TestRetry runs orders while their portal is down, and again when it is up.
func TestRetry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := standing(t, 3)
		cfg.Retries, cfg.Workers = 0, 1
		broken := &session.StandIns{Act: func(*tasks.ProcessingTask) session.Act {
			return session.Act{Err: tasks.Permanent(tasks.OutcomeFailed, tasks.ClassPage, "it broke")}
		}}
		end, r := runOn(t, cfg, broken)
		if r.Totals.ByOutcome[tasks.OutcomeFailed] != 3 {
			t.Fatalf("got %+v", r.Totals)
		}
		end, r = resumeOn(t, end.Dir, session.ResumeConfig{Retry: []tasks.Outcome{tasks.OutcomeTimeout}}, takes(0))
		if end.Status != tasks.SessionCompleted || r.Totals.ByOutcome[tasks.OutcomeFailed] != 3 {
			t.Errorf("orders that did not end so were put back: %+v", r.Totals)
		}
		end, r = resumeOn(t, end.Dir, session.ResumeConfig{Retry: []tasks.Outcome{tasks.OutcomeFailed},
			Adjust: func(c *session.Config) { c.Workers = 2 }}, takes(0))
		if end.Status != tasks.SessionCompleted || r.Session.Workers != 2 || r.Session.Resumed != 2 {
			t.Errorf("got %+v, %+v", end, r.Session)
		}
		for i := range r.Tasks {
			r.Tasks[i].Attempts = r.Tasks[i].Attempts[1:]
		}
		if n := checkBrought(t, end.Dir, r); n != 3 {
			t.Errorf("%d orders have ended", n)
		}
		checkCleared(t, end)
	})
}

// TestRetryUnconfirmed reads orders again that an earlier version has read, and those that lack a witness, and no
// others; what they have already is not there twice.
func TestRetryUnconfirmed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := standing(t, 4)
		cfg.Retries, cfg.Workers = 0, 1
		sure := func(list tasks.List) *tasks.Shown {
			return &tasks.Shown{Number: true, Values: 1, Row: []tasks.Value{{Column: "supplier", Text: "ACME", At: 1, Meaning: 2}}, Lists: []tasks.List{list}}
		}
		counted := sure(tasks.List{Met: 1, Count: &tasks.Counted{N: 1, Text: "1 document"}})
		shows := func(by map[string]*tasks.Shown) *session.StandIns {
			return &session.StandIns{Act: func(task *tasks.ProcessingTask) session.Act {
				if task.PO == "PO1004" {
					return session.Act{Err: tasks.Permanent(tasks.OutcomeFailed, tasks.ClassPage, "it broke")}
				}
				return session.Act{Shown: by[task.PO]}
			}}
		}
		end, _ := runOn(t, cfg, shows(map[string]*tasks.Shown{"PO1002": sure(tasks.List{Met: 1}), "PO1003": counted}))
		if end.Confirmed != 1 || end.Unconfirmed() != 2 {
			t.Fatalf("%d are confirmed, %+v", end.Confirmed, end.Lacking)
		}
		before := files(t, end.Dir)
		only := session.ResumeConfig{Unconfirmed: true}
		sheet, err := session.PlanResume(t.Context(), end.Dir, only)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range sheet.Specs() {
			if again := spec.Skipped == ""; again != (spec.PO == "PO1001" || spec.PO == "PO1002") {
				t.Errorf("%s would be read again: %v", spec.PO, again)
			}
		}
		none := filepath.Join(t.TempDir(), "none.yaml")
		testkit.Write(t, none, "version: 1\nname: none\nbase_url: https://portal.example\nattachments: off\n")
		sheet, err = session.PlanResume(t.Context(), end.Dir, session.ResumeConfig{Unconfirmed: true, Recipe: none})
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range sheet.Specs() {
			if spec.Skipped == "" {
				t.Errorf("%s, which has documents, would be read again by a recipe that asks for none", spec.PO)
			}
		}
		end, r := resumeOn(t, end.Dir, only, shows(map[string]*tasks.Shown{"PO1001": counted, "PO1002": sure(tasks.List{Met: 1})}))
		attempts := map[string]int{"PO1001": 2, "PO1002": 2, "PO1003": 1, "PO1004": 1}
		for _, task := range r.Tasks {
			if len(task.Attempts) != attempts[task.PO] {
				t.Errorf("%s had %d attempts", task.PO, len(task.Attempts))
			}
		}
		if end.Confirmed != 2 || end.Unconfirmed() != 1 || !maps.Equal(files(t, end.Dir), before) {
			t.Errorf("%d are confirmed, %+v; there are %v", end.Confirmed, end.Lacking, files(t, end.Dir))
		}
		checkCleared(t, end)
	})
}

// TestResumeTakesBackWhatWasNotRecorded leaves what a kill leaves between the
// moment when documents are put in their place and the record of it.
func TestResumeTakesBackWhatWasNotRecorded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, takesBack)
}

func takesBack(t *testing.T) {
	end, r := interruptedOn(t, standing(t, 30), takes(time.Second))
	open := r.Tasks[slices.IndexFunc(r.Tasks, func(task reportTask) bool { return task.State == tasks.StatePending })]
	ended := r.Tasks[slices.IndexFunc(r.Tasks, func(task reportTask) bool { return task.State == tasks.StateCompleted })]
	stray := filepath.Join(end.Dir, "orders", open.PO, "not in the ledger.pdf")
	testkit.Write(t, stray, "x")
	intent := func(task reportTask, path string) {
		text, err := json.Marshal(map[string]any{"task": task.ID, "files": map[string]string{"a": path}})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Write(t, filepath.Join(end.Dir, ".staging", task.ID.String()+"-0-0", ".publishing.json"), string(text))
	}
	intent(open, "orders/"+open.PO+"/not in the ledger.pdf")
	intent(ended, ended.Attachments[0].Path)
	testkit.Write(t, filepath.Join(end.Dir, ".staging", "cut off", ".publishing.json"), `{"task`)

	end, _ = resumeOn(t, end.Dir, session.ResumeConfig{}, takes(time.Second))
	found := files(t, end.Dir)
	if len(found) != 30 {
		t.Errorf("30 documents are meant, %d are there: %v", len(found), slices.Collect(maps.Keys(found)))
	}
	if _, err := os.Stat(stray); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a document that no record knows is still there: %v", err)
	}
	checkCleared(t, end)
}

func TestWhatCannotBeResumed(t *testing.T) {
	t.Parallel()
	t.Run("what is no session", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "file")
		testkit.Write(t, file, "")
		for _, dir := range []string{filepath.Join(t.TempDir(), "missing"), t.TempDir(), file} {
			var refused *session.FolderError
			if _, err := session.Resume(t.Context(), dir, session.ResumeConfig{}); !errors.As(err, &refused) {
				t.Errorf("%s: %v", dir, err)
			}
		}
	})
	t.Run("what holds no orders yet", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		l, err := ledger.Open(filepath.Join(dir, "session.db"))
		if err == nil {
			err = l.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		var refused *session.FolderError
		if _, err := session.Resume(t.Context(), dir, session.ResumeConfig{}); !errors.As(err, &refused) || !strings.Contains(err.Error(), "run the sheet again") {
			t.Error(err)
		}
	})
	t.Run("what another works on", func(t *testing.T) {
		t.Parallel()
		cfg := standing(t, 1)
		s := openOn(t, cfg, takes(0))
		var owned *ledger.OwnedError
		if _, err := session.ResumeOn(t.Context(), cfg.Out, session.ResumeConfig{}, takes(0)); !errors.As(err, &owned) || owned.PID != os.Getpid() || owned.Since.IsZero() {
			t.Errorf("resume: %v", err)
		}
		if _, err := session.OpenOn(t.Context(), cfg, takes(0)); !errors.As(err, &owned) {
			t.Errorf("run: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		var setting *session.ConfigError
		if _, err := session.OpenOn(t.Context(), cfg, takes(0)); !errors.As(err, &setting) || !strings.Contains(err.Error(), "poscrape resume") {
			t.Errorf("run, when nobody works on it: %v", err)
		}
		if end, _ := resumeOn(t, cfg.Out, session.ResumeConfig{}, takes(0)); !end.Well() {
			t.Errorf("got %+v", end)
		}
	})
}

// TestResumeReadsTheSheetAgain resumes what was killed between the record of the
// session and that of its orders.
func TestResumeReadsTheSheetAgain(t *testing.T) {
	t.Parallel()
	cfg := standing(t, 2)
	end, _ := runOn(t, cfg, takes(0))
	full, err := ledger.OpenReadOnly(filepath.Join(end.Dir, "session.db"))
	if err != nil {
		t.Fatal(err)
	}
	record, err := full.Session(t.Context())
	if err = errors.Join(err, full.Close()); err != nil {
		t.Fatal(err)
	}
	killed := func() string {
		dir := t.TempDir()
		record.Status = tasks.SessionInitializing
		l, err := ledger.Open(filepath.Join(dir, "session.db"))
		if err == nil {
			err = errors.Join(l.SaveSession(t.Context(), record), l.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	if end, r := resumeOn(t, killed(), session.ResumeConfig{}, takes(0)); !end.Well() || r.Totals.Tasks != 2 {
		t.Errorf("got %+v", end)
	}
	testkit.Write(t, cfg.File, "po,url\n")
	var refused *session.FolderError
	if _, err := session.ResumeOn(t.Context(), killed(), session.ResumeConfig{}, takes(0)); !errors.As(err, &refused) {
		t.Errorf("with another sheet: %v", err)
	}
}
