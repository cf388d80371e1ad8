package verdict

import (
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestJudgePages rules on orders whose pages of documents were not all visited.
func TestJudgePages(t *testing.T) {
	t.Parallel()
	done := tasks.Attachment{State: tasks.AttachmentDone}
	for name, change := range map[string]func(*Facts){
		"with documents":                func(f *Facts) { f.Documents = []tasks.Attachment{done} },
		"with a marker that says none":  func(f *Facts) { f.None = true },
		"with all that were left out":   func(f *Facts) { f.Met, f.LeftOut = 2, 2 },
		"with none, and that is enough": func(f *Facts) { f.Optional = true },
	} {
		f := Facts{PO: "PO1001", Wanted: true, Identity: IdentitySure, Visited: true, ItemKnown: true,
			Unturned: tasks.Retry(tasks.ClassIncomplete, "x")}
		change(&f)
		if r := Judge(f); r.Outcome != tasks.OutcomePartial || r.Proof != nil {
			t.Errorf("%s: got %+v", name, r)
		}
		if r := NotWhole(f); r == nil {
			t.Errorf("%s: another page counts as whole", name)
		}
	}
}

// TestJudgeRelated rules on orders to which other pages belong.
func TestJudgeRelated(t *testing.T) {
	t.Parallel()
	sure := Facts{PO: "PO1001", Wanted: true, Identity: IdentitySure, Visited: true}
	done := tasks.Attachment{State: tasks.AttachmentDone}
	for name, c := range map[string]struct {
		change  func(*Facts)
		outcome tasks.Outcome
		retry   bool
		awaits  bool
	}{
		"documents on both":                {func(f *Facts) { f.Documents, f.Added = []tasks.Attachment{done, done}, 1 }, tasks.OutcomeComplete, false, false},
		"only there, and none here":        {func(f *Facts) { f.Documents, f.Added, f.None, f.NoneSelector = []tasks.Attachment{done}, 1, true, ".n" }, tasks.OutcomeComplete, false, false},
		"only there, and settled here":     {func(f *Facts) { f.Documents, f.Added, f.ItemKnown = []tasks.Attachment{done}, 1, true }, tasks.OutcomeComplete, false, false},
		"only there, and nothing is known": {func(f *Facts) { f.Documents, f.Added = []tasks.Attachment{done}, 1 }, tasks.OutcomePartial, true, false},
		"only there, and none not shown": {func(f *Facts) {
			f.Documents, f.Added, f.NoneSelector, f.ItemKnown = []tasks.Attachment{done}, 1, ".n", true
		}, tasks.OutcomePartial, true, false},
		"nowhere, and nothing is known": {func(*Facts) {}, tasks.OutcomePartial, false, true},
		"one that cannot be read": {func(f *Facts) {
			f.Documents, f.Unread = []tasks.Attachment{done}, []*tasks.Failure{tasks.Retry(tasks.ClassNavigation, "x")}
		}, tasks.OutcomePartial, true, false},
		"one that never will be":   {func(f *Facts) { f.None, f.Unread = true, []*tasks.Failure{tasks.Permanent("", tasks.ClassHost, "x")} }, tasks.OutcomePartial, false, false},
		"one that asks to sign in": {func(f *Facts) { f.None, f.Unread = true, []*tasks.Failure{tasks.Permanent("", tasks.ClassLogin, "x")} }, tasks.OutcomePartial, true, false},
	} {
		f := sure
		c.change(&f)
		r := Judge(f)
		retry := r.Failure != nil && r.Failure.Advice == tasks.AdviceRetry
		if r.Outcome != c.outcome || retry != c.retry || r.AwaitsItem != c.awaits {
			t.Errorf("%s: got %s (%+v), want %s", name, r.Outcome, r.Failure, c.outcome)
		}
		if r.Proof != nil && (!r.Outcome.Well() || r.Outcome == tasks.OutcomeComplete && r.Proof.By != tasks.ProofListed) {
			t.Errorf("%s: there is the proof %+v", name, r.Proof)
		}
	}
}
