package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// damages are what may become of a document after its session has ended.
var damages = map[string]func(path string) error{
	"removed":   os.Remove,
	"shortened": func(path string) error { return os.Truncate(path, 10) },
	"a link": func(path string) error {
		return errors.Join(os.Rename(path, path+".moved"), os.Symlink(filepath.Base(path)+".moved", path))
	},
	"a folder":                func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	"removed with its folder": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
	"behind a link to another": func(path string) error {
		dir := filepath.Dir(path)
		return errors.Join(os.Rename(dir, dir+"-moved"), os.Symlink(filepath.Base(dir)+"-moved", dir))
	},
}

// TestMissingDocumentsAreRepaired damages a document of one of two orders, and goes on
// with the session: the document is fetched again, and only it; or the session does not
// end well.
func TestMissingDocumentsAreRepaired(t *testing.T) {
	t.Parallel()
	on := &session.StandIns{Act: func(task *tasks.ProcessingTask) session.Act {
		return session.Act{Documents: map[string]string{"a.pdf": "%PDF-1.4 first of " + task.PO, "b.pdf": "%PDF-1.4 second of " + task.PO}}
	}}
	first := standing(t, 2)
	first.Workers = 1
	whole, before := runOn(t, first, on)
	was, lost := files(t, whole.Dir), before.Tasks[1].Attachments[0]
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copied(t, whole)
			path := filepath.Join(dir, filepath.FromSlash(lost.Path))
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
			var notices []string
			cfg := session.ResumeConfig{Adjust: func(c *session.Config) { c.NoRepair = true },
				OnNotice: func(n session.Notice) { notices = append(notices, n.Message) }}
			end, r := resumeOn(t, dir, cfg, &session.StandIns{Act: on.Act})
			if end.Well() || end.Missing == 0 || r.Totals.Attempts != before.Totals.Attempts || !strings.Contains(strings.Join(notices, "\n"), filepath.Base(filepath.Dir(path))) {
				t.Errorf("left alone: well %v, %d missing, %+v, %q", end.Well(), end.Missing, r.Totals, notices)
			}
			cfg.Adjust = func(c *session.Config) { c.NoRepair = false }
			end, r = resumeOn(t, end.Dir, cfg, &session.StandIns{Act: on.Act})
			if name == "a folder" { // an empty one may be anybody's
				if end.Well() || !strings.Contains(r.Tasks[1].Error.Message, lost.Path) {
					t.Errorf("got %+v", r.Tasks[1])
				}
				return
			}
			if name == "behind a link to another" {
				if end.Well() || r.Tasks[1].Outcome == tasks.OutcomeComplete {
					t.Errorf("well %v: %+v", end.Well(), r.Tasks[1])
				}
				return
			}
			if !end.Well() || end.Missing != 0 || r.Tasks[1].Outcome != tasks.OutcomeComplete || len(r.Tasks[1].Attempts) != 2 || len(r.Tasks[0].Attempts) != 1 {
				t.Errorf("well %v, %d missing: %+v", end.Well(), end.Missing, r.Tasks[1])
			}
			now := files(t, end.Dir)
			for file, hash := range was {
				if now[file] != hash {
					t.Errorf("%s was %s and is %s", file, hash, now[file])
				}
			}
		})
	}
}

// TestRepairWithoutItsPortal: what cannot be fetched again is not claimed to be there.
func TestRepairWithoutItsPortal(t *testing.T) {
	t.Parallel()
	p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 1, Variations: []portal.Variation{portal.Several}})
	cfg := alone(t, sheet)
	cfg.Retries = 0
	end, before := run(t, cfg)
	if err := errors.Join(os.Remove(filepath.Join(end.Dir, filepath.FromSlash(before.Tasks[0].Attachments[0].Path))), p.Close()); err != nil {
		t.Fatal(err)
	}
	end, r := resume(t, end.Dir, session.ResumeConfig{})
	task := r.Tasks[0]
	if end.Well() || task.Outcome != tasks.OutcomePartial || task.Attachments[0].State != tasks.AttachmentFailed || task.Attachments[1].State != tasks.AttachmentDone {
		t.Errorf("well %v: %+v", end.Well(), task)
	}
}

// TestRetryWithAMendedRecipe: a session whose recipe asks for a field that is not there
// goes on with one that does not, and stays with that; a broken one changes nothing.
func TestRetryWithAMendedRecipe(t *testing.T) {
	t.Parallel()
	_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 2, Variations: []portal.Variation{portal.Plain}})
	text, err := os.ReadFile("../testdata/recipes/demo.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cfg := alone(t, sheet)
	cfg.RecipeFile, cfg.Retries = filepath.Join(t.TempDir(), "r.yaml"), 0
	testkit.Write(t, cfg.RecipeFile, strings.Replace(string(text), "fields:", "fields:\n  nowhere: {selector: \"#nowhere\", required: true}", 1))
	end, _ := run(t, cfg)
	if end.ByOutcome[tasks.OutcomePartial] != 2 {
		t.Fatalf("got %+v", end)
	}
	retry := session.ResumeConfig{Retry: []tasks.Outcome{tasks.OutcomePartial}, Recipe: cfg.RecipeFile}
	before := sum(t, filepath.Join(end.Dir, "report.json"))
	for _, broken := range []string{"version: 1\nnonsense: 1\n", strings.Replace(string(text), "item: ", "exclude: [\"a[\"]\n  item: ", 1)} {
		testkit.Write(t, cfg.RecipeFile, broken)
		s, err := session.Resume(t.Context(), end.Dir, retry)
		if err == nil {
			t.Fatal(errors.Join(errors.New("a broken recipe was taken"), s.Close()))
		}
		if !strings.Contains(err.Error(), "r.yaml") || sum(t, filepath.Join(end.Dir, "report.json")) != before {
			t.Errorf("got %v", err)
		}
		again, _ := resume(t, end.Dir, session.ResumeConfig{}) // nothing was put back
		if again.ByOutcome[tasks.OutcomePartial] != 2 {
			t.Fatalf("got %+v", again)
		}
		before = sum(t, filepath.Join(end.Dir, "report.json"))
	}
	testkit.Write(t, cfg.RecipeFile, string(text))
	end, r := resume(t, end.Dir, retry)
	if !end.Well() || slices.ContainsFunc(r.Tasks, func(task reportTask) bool {
		_, is := task.Fields["nowhere"]
		return is || task.Outcome != tasks.OutcomeComplete
	}) {
		t.Errorf("got %+v", end)
	}
	if err := errors.Join(os.Remove(cfg.RecipeFile), os.RemoveAll(filepath.Join(end.Dir, "orders", r.Tasks[0].PO))); err != nil {
		t.Fatal(err)
	}
	if end, _ = resume(t, end.Dir, session.ResumeConfig{}); !end.Well() {
		t.Errorf("the session does not remember its mended recipe: %+v", end)
	}
}
