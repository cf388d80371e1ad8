package scrape

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// wellRead are the facts of a page that is the order's, whole and at rest; the changes make
// it another one.
func wellRead(changes ...func(*facts)) facts {
	f := facts{ItemAt: whereItem, PO: "PO1001", Address: "https://h/1001", Wanted: true, Identity: identitySure, Seen: "PO1001", Visited: true,
		ReadySelector: "#ready", ReadyAt: "ready.selector", IdentitySelector: "#po", Patience: 20 * time.Second}
	for _, change := range changes {
		change(&f)
	}
	return f
}

func listing(states ...tasks.AttachmentState) func(*facts) {
	return func(f *facts) {
		f.Met = len(states)
		for _, state := range states {
			doc := tasks.Attachment{Name: "a.pdf", State: state}
			switch state {
			case tasks.AttachmentFailed:
				doc.Error = tasks.Retry(tasks.ClassWrongSize, "it was cut")
			case tasks.AttachmentSkipped:
				doc.Error = tasks.Permanent("", tasks.ClassLimit, "it is too large")
			}
			f.Documents = append(f.Documents, doc)
		}
	}
}

func signsInAt(f *facts)     { f.SignedOut = "it led to https://h/1001/login" }
func dataSignedOut(f *facts) { f.SignedOutPart = "GET /data, which was answered with status 401" }

func refuses(kind refusalKind, ruled bool) func(*facts) {
	return func(f *facts) { f.Refusal = refusal{Kind: kind, Text: "as it says", Ruled: ruled} }
}

func shows(as shownAs) func(*facts) { return func(f *facts) { f.Identity = as } }

// The facts of a page, one at a time.
var (
	hasDocuments   = listing(tasks.AttachmentDone, tasks.AttachmentDone)
	showsNone      = func(f *facts) { f.NoneSelector, f.None = ".none", true }
	hasNone        = func(f *facts) { f.NoneSelector = ".none" }
	saysZero       = func(f *facts) { f.Zero = "Documents (0)" }
	leavesOut      = func(f *facts) { f.Met, f.LeftOut = 2, 2 }
	itemKnown      = func(f *facts) { f.ItemKnown = true }
	isAuto         = func(f *facts) { f.Auto, f.IdentitySelector = true, "" }
	isOptional     = func(f *facts) { f.Optional = true }
	asksForNone    = func(f *facts) { f.Wanted = false }
	unlinked       = func(f *facts) { f.Wanted, f.Unlinked = false, true }
	unreadySel     = func(f *facts) { f.Unready = true }
	busy           = func(f *facts) { f.Busy = true }
	loadingText    = func(f *facts) { f.Loading = "Loading…" }
	unsettledPage  = func(f *facts) { f.Unsettled, f.Open = "a request is open", ", waiting for https://h/api" }
	restless       = func(f *facts) { f.Restless = "the page is still loading" }
	cutPage        = func(f *facts) { f.Unloaded = "the page asked for https://h/api and had no whole answer" }
	cutShort       = func(f *facts) { f.CutShort = "the connection was closed" }
	noAnswer       = func(f *facts) { f.Data = "no answer matched" }
	badAnswer      = func(f *facts) { f.Data, f.Asked = "GET /api was answered with status 404", true }
	noList         = func(f *facts) { f.NoList = "the answer has no list" }
	unseenFrame    = func(f *facts) { f.Unseen = "a frame of another host cannot be read" }
	declaresMore   = func(f *facts) { f.Declared = &declared{5, "Documents (5)"} }
	unusedControl  = func(f *facts) { f.Controls = []string{"Next"} }
	missingField   = func(f *facts) { f.Missing = []string{"total"} }
	onlyFetched    = func(f *facts) { f.Fetched = true }
	unfit          = func(f *facts) { f.Fetched, f.Unfit = true, "it has frames" }
	veiled         = func(f *facts) { f.Fetched, f.Veiled = true, true }
	notAllVisited  = func(f *facts) { f.Visited = false }
	allFailed      = listing(tasks.AttachmentFailed)
	someFailed     = listing(tasks.AttachmentDone, tasks.AttachmentFailed)
	someSkipped    = listing(tasks.AttachmentDone, tasks.AttachmentSkipped)
	allSkipped     = listing(tasks.AttachmentSkipped)
	failedAndLimit = listing(tasks.AttachmentFailed, tasks.AttachmentSkipped)
	notInList      = func(f *facts) { f.Identity, f.InData = identityNothing, &inData{count: 3} }
	unknownList    = func(f *facts) {
		f.Identity, f.InData = identityNothing, &inData{why: "GET /api was answered with status 500"}
	}
	twiceInList = func(f *facts) { f.Identity, f.InData = identitySeveral, &inData{count: 3} }
)

func all(changes ...func(*facts)) []func(*facts) { return changes }

// judgements is the table of what facts amount to.
var judgements = []struct {
	name    string
	facts   []func(*facts)
	outcome tasks.Outcome
	// class of the failure, empty for none, and proof, empty for none.
	class tasks.Class
	proof tasks.ProofKind
	// advice is what the failure asks for: "" means a retry where there is a failure.
	advice tasks.Advice
}{
	// What ends well.
	{"documents", all(hasDocuments), tasks.OutcomeComplete, "", "", ""},
	{"documents, auto", all(hasDocuments, isAuto), tasks.OutcomeComplete, "", "", ""},
	{"documents and none", all(hasDocuments, showsNone), tasks.OutcomeComplete, "", "", ""},
	{"documents beside a foreign frame", all(hasDocuments, unseenFrame), tasks.OutcomeComplete, "", "", ""},
	{"documents, only fetched", all(hasDocuments, onlyFetched), tasks.OutcomeComplete, "", "", ""},
	{"documents, a recipe without identity", all(hasDocuments, shows(identityMentioned)), tasks.OutcomeComplete, "", "", ""},
	{"documents, and a place that may hold others", all(hasDocuments, isAuto, func(f *facts) { f.Unlisted = "a toast" }), tasks.OutcomePartial, tasks.ClassIncomplete, "", tasks.AdvicePermanent},
	{"no documents are asked for", all(asksForNone), tasks.OutcomeComplete, "", "", ""},
	{"on other pages alone, and none", all(unlinked), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"on other pages alone, and none here", all(unlinked, func(f *facts) { f.ItemKnown = true }), tasks.OutcomeNoAttachments, "", tasks.ProofSettled, ""},
	{"marker", all(showsNone), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"marker, on a page with nothing of an order", all(showsNone, func(f *facts) { f.Hollow = "A message" }), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"marker, and data that was never asked for", all(showsNone, noAnswer), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"count, and data that was never asked for", all(saysZero, noAnswer), tasks.OutcomeNoAttachments, "", tasks.ProofCount, ""},
	{"documents in another order's part", all(hasDocuments, func(f *facts) { f.Theirs = "PO1002" }), tasks.OutcomePartial, tasks.ClassIdentity, "", ""},
	{"documents that name another order", all(hasDocuments, func(f *facts) { f.Strayed = []string{"as it says"} }), tasks.OutcomePartial, tasks.ClassIdentity, "", ""},
	{"marker, and data that did not come", all(showsNone, badAnswer), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", ""},
	{"a known item, and data that was never asked for", all(itemKnown, noAnswer), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", ""},
	{"optional, and data that was never asked for", all(isOptional, noAnswer), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", ""},
	{"documents, and data that did not all come", all(hasDocuments, badAnswer), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", ""},
	{"a known item, and all left out by a where that meets nothing", all(leavesOut, itemKnown, func(f *facts) { f.WhereUnmet = true }), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"a known item, and all left out by an exclude that is too broad", all(leavesOut, itemKnown, func(f *facts) { f.LeftOutVague = true }), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"a known item, and data without a list", all(itemKnown, noList), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"no such order, and no data", all(refuses(refusalNotFound, false), noAnswer), tasks.OutcomeNotFound, tasks.ClassNotFound, "", tasks.AdvicePermanent},
	{"marker, only fetched", all(showsNone, onlyFetched), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"documents, only fetched, with styles", all(hasDocuments, veiled), tasks.OutcomeComplete, "", "", ""},
	{"left out, only fetched, with styles", all(leavesOut, veiled), tasks.OutcomeNoAttachments, "", tasks.ProofLeftOut, ""},
	{"marker before count", all(showsNone, saysZero), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"count", all(saysZero), tasks.OutcomeNoAttachments, "", tasks.ProofCount, ""},
	{"count, auto", all(saysZero, isAuto), tasks.OutcomeNoAttachments, "", tasks.ProofCount, ""},
	{"count, and what may be one, auto", all(saysZero, isAuto, func(f *facts) { f.Unlisted = "a toast" }), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"the recipe's own count", all(hasNone, saysZero, func(f *facts) { f.OwnCount = true }), tasks.OutcomeNoAttachments, "", tasks.ProofCount, ""},
	{"left out", all(leavesOut), tasks.OutcomeNoAttachments, "", tasks.ProofLeftOut, ""},
	{"left out, none not shown", all(leavesOut, hasNone), tasks.OutcomeNoAttachments, "", tasks.ProofLeftOut, ""},
	{"settled", all(itemKnown), tasks.OutcomeNoAttachments, "", tasks.ProofSettled, ""},
	{"auto", all(isAuto), tasks.OutcomeNoAttachments, "", tasks.ProofAuto, ""},
	{"optional", all(isOptional), tasks.OutcomeNoAttachments, "", tasks.ProofOptional, ""},
	{"optional, none not shown", all(isOptional, hasNone), tasks.OutcomeNoAttachments, "", tasks.ProofOptional, ""},

	// What proves nothing.
	{"none not shown", all(hasNone), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"none not shown, the page's count", all(hasNone, saysZero), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"none not shown, item known", all(hasNone, itemKnown), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"item never met", all(), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"some left out only", all(func(f *facts) { f.Met, f.LeftOut = 2, 1 }), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"a foreign frame", all(itemKnown, unseenFrame), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"a foreign frame, auto", all(isAuto, unseenFrame), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"a foreign frame, optional", all(isOptional, unseenFrame), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"waiting for what does not count, with documents", all(hasDocuments, restless), tasks.OutcomeComplete, "", "", ""},
	{"waiting for what does not count, with a marker", all(showsNone, restless), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"waiting for what does not count", all(itemKnown, restless), tasks.OutcomePartial, tasks.ClassUnsettled, "", ""},
	{"waiting for what does not count, auto", all(isAuto, restless), tasks.OutcomePartial, tasks.ClassUnsettled, "", ""},
	{"waiting for what does not count, optional", all(isOptional, restless), tasks.OutcomePartial, tasks.ClassUnsettled, "", ""},
	{"mentioned", all(itemKnown, shows(identityMentioned)), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"not all visited", all(itemKnown, notAllVisited), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"only fetched", all(itemKnown, onlyFetched), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"only fetched, auto", all(isAuto, onlyFetched), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"only fetched, marker that styles may hide", all(showsNone, veiled), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"only fetched, count that styles may hide", all(saysZero, veiled), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"only fetched, count that styles may hide, auto", all(saysZero, isAuto, veiled), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"only fetched, optional", all(isOptional, onlyFetched), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},

	// What is missing.
	{"a document failed", all(someFailed), tasks.OutcomePartial, tasks.ClassWrongSize, "", ""},
	{"a document was left out by a rule", all(someSkipped), tasks.OutcomePartial, tasks.ClassLimit, "", tasks.AdvicePermanent},
	{"all were left out by a rule", all(allSkipped), tasks.OutcomePartial, tasks.ClassLimit, "", tasks.AdvicePermanent},
	{"all failed", all(allFailed), tasks.OutcomeFailed, tasks.ClassWrongSize, "", ""},
	{"one failed, one left out", all(failedAndLimit), tasks.OutcomeFailed, tasks.ClassWrongSize, "", ""},
	{"all failed, on a page that was cut", all(allFailed, cutPage), tasks.OutcomeFailed, tasks.ClassWrongSize, "", ""},
	{"the page declares more", all(hasDocuments, declaresMore), tasks.OutcomePartial, tasks.ClassIncomplete, "", ""},
	{"the page declares more, and shows none", all(showsNone, declaresMore), tasks.OutcomePartial, tasks.ClassIncomplete, "", ""},
	{"the page declares more, and says 0", all(saysZero, declaresMore), tasks.OutcomePartial, tasks.ClassIncomplete, "", ""},
	{"the page declares more, optional", all(isOptional, declaresMore), tasks.OutcomePartial, tasks.ClassIncomplete, "", ""},
	{"more is declared, none is asked for", all(asksForNone, declaresMore), tasks.OutcomeComplete, "", "", ""},
	{"an unused control", all(hasDocuments, unusedControl), tasks.OutcomePartial, tasks.ClassIncomplete, "", tasks.AdvicePermanent},
	{"an unused control, and shows none", all(showsNone, unusedControl), tasks.OutcomePartial, tasks.ClassIncomplete, "", tasks.AdvicePermanent},
	{"a field", all(hasDocuments, missingField), tasks.OutcomePartial, tasks.ClassMissingField, "", ""},
	{"a field, and shows none", all(showsNone, missingField), tasks.OutcomePartial, tasks.ClassMissingField, "", ""},
	{"a field, none asked for", all(asksForNone, missingField), tasks.OutcomePartial, tasks.ClassMissingField, "", ""},
	{"a document before a field", all(someFailed, missingField), tasks.OutcomePartial, tasks.ClassWrongSize, "", ""},
	{"not fit to be fetched", all(hasDocuments, unfit), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},

	// What was not read whole.
	{"ready unmet, with documents", all(hasDocuments, unreadySel), tasks.OutcomePartial, tasks.ClassNotReady, "", ""},
	{"ready unmet, without", all(unreadySel), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"ready unmet, marker shown", all(unreadySel, showsNone), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"ready unmet, whose page it is not known", all(hasDocuments, unreadySel, shows(identityNothing)), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"ready unmet and cut", all(unreadySel, cutPage), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"gone still there, with documents", all(hasDocuments, busy), tasks.OutcomePartial, tasks.ClassNotReady, "", ""},
	{"gone still there, without", all(busy), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"loading, with documents", all(hasDocuments, loadingText), tasks.OutcomePartial, tasks.ClassNotReady, "", ""},
	{"loading, without", all(isAuto, loadingText), tasks.OutcomePartial, tasks.ClassNotReady, "", ""},
	{"loading, and only fetched", all(hasDocuments, loadingText, onlyFetched), tasks.OutcomePartial, tasks.ClassNotReady, "", tasks.AdvicePermanent},
	{"cut and not of the order", all(cutPage, shows(identityNothing)), tasks.OutcomeFailed, tasks.ClassPageIncomplete, "", ""},
	{"unsettled and not of the order", all(unsettledPage, shows(identityNothing)), tasks.OutcomeFailed, tasks.ClassUnsettled, "", ""},
	{"loading and not of the order", all(loadingText, shows(identityNothing)), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"cut before unsettled", all(hasDocuments, cutPage, unsettledPage), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", ""},
	{"unsettled before a field", all(hasDocuments, unsettledPage, missingField), tasks.OutcomePartial, tasks.ClassUnsettled, "", ""},
	{"mentioned, auto", all(hasDocuments, isAuto, shows(identityMentioned)), tasks.OutcomePartial, tasks.ClassIdentity, "", ""},
	{"the page's own text was cut", all(hasDocuments, cutShort), tasks.OutcomeFailed, tasks.ClassNavigation, "", ""},

	// What is not the order.
	{"another order", all(hasDocuments, shows(identityOther)), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"no number", all(hasDocuments, shows(identityNothing)), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"not in a list in data", all(notInList, showsNone), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"not in a list, loading", all(notInList, loadingText), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"a list in data that is not known", all(unknownList, isOptional), tasks.OutcomeFailed, tasks.ClassPageIncomplete, "", ""},
	{"twice in a list in data", all(twiceInList, hasDocuments), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"another order, and ready unmet", all(unreadySel, shows(identityOther)), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"another order, cut", all(cutPage, shows(identityOther)), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"sign-in before ready", all(unreadySel, refuses(refusalSignIn, false)), tasks.OutcomeSessionExpired, tasks.ClassLogin, "", tasks.AdviceRetry},
	{"an address of a sign-in", all(hasDocuments, signsInAt), tasks.OutcomeSessionExpired, tasks.ClassLogin, "", tasks.AdviceRetry},
	{"an address of a sign-in, which says that it is not found", all(signsInAt, refuses(refusalNotFound, true)), tasks.OutcomeSessionExpired, tasks.ClassLogin, "", tasks.AdviceRetry},
	{"data that need a sign-in", all(hasDocuments, cutPage, dataSignedOut), tasks.OutcomeSessionExpired, tasks.ClassLogin, "", tasks.AdviceRetry},
	{"data that need a sign-in, of no such order", all(dataSignedOut, refuses(refusalNotFound, true)), tasks.OutcomeNotFound, tasks.ClassNotFound, "", tasks.AdvicePermanent},
	{"not found before ready", all(unreadySel, refuses(refusalNotFound, true)), tasks.OutcomeNotFound, tasks.ClassNotFound, "", tasks.AdvicePermanent},
	{"not found in words, of a page that was cut", all(cutPage, refuses(refusalNotFound, false), shows(identityNothing)), tasks.OutcomeFailed, tasks.ClassPageIncomplete, "", ""},
	{"not found by the recipe, of a page that was cut", all(cutPage, refuses(refusalNotFound, true)), tasks.OutcomeNotFound, tasks.ClassNotFound, "", tasks.AdvicePermanent},
	{"not found in words, of a page in motion", all(unsettledPage, refuses(refusalNotFound, false)), tasks.OutcomeFailed, tasks.ClassUnsettled, "", ""},
	{"not found, only fetched", all(onlyFetched, refuses(refusalNotFound, true)), tasks.OutcomeFailed, tasks.ClassUnproven, "", ""},
	{"a list before another order", all(shows(identityOther), refuses(refusalList, false)), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
}

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, c := range judgements {
		r := judge(wellRead(c.facts...))
		checkRuling(t, c.name, r, c.outcome, c.class)
		var proof tasks.ProofKind
		if r.Proof != nil {
			proof = r.Proof.By
			if r.Proof.Text == "" {
				t.Errorf("%s: the proof does not say what was seen", c.name)
			}
		}
		if proof != c.proof {
			t.Errorf("%s: got the proof %q, want %q", c.name, proof, c.proof)
		}
		want := c.advice
		if want == "" && c.class != "" {
			want = tasks.AdviceRetry
		}
		if r.Failure != nil && r.Failure.Advice != want {
			t.Errorf("%s: got the advice %s, want %s", c.name, r.Failure.Advice, want)
		}
	}
}

func checkRuling(t *testing.T, name string, r ruling, outcome tasks.Outcome, class tasks.Class) {
	t.Helper()
	var got tasks.Class
	if r.Failure != nil {
		got = r.Failure.Class
	}
	if r.Outcome != outcome || got != class {
		t.Errorf("%s: got %s (%q), want %s (%q); %v", name, r.Outcome, got, outcome, class, r.Failure)
	}
	if (r.Failure == nil) != r.Outcome.Well() {
		t.Errorf("%s: it ends %s, with the failure %v", name, r.Outcome, r.Failure)
	}
}

// TestJudgeNeverBelieves walks all that a page can show for itself through all that speaks
// against it, in pairs too: none of it ends well.
func TestJudgeNeverBelieves(t *testing.T) {
	t.Parallel()
	shown := map[string][]func(*facts){
		"documents": all(hasDocuments), "a marker": all(showsNone), "a count": all(saysZero), "items left out": all(leavesOut), "a known item": all(itemKnown),
		"nothing, auto": all(isAuto), "nothing, optional": all(isOptional), "no documents asked for": all(asksForNone),
		"everything": all(hasDocuments, showsNone, saysZero, itemKnown, isOptional), "documents, auto": all(hasDocuments, isAuto),
	}
	against := map[string]func(*facts){
		"unready": unreadySel, "busy": busy, "loading": loadingText, "unsettled": unsettledPage, "cut": cutPage, "bad data": badAnswer, "cut short": cutShort,
		"another order": shows(identityOther), "no number": shows(identityNothing), "a missing field": missingField, "unfit": unfit,
		"not in a list": notInList, "an unknown list": unknownList, "twice in a list": twiceInList,
	}
	for _, kind := range []refusalKind{refusalSignIn, refusalNotFound, refusalDenied, refusalThrottled, refusalMaintenance, refusalError, refusalList} {
		against[string(kind)], against[string(kind)+" by the recipe"] = refuses(kind, false), refuses(kind, true)
	}
	for what, says := range shown {
		for why, speaks := range against {
			for also, other := range against {
				r := judge(wellRead(append(slices.Clone(says), speaks, other)...))
				if r.Outcome.Well() || r.Failure == nil || r.Proof != nil || r.AwaitsItem {
					t.Errorf("%s against %s and %s: it ends %s (%+v)", what, why, also, r.Outcome, r)
				}
			}
		}
	}
}

// TestJudgeRefusals: what each refusal amounts to, whatever else is known.
func TestJudgeRefusals(t *testing.T) {
	t.Parallel()
	for kind, want := range map[refusalKind]struct {
		outcome tasks.Outcome
		class   tasks.Class
		advice  tasks.Advice
	}{
		refusalSignIn:      {tasks.OutcomeSessionExpired, tasks.ClassLogin, tasks.AdviceRetry},
		refusalWall:        {tasks.OutcomeFailed, tasks.ClassWall, tasks.AdviceRetry},
		refusalTerms:       {tasks.OutcomeFailed, tasks.ClassWall, tasks.AdviceRetry},
		refusalNotFound:    {tasks.OutcomeNotFound, tasks.ClassNotFound, tasks.AdvicePermanent},
		refusalThrottled:   {tasks.OutcomeFailed, tasks.ClassThrottled, tasks.AdviceRetry},
		refusalDenied:      {tasks.OutcomeAccessDenied, tasks.ClassAccessDenied, tasks.AdvicePermanent},
		refusalMaintenance: {tasks.OutcomeFailed, tasks.ClassThrottled, tasks.AdviceRetry},
		refusalError:       {tasks.OutcomeFailed, tasks.ClassPortalError, tasks.AdviceRetry},
		refusalList:        {tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, tasks.AdviceRetry},
	} {
		for _, page := range [][]func(*facts){all(), all(hasDocuments), all(showsNone), all(isAuto), all(someFailed), all(shows(identityNothing))} {
			r := judge(wellRead(append(page, refuses(kind, false))...))
			checkRuling(t, string(kind), r, want.outcome, want.class)
			if !r.Refused || !r.Foreign || r.Failure.Advice != want.advice || !strings.Contains(r.Failure.Message, "https://h/1001") {
				t.Errorf("%s: got %+v, %+v", kind, r, r.Failure)
			}
		}
	}
}

func TestJudgeTellsMore(t *testing.T) {
	t.Parallel()
	if r := judge(wellRead()); !r.AwaitsItem || r.Failure.Retryable {
		t.Errorf("an order that only awaits the item: %+v", r)
	}
	for name, f := range map[string]facts{"none": wellRead(hasNone), "auto": wellRead(isAuto, unseenFrame), "frame": wellRead(unseenFrame), "mention": wellRead(shows(identityMentioned))} {
		if judge(f).AwaitsItem {
			t.Errorf("%s: it lacks more than the item", name)
		}
	}
	if r := judge(wellRead(hasDocuments, showsNone)); len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "2 documents") {
		t.Errorf("items and none together: %q", r.Notes)
	}
	if r := judge(wellRead(showsNone)); len(r.Notes) != 0 {
		t.Errorf("none alone: %q", r.Notes)
	}
	for want, f := range map[string]facts{
		`"PO1002"`:                 wellRead(shows(identityOther), func(f *facts) { f.Seen = "PO1002" }),
		`which names "PO1002"`:     wellRead(shows(identityOther), func(f *facts) { f.Seen, f.Wide = "PO1002", true }),
		"may name other orders":    wellRead(shows(identityNothing), func(f *facts) { f.Seen, f.Wide = "", true }),
		"met nothing":              wellRead(shows(identityNothing), func(f *facts) { f.Seen = "" }),
		`"Draft"`:                  wellRead(shows(identityNothing), func(f *facts) { f.Seen = "Draft" }),
		"waiting for https://h/ap": wellRead(unsettledPage),
		"https://h/api and":        wellRead(cutPage),
		`"Next"`:                   wellRead(unusedControl),
		`"Documents (5)"`:          wellRead(declaresMore),
		`"Loading…"`:               wellRead(loadingText),
		`fetched, and says that it is loading ("Loading…")`: wellRead(loadingText, onlyFetched),
		"was only fetched, and has no ready.selector":       wellRead(unreadySel, onlyFetched),
		"was only fetched, and shows that it is loading":    wellRead(busy, onlyFetched),
	} {
		if r := judge(f); !strings.Contains(r.Failure.Message, want) {
			t.Errorf("the failure does not say %s: %s", want, r.Failure.Message)
		}
	}
}
