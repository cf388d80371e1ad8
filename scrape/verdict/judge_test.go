package verdict

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// wellRead are the facts of a page that is the order's, whole and at rest; the changes make
// it another one.
func wellRead(changes ...func(*Facts)) Facts {
	f := Facts{ItemAt: "attachments.item", PO: "PO1001", Address: "https://h/1001", Wanted: true, Identity: IdentitySure, Seen: "PO1001", Visited: true,
		ReadySelector: "#ready", ReadyAt: "ready.selector", IdentitySelector: "#po", Patience: 20 * time.Second}
	for _, change := range changes {
		change(&f)
	}
	return f
}

func listing(states ...tasks.AttachmentState) func(*Facts) {
	return func(f *Facts) {
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

func signsInAt(f *Facts)     { f.SignedOut = "it led to https://h/1001/login" }
func dataSignedOut(f *Facts) { f.SignedOutPart = "GET /data, which was answered with status 401" }

func refuses(kind RefusalKind, ruled bool) func(*Facts) {
	return func(f *Facts) { f.Refusal = Refusal{Kind: kind, Text: "as it says", Ruled: ruled} }
}

func promises(n int) func(*Facts) { return func(f *Facts) { f.Promised = &n } }

func shows(as Identity) func(*Facts) { return func(f *Facts) { f.Identity = as } }

// The facts of a page, one at a time.
var (
	hasDocuments   = listing(tasks.AttachmentDone, tasks.AttachmentDone)
	showsNone      = func(f *Facts) { f.NoneSelector, f.None = ".none", true }
	hasNone        = func(f *Facts) { f.NoneSelector = ".none" }
	saysZero       = func(f *Facts) { f.Zero = "Documents (0)" }
	leavesOut      = func(f *Facts) { f.Met, f.LeftOut = 2, 2 }
	itemKnown      = func(f *Facts) { f.ItemKnown = true }
	isAuto         = func(f *Facts) { f.Auto, f.IdentitySelector = true, "" }
	isOptional     = func(f *Facts) { f.Optional = true }
	asksForNone    = func(f *Facts) { f.Wanted = false }
	fieldsAlone    = func(f *Facts) { f.FieldsAlone = true }
	unlinked       = func(f *Facts) { f.Wanted, f.Unlinked = false, true }
	unreadySel     = func(f *Facts) { f.Unready = true }
	busy           = func(f *Facts) { f.Busy = true }
	loadingText    = func(f *Facts) { f.Loading = "Loading…" }
	unsettledPage  = func(f *Facts) { f.Unsettled, f.Open = "a request is open", ", waiting for https://h/api" }
	arriving       = func(f *Facts) { f.Unsettled, f.Arriving = "the page is still arriving", true }
	restless       = func(f *Facts) { f.Restless = "the page is still loading" }
	barredScript   = func(f *Facts) { f.Barred = "the page asked for https://cdn/a.js" }
	barredData     = func(f *Facts) { f.Barred, f.BarredData = "the page asked for https://other/api", true }
	cutPage        = func(f *Facts) { f.Unloaded = "the page asked for https://h/api and had no whole answer" }
	cutShort       = func(f *Facts) { f.CutShort = "the connection was closed" }
	noAnswer       = func(f *Facts) { f.Data = "no answer matched" }
	badAnswer      = func(f *Facts) { f.Data, f.Asked = "GET /api was answered with status 404", true }
	noList         = func(f *Facts) { f.NoList = "the answer has no list" }
	unseenFrame    = func(f *Facts) { f.Unseen = "a frame of another host cannot be read" }
	declaresMore   = func(f *Facts) { f.Declared = &Declared{5, "Documents (5)"} }
	unusedControl  = func(f *Facts) { f.Controls = []string{"Next"} }
	missingField   = func(f *Facts) { f.Missing = []string{"total"} }
	onlyFetched    = func(f *Facts) { f.Fetched = true }
	unfit          = func(f *Facts) { f.Fetched, f.Unfit = true, "it has frames" }
	veiled         = func(f *Facts) { f.Fetched, f.Veiled = true, true }
	notAllVisited  = func(f *Facts) { f.Visited = false }
	allFailed      = listing(tasks.AttachmentFailed)
	someFailed     = listing(tasks.AttachmentDone, tasks.AttachmentFailed)
	someSkipped    = listing(tasks.AttachmentDone, tasks.AttachmentSkipped)
	allSkipped     = listing(tasks.AttachmentSkipped)
	failedAndLimit = listing(tasks.AttachmentFailed, tasks.AttachmentSkipped)
	notInList      = func(f *Facts) { f.Identity, f.InData = IdentityNothing, &InData{Count: 3} }
	unknownList    = func(f *Facts) {
		f.Identity, f.InData = IdentityNothing, &InData{Why: "GET /api was answered with status 500"}
	}
	inLongerList = func(f *Facts) { f.InData = &InData{Count: 3, Further: "it goes on"} }
	twiceInList  = func(f *Facts) { f.Identity, f.InData = IdentitySeveral, &InData{Count: 3} }
)

func all(changes ...func(*Facts)) []func(*Facts) { return changes }

// judgements is the table of what facts amount to.
var judgements = []struct {
	name    string
	facts   []func(*Facts)
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
	{"documents, a recipe without identity", all(hasDocuments, shows(IdentityMentioned)), tasks.OutcomeComplete, "", "", ""},
	{"no documents are asked for", all(asksForNone), tasks.OutcomeComplete, "", tasks.ProofUnasked, ""},
	{"the recipe says that none are", all(asksForNone, fieldsAlone), tasks.OutcomeComplete, "", tasks.ProofFields, ""},
	{"on other pages alone, and none", all(unlinked), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"on other pages alone, and none here", all(unlinked, func(f *Facts) { f.ItemKnown = true }), tasks.OutcomeNoAttachments, "", tasks.ProofSettled, ""},
	{"marker", all(showsNone), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"marker, on a page with nothing of an order", all(showsNone, func(f *Facts) { f.Hollow = "A message" }), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"marker, and data that was never asked for", all(showsNone, noAnswer), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"count, and data that was never asked for", all(saysZero, noAnswer), tasks.OutcomeNoAttachments, "", tasks.ProofCount, ""},
	{"documents in another order's part", all(hasDocuments, func(f *Facts) { f.Theirs = "PO1002" }), tasks.OutcomePartial, tasks.ClassIdentity, "", ""},
	{"documents that name another order", all(hasDocuments, func(f *Facts) { f.Strayed = []string{"as it says"} }), tasks.OutcomePartial, tasks.ClassIdentity, "", ""},
	{"marker, and data that did not come", all(showsNone, badAnswer), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", ""},
	{"a known item, and data that was never asked for", all(itemKnown, noAnswer), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", ""},
	{"optional, and data that was never asked for", all(isOptional, noAnswer), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", ""},
	{"documents, and data that did not all come", all(hasDocuments, badAnswer), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", ""},
	{"a known item, and all left out by a where that meets nothing", all(leavesOut, itemKnown, func(f *Facts) { f.WhereUnmet = true }), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"a known item, and all left out by an exclude that is too broad", all(leavesOut, itemKnown, func(f *Facts) { f.LeftOutVague = true }), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"a known item, and data without a list", all(itemKnown, noList), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"no such order, and no data", all(refuses(RefusalNotFound, false), noAnswer), tasks.OutcomeNotFound, tasks.ClassNotFound, "", tasks.AdvicePermanent},
	{"marker, only fetched", all(showsNone, onlyFetched), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"documents, only fetched, with styles", all(hasDocuments, veiled), tasks.OutcomeComplete, "", "", ""},
	{"left out, only fetched, with styles", all(leavesOut, veiled), tasks.OutcomeNoAttachments, "", tasks.ProofLeftOut, ""},
	{"marker before count", all(showsNone, saysZero), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"count", all(saysZero), tasks.OutcomeNoAttachments, "", tasks.ProofCount, ""},
	{"count, auto", all(saysZero, isAuto), tasks.OutcomeNoAttachments, "", tasks.ProofCount, ""},
	{"the recipe's own count", all(hasNone, saysZero, func(f *Facts) { f.OwnCount = true }), tasks.OutcomeNoAttachments, "", tasks.ProofCount, ""},
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
	{"some left out only", all(func(f *Facts) { f.Met, f.LeftOut = 2, 1 }), tasks.OutcomePartial, tasks.ClassUnproven, "", tasks.AdvicePermanent},
	{"a foreign frame", all(itemKnown, unseenFrame), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"a foreign frame, auto", all(isAuto, unseenFrame), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"a foreign frame, optional", all(isOptional, unseenFrame), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
	{"waiting for what does not count, with documents", all(hasDocuments, restless), tasks.OutcomeComplete, "", "", ""},
	{"waiting for what does not count, with a marker", all(showsNone, restless), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"waiting for what does not count", all(itemKnown, restless), tasks.OutcomePartial, tasks.ClassUnsettled, "", ""},
	{"waiting for what does not count, auto", all(isAuto, restless), tasks.OutcomePartial, tasks.ClassUnsettled, "", ""},
	{"waiting for what does not count, optional", all(isOptional, restless), tasks.OutcomePartial, tasks.ClassUnsettled, "", ""},
	{"what is not let out, with documents", all(hasDocuments, barredData), tasks.OutcomeComplete, "", "", ""},
	{"a script is not let out, with a marker", all(showsNone, barredScript), tasks.OutcomeNoAttachments, "", tasks.ProofMarker, ""},
	{"data is not let out, with a marker", all(showsNone, barredData), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", tasks.AdvicePermanent},
	{"data is not let out, with a count", all(saysZero, barredData), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", tasks.AdvicePermanent},
	{"a script is not let out", all(itemKnown, barredScript), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", tasks.AdvicePermanent},
	{"a script is not let out, auto", all(isAuto, barredScript), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", tasks.AdvicePermanent},
	{"mentioned", all(itemKnown, shows(IdentityMentioned)), tasks.OutcomePartial, tasks.ClassUnproven, "", ""},
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
	{"the sheet says more", all(hasDocuments, promises(3)), tasks.OutcomePartial, tasks.ClassIncomplete, "", ""},
	{"the sheet says more, and the page none", all(showsNone, promises(1)), tasks.OutcomePartial, tasks.ClassIncomplete, "", ""},
	{"the sheet says as many", all(hasDocuments, promises(2)), tasks.OutcomeComplete, "", "", ""},
	{"the sheet says as many, with those of other pages", all(hasDocuments, promises(3), func(f *Facts) { f.Added = 1 }), tasks.OutcomeComplete, "", "", ""},
	{"the sheet says fewer", all(hasDocuments, promises(1)), tasks.OutcomeComplete, "", "", ""},
	{"the sheet says more, and none are asked for", all(asksForNone, fieldsAlone, promises(3)), tasks.OutcomeComplete, "", tasks.ProofFields, ""},
	{"the page declares more, and shows none", all(showsNone, declaresMore), tasks.OutcomePartial, tasks.ClassIncomplete, "", ""},
	{"the page declares more, and says 0", all(saysZero, declaresMore), tasks.OutcomePartial, tasks.ClassIncomplete, "", ""},
	{"the page declares more, optional", all(isOptional, declaresMore), tasks.OutcomePartial, tasks.ClassIncomplete, "", ""},
	{"more is declared, none is asked for", all(asksForNone, declaresMore), tasks.OutcomeComplete, "", tasks.ProofUnasked, ""},
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
	{"ready unmet, whose page it is not known", all(hasDocuments, unreadySel, shows(IdentityNothing)), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"ready unmet and cut", all(unreadySel, cutPage), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"gone still there, with documents", all(hasDocuments, busy), tasks.OutcomePartial, tasks.ClassNotReady, "", ""},
	{"gone still there, without", all(busy), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"loading, with documents", all(hasDocuments, loadingText), tasks.OutcomePartial, tasks.ClassNotReady, "", ""},
	{"loading, without", all(isAuto, loadingText), tasks.OutcomePartial, tasks.ClassNotReady, "", ""},
	{"loading, and only fetched", all(hasDocuments, loadingText, onlyFetched), tasks.OutcomePartial, tasks.ClassNotReady, "", tasks.AdvicePermanent},
	{"cut and not of the order", all(cutPage, shows(IdentityNothing)), tasks.OutcomeFailed, tasks.ClassPageIncomplete, "", ""},
	{"unsettled and not of the order", all(unsettledPage, shows(IdentityNothing)), tasks.OutcomeFailed, tasks.ClassUnsettled, "", ""},
	{"loading and not of the order", all(loadingText, shows(IdentityNothing)), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"still arriving, and not known to be a sign-in", all(arriving, refuses(RefusalSignIn, false)), tasks.OutcomeFailed, tasks.ClassUnsettled, "", ""},
	{"in a list in data that goes on", all(hasDocuments, inLongerList), tasks.OutcomePartial, tasks.ClassIncomplete, "", tasks.AdvicePermanent},
	{"in a list in data that goes on, and no two have a number", all(hasDocuments, inLongerList, func(f *Facts) { f.InData.Single = true }), tasks.OutcomeComplete, "", "", ""},
	{"cut before unsettled", all(hasDocuments, cutPage, unsettledPage), tasks.OutcomePartial, tasks.ClassPageIncomplete, "", ""},
	{"unsettled before a field", all(hasDocuments, unsettledPage, missingField), tasks.OutcomePartial, tasks.ClassUnsettled, "", ""},
	{"mentioned, auto", all(hasDocuments, isAuto, shows(IdentityMentioned)), tasks.OutcomePartial, tasks.ClassIdentity, "", ""},
	{"the page's own text was cut", all(hasDocuments, cutShort), tasks.OutcomeFailed, tasks.ClassNavigation, "", ""},

	// What is not the order.
	{"another order", all(hasDocuments, shows(IdentityOther)), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"no number", all(hasDocuments, shows(IdentityNothing)), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"not in a list in data", all(notInList, showsNone), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"not in a list, loading", all(notInList, loadingText), tasks.OutcomeFailed, tasks.ClassNotReady, "", ""},
	{"a list in data that is not known", all(unknownList, isOptional), tasks.OutcomeFailed, tasks.ClassPageIncomplete, "", ""},
	{"twice in a list in data", all(twiceInList, hasDocuments), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"another order, and ready unmet", all(unreadySel, shows(IdentityOther)), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"another order, cut", all(cutPage, shows(IdentityOther)), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
	{"sign-in before ready", all(unreadySel, refuses(RefusalSignIn, false)), tasks.OutcomeSessionExpired, tasks.ClassLogin, "", tasks.AdviceRetry},
	{"an address of a sign-in", all(hasDocuments, signsInAt), tasks.OutcomeSessionExpired, tasks.ClassLogin, "", tasks.AdviceRetry},
	{"an address of a sign-in, which says that it is not found", all(signsInAt, refuses(RefusalNotFound, true)), tasks.OutcomeSessionExpired, tasks.ClassLogin, "", tasks.AdviceRetry},
	{"data that need a sign-in", all(hasDocuments, cutPage, dataSignedOut), tasks.OutcomeSessionExpired, tasks.ClassLogin, "", tasks.AdviceRetry},
	{"data that need a sign-in, of no such order", all(dataSignedOut, refuses(RefusalNotFound, true)), tasks.OutcomeNotFound, tasks.ClassNotFound, "", tasks.AdvicePermanent},
	{"not found before ready", all(unreadySel, refuses(RefusalNotFound, true)), tasks.OutcomeNotFound, tasks.ClassNotFound, "", tasks.AdvicePermanent},
	{"not found in words, of a page that was cut", all(cutPage, refuses(RefusalNotFound, false), shows(IdentityNothing)), tasks.OutcomeFailed, tasks.ClassPageIncomplete, "", ""},
	{"not found by the recipe, of a page that was cut", all(cutPage, refuses(RefusalNotFound, true)), tasks.OutcomeNotFound, tasks.ClassNotFound, "", tasks.AdvicePermanent},
	{"not found in words, of a page in motion", all(unsettledPage, refuses(RefusalNotFound, false)), tasks.OutcomeFailed, tasks.ClassUnsettled, "", ""},
	{"not found, only fetched", all(onlyFetched, refuses(RefusalNotFound, true)), tasks.OutcomeFailed, tasks.ClassUnproven, "", ""},
	{"a list before another order", all(shows(IdentityOther), refuses(RefusalList, false)), tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, "", ""},
}

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, c := range judgements {
		r := Judge(wellRead(c.facts...))
		checkRuling(t, c.name, r, c.outcome, c.class)
		var proof tasks.ProofKind
		if r.Proof != nil {
			proof = r.Proof.By
			if r.Proof.Text == "" {
				t.Errorf("%s: the proof does not say what was seen", c.name)
			}
		}
		wanted := c.proof
		if wanted == "" && c.outcome == tasks.OutcomeComplete {
			wanted = tasks.ProofListed
		}
		if proof != wanted {
			t.Errorf("%s: got the proof %q, want %q", c.name, proof, wanted)
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

func checkRuling(t *testing.T, name string, r Ruling, outcome tasks.Outcome, class tasks.Class) {
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
	shown := map[string][]func(*Facts){
		"documents": all(hasDocuments), "a marker": all(showsNone), "a count": all(saysZero), "items left out": all(leavesOut), "a known item": all(itemKnown),
		"nothing, auto": all(isAuto), "nothing, optional": all(isOptional), "no documents asked for": all(asksForNone),
		"everything": all(hasDocuments, showsNone, saysZero, itemKnown, isOptional), "documents, auto": all(hasDocuments, isAuto),
	}
	against := map[string]func(*Facts){
		"unready": unreadySel, "busy": busy, "loading": loadingText, "unsettled": unsettledPage, "cut": cutPage, "bad data": badAnswer, "cut short": cutShort,
		"another order": shows(IdentityOther), "no number": shows(IdentityNothing), "a missing field": missingField, "unfit": unfit,
		"not in a list": notInList, "an unknown list": unknownList, "twice in a list": twiceInList,
	}
	for _, kind := range []RefusalKind{RefusalSignIn, RefusalNotFound, RefusalDenied, RefusalThrottled, RefusalMaintenance, RefusalError, RefusalList} {
		against[string(kind)], against[string(kind)+" by the recipe"] = refuses(kind, false), refuses(kind, true)
	}
	for what, says := range shown {
		for why, speaks := range against {
			for also, other := range against {
				r := Judge(wellRead(append(slices.Clone(says), speaks, other)...))
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
	for kind, want := range map[RefusalKind]struct {
		outcome tasks.Outcome
		class   tasks.Class
		advice  tasks.Advice
	}{
		RefusalSignIn:      {tasks.OutcomeSessionExpired, tasks.ClassLogin, tasks.AdviceRetry},
		RefusalWall:        {tasks.OutcomeFailed, tasks.ClassWall, tasks.AdviceRetry},
		RefusalTerms:       {tasks.OutcomeFailed, tasks.ClassWall, tasks.AdviceRetry},
		RefusalNotFound:    {tasks.OutcomeNotFound, tasks.ClassNotFound, tasks.AdvicePermanent},
		RefusalThrottled:   {tasks.OutcomeFailed, tasks.ClassThrottled, tasks.AdviceRetry},
		RefusalDenied:      {tasks.OutcomeAccessDenied, tasks.ClassAccessDenied, tasks.AdvicePermanent},
		RefusalMaintenance: {tasks.OutcomeFailed, tasks.ClassThrottled, tasks.AdviceRetry},
		RefusalError:       {tasks.OutcomeFailed, tasks.ClassPortalError, tasks.AdviceRetry},
		RefusalList:        {tasks.OutcomeIdentityMismatch, tasks.ClassIdentity, tasks.AdviceRetry},
	} {
		for _, page := range [][]func(*Facts){all(), all(hasDocuments), all(showsNone), all(isAuto), all(someFailed), all(shows(IdentityNothing))} {
			r := Judge(wellRead(append(page, refuses(kind, false))...))
			checkRuling(t, string(kind), r, want.outcome, want.class)
			if !r.Refused || !r.Foreign || r.Failure.Advice != want.advice || !strings.Contains(r.Failure.Message, "https://h/1001") {
				t.Errorf("%s: got %+v, %+v", kind, r, r.Failure)
			}
		}
	}
}

func TestJudgeTellsMore(t *testing.T) {
	t.Parallel()
	if r := Judge(wellRead()); !r.AwaitsItem || r.Failure.Retryable {
		t.Errorf("an order that only awaits the item: %+v", r)
	}
	for name, f := range map[string]Facts{"none": wellRead(hasNone), "auto": wellRead(isAuto, unseenFrame), "frame": wellRead(unseenFrame), "mention": wellRead(shows(IdentityMentioned))} {
		if Judge(f).AwaitsItem {
			t.Errorf("%s: it lacks more than the item", name)
		}
	}
	if r := Judge(wellRead(hasDocuments, showsNone)); len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "2 documents") {
		t.Errorf("items and none together: %q", r.Notes)
	}
	if r := Judge(wellRead(showsNone)); len(r.Notes) != 0 {
		t.Errorf("none alone: %q", r.Notes)
	}
	for want, f := range map[string]Facts{
		`"PO1002"`:                 wellRead(shows(IdentityOther), func(f *Facts) { f.Seen = "PO1002" }),
		`which names "PO1002"`:     wellRead(shows(IdentityOther), func(f *Facts) { f.Seen, f.Wide = "PO1002", true }),
		"may name other orders":    wellRead(shows(IdentityNothing), func(f *Facts) { f.Seen, f.Wide = "", true }),
		"met nothing":              wellRead(shows(IdentityNothing), func(f *Facts) { f.Seen = "" }),
		`"Draft"`:                  wellRead(shows(IdentityNothing), func(f *Facts) { f.Seen = "Draft" }),
		"waiting for https://h/ap": wellRead(unsettledPage),
		"arriving; gave up after":  wellRead(hasDocuments, arriving),
		`"#ready" with a value in`: wellRead(unreadySel, func(f *Facts) { f.ReadyFilled = true }),
		"https://h/api and":        wellRead(cutPage),
		`"Next"`:                   wellRead(unusedControl),
		`"Documents (5)"`:          wellRead(declaresMore),
		`"Loading…"`:               wellRead(loadingText),
		`fetched, and says that it is loading ("Loading…")`: wellRead(loadingText, onlyFetched),
		"was only fetched, and has no ready.selector":       wellRead(unreadySel, onlyFetched),
		"was only fetched, and shows that it is loading":    wellRead(busy, onlyFetched),
	} {
		if r := Judge(f); !strings.Contains(r.Failure.Message, want) {
			t.Errorf("the failure does not say %s: %s", want, r.Failure.Message)
		}
	}
}

// TestWaitsInVain: what would prove that there is nothing, but for what the page waits for.
func TestWaitsInVain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		facts []func(*Facts)
		want  bool
	}{
		"a known item":             {all(itemKnown, restless), true},
		"an item that is awaited":  {all(restless), true},
		"documents":                {all(hasDocuments, restless), false},
		"a page at rest":           {all(), false},
		"none not shown":           {all(hasNone, restless), false},
		"a frame that is not seen": {all(itemKnown, unseenFrame, restless), false},
	} {
		if got := WaitsInVain(wellRead(c.facts...)); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
