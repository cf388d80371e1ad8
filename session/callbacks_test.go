package session

import (
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestProgressEndsWithRun also where the ledger cannot be read at the end: the goroutine that
// would tell more is one that TestMain finds.
func TestProgressEndsWithRun(t *testing.T) {
	t.Parallel()
	s := openThree(t, watchedRecipe, func(cfg *Config) { cfg.OnProgress = func(Progress) {} })
	for range 3 {
		endOne(t, s, s.proofs, tasks.Result{Outcome: tasks.OutcomeComplete, Looks: []tasks.Look{{Where: "attachments.item", Met: 1, Mark: tasks.MarkOf("a.doc")}}})
	}
	if err := s.folder.Ledger.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context()); err == nil {
		t.Error("the session ended well without its ledger")
	}
}

// TestCallbacksThatBlock: they neither hold up what the session does nor keep it from
// ending, and those that return are called with everything.
func TestCallbacksThatBlock(t *testing.T) {
	t.Parallel()
	for _, blocks := range []bool{true, false} {
		free := make(chan struct{})
		notices, last := 0, Progress{}
		block := func() {
			if blocks {
				<-free
			}
		}
		s := openThree(t, watchedRecipe, func(cfg *Config) {
			cfg.OnNotice = func(Notice) { notices++; block() }
			cfg.OnProgress = func(p Progress) { last = p; block() }
		})
		for range 3 {
			endOne(t, s, s.proofs, tasks.Result{Outcome: tasks.OutcomeComplete, Looks: []tasks.Look{{Where: "attachments.item", Met: 1, Mark: tasks.MarkOf("a.doc")}}})
		}
		s.story.Warn("one")
		s.story.Inform("two")
		end, err := s.Run(t.Context())
		if err != nil || end.Status != tasks.SessionCompleted {
			t.Errorf("blocked %v: the session ended as %s: %v", blocks, end.Status, err)
		}
		if blocks {
			close(free)
			s.story.Told()
			continue
		}
		if notices < 2 || last.Status != tasks.SessionCompleted || last.Well != 3 {
			t.Errorf("there were %d notices, and the last figures are %+v", notices, last)
		}
	}
}
