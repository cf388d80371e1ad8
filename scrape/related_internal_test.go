package scrape

import (
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestJudgeRelated rules on orders to which other pages belong.
func TestJudgeRelated(t *testing.T) {
	t.Parallel()
	sure := facts{PO: "PO1001", Wanted: true, Identity: identitySure, Visited: true}
	done := tasks.Attachment{State: tasks.AttachmentDone}
	for name, c := range map[string]struct {
		change  func(*facts)
		outcome tasks.Outcome
		retry   bool
		awaits  bool
	}{
		"documents on both":                {func(f *facts) { f.Documents, f.Added = []tasks.Attachment{done, done}, 1 }, tasks.OutcomeComplete, false, false},
		"only there, and none here":        {func(f *facts) { f.Documents, f.Added, f.None, f.NoneSelector = []tasks.Attachment{done}, 1, true, ".n" }, tasks.OutcomeComplete, false, false},
		"only there, and settled here":     {func(f *facts) { f.Documents, f.Added, f.ItemKnown = []tasks.Attachment{done}, 1, true }, tasks.OutcomeComplete, false, false},
		"only there, and nothing is known": {func(f *facts) { f.Documents, f.Added = []tasks.Attachment{done}, 1 }, tasks.OutcomePartial, true, false},
		"only there, and none not shown": {func(f *facts) {
			f.Documents, f.Added, f.NoneSelector, f.ItemKnown = []tasks.Attachment{done}, 1, ".n", true
		}, tasks.OutcomePartial, true, false},
		"nowhere, and nothing is known": {func(*facts) {}, tasks.OutcomePartial, false, true},
		"one that cannot be read": {func(f *facts) {
			f.Documents, f.Unread = []tasks.Attachment{done}, []*tasks.Failure{tasks.Retry(tasks.ClassNavigation, "x")}
		}, tasks.OutcomePartial, true, false},
		"one that never will be":   {func(f *facts) { f.None, f.Unread = true, []*tasks.Failure{tasks.Permanent("", tasks.ClassHost, "x")} }, tasks.OutcomePartial, false, false},
		"one that asks to sign in": {func(f *facts) { f.None, f.Unread = true, []*tasks.Failure{tasks.Permanent("", tasks.ClassLogin, "x")} }, tasks.OutcomePartial, true, false},
	} {
		f := sure
		c.change(&f)
		r := judge(f)
		retry := r.Failure != nil && r.Failure.Advice == tasks.AdviceRetry
		if r.Outcome != c.outcome || retry != c.retry || r.AwaitsItem != c.awaits {
			t.Errorf("%s: got %s (%+v), want %s", name, r.Outcome, r.Failure, c.outcome)
		}
		if r.Proof != nil && r.Outcome != tasks.OutcomeNoAttachments {
			t.Errorf("%s: there is the proof %+v", name, r.Proof)
		}
	}
}

// TestSelectorsOfRelated: what finds documents on other pages is looked for as on the order's
// own; that there is no link to one is no fault.
func TestSelectorsOfRelated(t *testing.T) {
	t.Parallel()
	r, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nattachments: {item: a}\nrelated: [{link: .r, attachments: {item: b, link: i, pending: u, exclude: [s]}}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	var warned []string
	for _, s := range NewPortal(r, nil).Selectors() {
		if s.Kind == tasks.SelectorWarning {
			warned = append(warned, s.Where)
		}
	}
	if want := []string{"attachments.item", "related[0].attachments.item", "related[0].attachments.link"}; !slices.Equal(warned, want) {
		t.Errorf("got %v, want %v", warned, want)
	}
}
