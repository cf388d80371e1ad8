package session

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/tasks"
)

// TestASessionIsAsked before its end and after: it answers with what it has found so far.
func TestASessionIsAsked(t *testing.T) {
	t.Parallel()
	s := openThree(t, watchedRecipe)
	complete := tasks.Result{Outcome: tasks.OutcomeComplete, Looks: []tasks.Look{{Where: "attachments.item", Met: 1, Mark: tasks.MarkOf("a.doc")}}}
	endOne(t, s, s.proofs, complete)
	r, err := s.Results(t.Context())
	if err != nil || r.Totals.ByOutcome[tasks.OutcomeComplete] != 1 || r.Totals.Tasks != 3 {
		t.Errorf("of three orders of which one is complete it says %+v: %v", r.Totals, err)
	}
	if p := s.Progress(); p.Total != 3 {
		t.Errorf("the progress is %+v", p)
	}
	out := t.TempDir()
	if err := s.Export(t.Context(), out); err != nil {
		t.Error(err)
	}
	for _, name := range []string{report.JSONFile, report.HTMLFile, report.ResultsFile} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s was not exported: %v", name, err)
		}
	}
	if err := s.Export(t.Context(), filepath.Join(out, "missing")); err == nil || errors.Is(err, ErrClosed) {
		t.Errorf("exporting into a folder that is not there: %v", err)
	}
	endOne(t, s, s.proofs, complete)
	endOne(t, s, s.proofs, complete)
	var exports sync.WaitGroup
	for _, dir := range []string{out, out, s.Dir()} {
		exports.Go(func() { // until the session has ended
			for {
				if err := s.Export(t.Context(), dir); err != nil {
					if !errors.Is(err, ErrClosed) {
						t.Errorf("exporting beside others: %v", err)
					}
					return
				}
			}
		})
	}
	if _, err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	exports.Wait()
	if _, err := s.Results(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("results after the end: %v", err)
	}
	if err := s.Export(t.Context(), out); !errors.Is(err, ErrClosed) {
		t.Errorf("exporting after the end: %v", err)
	}
	if p := s.Progress(); p.Status != tasks.SessionCompleted || p.Well != 3 {
		t.Errorf("the progress after the end is %+v", p)
	}
}
