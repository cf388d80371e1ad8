package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// openThree opens a session of three orders with a recipe, without browsers; it is not run.
func openThree(t *testing.T, recipe string, adjust ...func(*Config)) *ProcessingSession {
	t.Helper()
	file := filepath.Join(t.TempDir(), "recipe.yaml")
	testkit.Must(t, os.WriteFile(file, []byte(recipe), 0o600))
	adjust = append(adjust, func(cfg *Config) { cfg.RecipeFile = file })
	return withoutBrowsers(t, "po;url\nPO1001;http://127.0.0.1:1/orders/1001\nPO1002;http://127.0.0.1:1/orders/1002\nPO1003;http://127.0.0.1:1/orders/1003\n", adjust...)
}

// endOne claims an order and records the result, as a worker's, in this queue.
func endOne(t *testing.T, s *ProcessingSession, queue tasks.TaskQueue, res tasks.Result) {
	t.Helper()
	leases, err := queue.Claim(t.Context(), tasks.ClaimRequest{Worker: "w"})
	if err != nil {
		t.Fatal(err)
	}
	task := leases[0].Task
	res.Kind, res.Executor = s.portals.ByName()[""].Kind(task.URL), tasks.ExecutorRender
	d := tasks.Decision{To: tasks.StateCompleted, Outcome: res.Outcome, Result: &res, Failure: res.Missing}
	if err := queue.Start(t.Context(), leases[0]); err != nil {
		t.Fatal(err)
	}
	if err := queue.Record(t.Context(), leases[0], d); err != nil {
		t.Fatal(err)
	}
}

func waiting() tasks.Result {
	return tasks.Result{Outcome: tasks.OutcomePartial, AwaitsItem: true, Looks: []tasks.Look{{Where: "attachments.item", Mark: tasks.MarkOf("a.doc")}, {Where: "fields.total"}},
		Missing: tasks.Permanent(tasks.OutcomePartial, tasks.ClassUnproven, "no document is listed")}
}

const watchedRecipe = "version: 1\nfields: {total: {selector: '#toatl'}}\nattachments: {item: a.doc}\n"

// TestARunWithAWarning ends with what its recipe's selectors met.
func TestARunWithAWarning(t *testing.T) {
	t.Parallel()
	s := openThree(t, watchedRecipe)
	endOne(t, s, s.proofs, waiting())
	endOne(t, s, s.proofs, waiting())
	if p := s.tally.Now(); p.Done != 2 {
		t.Errorf("the tally has not counted what is recorded: %+v", p)
	}
	endOne(t, s, s.proofs, tasks.Result{Outcome: tasks.OutcomeComplete, Looks: []tasks.Look{{Where: "attachments.item", Met: 1, Mark: tasks.MarkOf("a.doc")}, {Where: "fields.total"}}})
	end, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{`fields.total "#toatl" met nothing on 3 of 3 pages`}; !slices.Equal(end.Warnings, want) || len(end.Notes) != 0 {
		t.Errorf("warnings %q, notes %q", end.Warnings, end.Notes)
	}
	if end.ByOutcome[tasks.OutcomeNoAttachments] != 2 || end.ByOutcome[tasks.OutcomeComplete] != 1 || !end.Well() {
		t.Errorf("the outcomes are %v", end.ByOutcome)
	}
}

// TestKilledBeforeTheProof goes on with a session that was killed between a record and
// the proofs that follow from it.
func TestKilledBeforeTheProof(t *testing.T) {
	t.Parallel()
	s := openThree(t, watchedRecipe)
	endOne(t, s, s.folder.Ledger, waiting())
	endOne(t, s, s.folder.Ledger, tasks.Result{Outcome: tasks.OutcomeComplete, Looks: []tasks.Look{{Where: "attachments.item", Met: 1, Mark: tasks.MarkOf("a.doc")}}})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Resume(t.Context(), s.Dir(), ResumeConfig{})
	if err != nil {
		t.Fatal(err)
	}
	stats, err := s.folder.Ledger.Stats(t.Context())
	if err != nil || stats.ByOutcome[tasks.OutcomeNoAttachments] != 1 || stats.Open() != 1 {
		t.Errorf("the outcomes are %v, %v", stats.ByOutcome, err)
	}
	if p := s.tally.Now(); p.Well != 2 || p.NotWell != 0 || p.Pending != 1 {
		t.Errorf("the tally is %+v", p)
	}
	if !s.portals.ByName()[""].ItemMet(s.portals.ByName()[""].Kind("http://127.0.0.1:1/orders/1003")) {
		t.Error("the portal does not know that a document was seen")
	}
	endOne(t, s, s.proofs, waiting()) // judged before that was known
	end, err := s.Run(t.Context())
	if err != nil || end.ByOutcome[tasks.OutcomeNoAttachments] != 2 {
		t.Errorf("the outcomes are %v, %v", end.ByOutcome, err)
	}
}

// TestDocumentsThatNobodyLookedFor is said of a recipe without attachments.
func TestDocumentsThatNobodyLookedFor(t *testing.T) {
	t.Parallel()
	s := openThree(t, "version: 1\nfields: {total: {selector: '#total'}}\n")
	s.Interrupt("stopped by the test")
	end, err := s.Run(t.Context())
	if want := []string{"documents were not looked for: the recipe has no attachments"}; err != nil || !slices.Equal(end.Notes, want) || len(end.Warnings) != 0 {
		t.Errorf("warnings %q, notes %q, %v", end.Warnings, end.Notes, err)
	}
}

// TestAnotherItemProvesNothing goes on with another item in the recipe: what the one before
// has met proves nothing of it, nor the other way round.
func TestAnotherItemProvesNothing(t *testing.T) {
	t.Parallel()
	s := openThree(t, watchedRecipe)
	endOne(t, s, s.folder.Ledger, waiting())
	endOne(t, s, s.folder.Ledger, tasks.Result{Outcome: tasks.OutcomeComplete, Looks: []tasks.Look{{Where: "attachments.item", Met: 1, Mark: tasks.MarkOf("a.doc")}}})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	recipe := filepath.Join(t.TempDir(), "other.yaml")
	if err := os.WriteFile(recipe, []byte("version: 1\nattachments: {item: a.doc-lnik}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Resume(t.Context(), s.Dir(), ResumeConfig{Recipe: recipe})
	if err != nil {
		t.Fatal(err)
	}
	kind := s.portals.ByName()[""].Kind("http://127.0.0.1:1/orders/1003")
	if s.portals.ByName()[""].ItemMet(kind) {
		t.Error("what the earlier item met counts for the new one")
	}
	s.portals.ByName()[""].NoteItemMet(kind)
	if err := s.proofs.ProveAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	stats, err := s.folder.Ledger.Stats(t.Context())
	if err != nil || stats.ByOutcome[tasks.OutcomeNoAttachments] != 0 || stats.ByOutcome[tasks.OutcomePartial] != 1 {
		t.Errorf("what the new item met proves an order that was read with the earlier one: %v, %v", stats.ByOutcome, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
