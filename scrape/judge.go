package scrape

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// ruling is what the facts of a page amount to.
type ruling struct {
	Outcome tasks.Outcome
	// Failure says what keeps the order from ending well, or is nil.
	Failure *tasks.Failure
	// Refused: the attempt ends here, and nothing of the page is kept.
	Refused bool
	// Foreign: the page is not the order's own, so what the recipe's selectors met on it
	// does not count.
	Foreign bool
	// Proof says what proves that there are no documents.
	Proof *tasks.Proof
	// AwaitsItem: only that attachments.item has met something elsewhere is lacking.
	AwaitsItem bool
	Notes      []string
}

// judge says what the facts amount to. It is the only place that decides about an outcome,
// and a pure function; its table of cases is in judge_test.go. It goes by these rules, and
// the first that applies is the ruling:
//
//	refused    the page is not the order, or cannot be read at all
//	lost       all documents that it lists failed
//	hindered   it was not read whole, so there may be more than was found
//	lacking    a document failed, was left out by a rule or may be another order's, the page
//	           itself says that there are more, or a required field is missing
//	proven     there are documents, none are asked for, or it is proven that there are none
//	unproven   none was found, and that proves nothing
func judge(f facts) ruling {
	for _, rule := range []func(facts) *ruling{refused, lost, hindered, lacking, proven} {
		if r := rule(f); r != nil {
			return r.noted(f)
		}
	}
	return unproven(f).noted(f)
}

func (r ruling) noted(f facts) ruling {
	if own := len(f.Documents) - f.Added; f.None && own > 0 && !r.Refused {
		r.Notes = append(r.Notes, fmt.Sprintf("the page shows attachments.none %q beside %s", f.NoneSelector, count(own, "document")))
	}
	return r
}

// refused: the page is a wall or a refusal, another order's, or shows nothing of the order.
func refused(f facts) *ruling {
	if f.CutShort != "" {
		return stop(tasks.Retry(tasks.ClassNavigation, "the page ended before all of it was there: %s (%s)", f.CutShort, f.Address))
	}
	if r := refusedBy(f); r != nil {
		return r
	}
	if f.SignedOutPart != "" {
		return stop(signedOut("the portal asks for a sign-in: the page could not load %s (%s)", f.SignedOutPart, f.Address))
	}
	switch {
	case f.Identity == identitySeveral:
		return mismatch(f, "shows %s in several rows%s, and nobody knows which of them is the order", f.PO, where(f))
	case f.Identity == identityOther:
		return mismatch(f, "is about another order than %s: it shows %s%s", f.PO, quoted(f.Seen), where(f))
	case f.Unready && (len(f.Documents) == 0 || f.Identity == identityNothing):
		return stop(unready(f))
	case f.Busy && len(f.Documents) == 0:
		return stop(unready(f))
	case f.Identity != identityNothing:
		return nil
	}
	if h := hindrance(f); h != nil {
		return stop(h)
	}
	if f.ListPages > 1 {
		return mismatch(f, "does not show the order number %s in any row, and it is the last of %d pages of the list: %s", f.PO, f.ListPages, nothingSeen(f))
	}
	return mismatch(f, "does not show the order number %s: %s", f.PO, nothingSeen(f))
}

// refusedBy rules by what the page says that it is. What says that there is no such order
// is not believed of a page that was not read whole.
func refusedBy(f facts) *ruling {
	said := quoted(f.Refusal.Text)
	if f.Refusal.Text == "" {
		said = "so"
	}
	var failure *tasks.Failure
	kind := f.Refusal.Kind
	if f.SignedOut != "" {
		kind = refusalSignIn
	}
	switch kind {
	case refusalSignIn:
		if f.Unsettled == stillArriving { // what it will show is not known yet
			failure = hindrance(f)
			break
		}
		failure = signedOut("the portal shows a sign-in page in place of the order (%s)", cmp.Or(f.SignedOut, f.Address))
	case refusalWall, refusalTerms, refusalPassword, refusalData, refusalFactor, refusalApproval, refusalSurvey, refusalRobots:
		failure = tasks.Retry(tasks.ClassWall, "the portal shows no order before %s; see to that in a browser: it says %s (%s)", wallText(f.Refusal), said, f.Address)
	case refusalNotFound:
		if h := hindrance(f); h != nil && !f.Refusal.Ruled {
			failure = h
			break
		}
		failure = tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "the portal says that there is no such order: %s (%s)", said, f.Address)
	case refusalDenied:
		failure = tasks.Permanent(tasks.OutcomeAccessDenied, tasks.ClassAccessDenied, "the portal says that the order may not be seen: %s (%s)", said, f.Address)
	case refusalThrottled:
		failure = tasks.Retry(tasks.ClassThrottled, "the portal asks to wait: %s (%s)", said, f.Address)
		failure.After = f.RetryAfter
	case refusalMaintenance:
		failure = tasks.Retry(tasks.ClassThrottled, "the portal is down for maintenance: it says %s (%s)", said, f.Address)
	case refusalError:
		failure = tasks.Retry(tasks.ClassPortalError, "the portal shows an error in place of the order: %s (%s)", said, f.Address)
	case refusalList:
		if f.IdentitySelector != "" {
			return mismatch(f, "does not show the order number %s: %s; it may be a list of orders", f.PO, nothingSeen(f))
		}
		return mismatch(f, "shows a list of orders in place of %s: %s", f.PO, said)
	default:
		return nil
	}
	if f.Fetched && (failure.Class == tasks.ClassNotFound || failure.Class == tasks.ClassAccessDenied) {
		// A script may have hidden it.
		failure = tasks.Retry(tasks.ClassUnproven, "the page was only fetched, and %s", failure.Message)
	}
	r := stop(failure)
	r.Foreign = true
	return r
}

// wallText says what a wall asks a person to do.
func wallText(r refusal) string {
	switch r.Kind {
	case refusalTerms:
		return "new terms are accepted"
	case refusalPassword:
		return "an expired password is changed"
	case refusalData:
		return "data of the account are filled in"
	case refusalFactor:
		return "a second factor is set up"
	case refusalApproval:
		return "a sign-in is approved in an app"
	case refusalSurvey:
		return "a survey is answered"
	case refusalRobots:
		return "it has seen that a person is there"
	}
	return "this is dealt with: " + r.Name
}

func mismatch(f facts, format string, args ...any) *ruling {
	failure := tasks.Retry(tasks.ClassIdentity, "the page "+format+" (%s)", append(args, f.Address)...)
	failure.Outcome = tasks.OutcomeIdentityMismatch
	r := stop(failure)
	r.Foreign = f.Identity == identityOther || f.Refusal.Kind == refusalList
	return r
}

// where says where the number was looked for, to go behind a message.
func where(f facts) string {
	if f.IdentitySelector == "" {
		return ""
	}
	return fmt.Sprintf(" in %s %q", f.IdentityAt, f.IdentitySelector)
}

// nothingSeen says what was looked at in vain.
func nothingSeen(f facts) string {
	switch {
	case f.IdentitySelector != "" && f.Seen == "":
		return fmt.Sprintf("%s %q met nothing, or nothing with a text; check it", f.IdentityAt, f.IdentitySelector)
	case f.IdentitySelector != "":
		return fmt.Sprintf("%s %q met %s", f.IdentityAt, f.IdentitySelector, quoted(f.Seen))
	case f.Seen != "":
		return "it shows " + quoted(f.Seen)
	}
	return "no label or heading of it names a number"
}

// lost: not one of the documents could be had.
func lost(f facts) *ruling {
	done, failed, _ := states(f)
	if done > 0 || failed == 0 {
		return nil
	}
	failure := missingDocuments(f.Documents, "none of the %d listed documents could be had: %s", len(f.Documents))
	return &ruling{Outcome: tasks.OutcomeFailed, Failure: failure}
}

// hindered: the page is the order's, and was not read whole.
func hindered(f facts) *ruling {
	h := hindrance(f)
	if h == nil && f.Identity == identityMentioned && f.Auto {
		h = tasks.Retry(tasks.ClassIdentity, "the page mentions the order's number, but no label or heading says that it is about that order; a recipe with identity.selector says where to look (%s)", f.Address)
	}
	if h == nil {
		h = dataUnknown(f)
	}
	if h == nil {
		h = f.Unturned
	}
	if h == nil && f.Unfit != "" {
		h = tasks.Permanent("", tasks.ClassUnproven, "the page was only fetched, and %s", f.Unfit) // another fetch shows the same
	}
	return partial(h, tasks.PhaseSettle)
}

// dataUnknown: the documents stand in data that did not come, or not all. Where it was never
// asked for, the page itself may say that there are none.
func dataUnknown(f facts) *tasks.Failure {
	if by, _ := said(f); f.Data == "" || !f.Asked && by != "" {
		return nil
	}
	return tasks.Retry(tasks.ClassPageIncomplete, "%s, so its documents are not known (%s)", f.Data, f.Address)
}

// hindrance returns what speaks against the page having been read whole, or nil.
func hindrance(f facts) *tasks.Failure {
	switch {
	case f.Unready || f.Busy:
		return unready(f)
	case f.Unloaded != "":
		return tasks.Retry(tasks.ClassPageIncomplete, "%s, so there may be more than was found%s", f.Unloaded, ifUnneeded)
	case f.Unsettled == stillArriving:
		return tasks.Retry(tasks.ClassUnsettled, "%s; its time of %v is over (%s)", f.Unsettled, f.Patience, f.Address)
	case f.Unsettled != "":
		return tasks.Retry(tasks.ClassUnsettled, "the page is busy, and did not come to rest within %v: %s%s", f.Patience, f.Unsettled, f.Open)
	case f.Loading != "" && f.Fetched: // another fetch shows the same
		return tasks.Permanent("", tasks.ClassNotReady, "the page was only fetched, and says that it is loading (%s): scripts may bring more documents, and none was run (--mode auto runs them)", quoted(f.Loading))
	case f.Loading != "":
		return tasks.Retry(tasks.ClassNotReady, "the page still says that it is loading after %v (%s), so more documents may come", f.Patience, quoted(f.Loading))
	}
	return nil
}

// ifUnneeded says what to do about a request that failed, and is not needed.
const ifUnneeded = "; if no order needs that, name it under ready.ignore in the recipe"

// unready: the recipe's ready rule was not met.
func unready(f facts) *tasks.Failure {
	also := ""
	switch {
	case f.Unloaded != "":
		also = "; " + f.Unloaded + ifUnneeded
	case f.Unsettled != "":
		also = "; " + f.Unsettled + f.Open
	}
	switch {
	case f.Unready && f.Fetched:
		return tasks.Retry(tasks.ClassNotReady, "the page was only fetched, and has no ready.selector %q: no script was run that may bring it (--mode auto runs them) (%s)", f.ReadySelector, f.Address)
	case f.Fetched:
		return tasks.Retry(tasks.ClassNotReady, "the page was only fetched, and shows that it is loading (ready.gone): no script was run that may end that (--mode auto runs them) (%s)", f.Address)
	case f.Unready:
		return tasks.Retry(tasks.ClassNotReady, "the page did not show ready.selector %q within %v%s (%s)", f.ReadySelector, f.Patience, also, f.Address)
	}
	return tasks.Retry(tasks.ClassNotReady, "the page still shows that it is loading (ready.gone) after %v%s (%s)", f.Patience, also, f.Address)
}

// lacking: something of the order is known to be missing.
func lacking(f facts) *ruling {
	_, failed, skipped := states(f)
	switch {
	case failed+skipped > 0:
		return partial(missingDocuments(f.Documents, "%d of %d listed documents are missing: %s", failed+skipped, len(f.Documents)), tasks.PhaseDownload)
	case len(f.Strayed) > 0:
		return partial(tasks.Retry(tasks.ClassIdentity, "documents may be another order's; look at them before you use them: %s", strings.Join(f.Strayed, "; ")), tasks.PhaseDownload)
	case f.Declared != nil && f.Wanted:
		return partial(tasks.Retry(tasks.ClassIncomplete, "the page says that there are %s (%s), and lists %d", count(f.Declared.Count, "document"), quoted(f.Declared.Text), f.Met), tasks.PhaseSettle)
	case len(f.Controls) > 0 && f.Wanted:
		failure := tasks.Permanent("", tasks.ClassIncomplete, "%s would show more documents, and was not used; if it shows none, name it under attachments.exclude in the recipe", quotedAll(f.Controls))
		return partial(failure, tasks.PhaseSettle)
	case len(f.Unread) > 0:
		return partial(unreadPages(f.Unread), tasks.PhaseSettle)
	case len(f.Missing) > 0:
		return partial(tasks.Retry(tasks.ClassMissingField, "required fields are not on the page, or cannot be read: %s; check the recipe's selectors", strings.Join(f.Missing, ", ")), tasks.PhaseSettle)
	}
	return nil
}

// proven: all is there, or it is proven that there is nothing.
func proven(f facts) *ruling {
	if len(f.Documents) > f.Added || !f.Wanted {
		return &ruling{Outcome: tasks.OutcomeComplete}
	}
	for _, proof := range []func(facts) (tasks.ProofKind, string){said, leftOut, seen} {
		switch by, text := proof(f); {
		case by != "" && f.Added > 0:
			return &ruling{Outcome: tasks.OutcomeComplete}
		case by != "":
			return &ruling{Outcome: tasks.OutcomeNoAttachments, Proof: &tasks.Proof{By: by, Text: text}}
		}
	}
	return nil
}

// said: the page itself says that there are none, for all to see.
func said(f facts) (tasks.ProofKind, string) {
	switch {
	case f.Veiled:
	case f.None:
		return tasks.ProofMarker, fmt.Sprintf("the page shows attachments.none %q", f.NoneSelector)
	case f.Zero != "" && (f.NoneSelector == "" || f.OwnCount):
		return tasks.ProofCount, f.Zero
	}
	return "", ""
}

// leftOut: the recipe leaves out all that there are.
func leftOut(f facts) (tasks.ProofKind, string) {
	if f.Met == 0 || f.LeftOut < f.Met || f.LeftOutVague || f.WhereUnmet {
		return "", ""
	}
	return tasks.ProofLeftOut, fmt.Sprintf("the recipe leaves out %s, all that there are", count(f.LeftOut, "item"))
}

// seen: the page was shown, has settled, and lists none.
func seen(f facts) (tasks.ProofKind, string) {
	if f.Fetched || f.Unseen != "" || f.Restless != "" || f.Expired != "" {
		return "", ""
	}
	settled := f.Visited && f.Identity == identitySure
	switch {
	case f.Optional:
		return tasks.ProofOptional, "attachments.optional: the page is settled, and lists none"
	case f.Auto && settled && !f.Strange:
		return tasks.ProofAuto, "the page is settled, lists none, and shows nothing that would list more"
	case !f.Auto && f.NoneSelector == "" && settled && f.ItemKnown && f.Met == 0 && f.NoList == "":
		return tasks.ProofSettled, settledText(f.ItemAt)
	}
	return "", ""
}

// unproven: no document was found, which proves nothing.
func unproven(f facts) ruling {
	const none = "no document is listed, and nothing proves that there is none: "
	var failure *tasks.Failure
	awaits := false
	switch {
	case f.Unseen != "":
		failure = tasks.Retry(tasks.ClassUnproven, none+"%s", f.Unseen)
	case f.Restless != "":
		failure = tasks.Retry(tasks.ClassUnsettled, none+"the page is busy, and did not come to rest within %v: %s%s", f.Patience, f.Restless, f.Open)
	case f.Identity != identitySure:
		failure = tasks.Retry(tasks.ClassUnproven, none+"the page mentions the order's number, but nothing says that it is about that order (identity.selector)")
	case f.Veiled && (f.None || f.Zero != ""):
		failure = tasks.Permanent("", tasks.ClassUnproven, none+"the page was only fetched (--mode fetch), and its styles may hide what it says")
	case f.Fetched:
		failure = tasks.Retry(tasks.ClassUnproven, none+"the page was only fetched, and its scripts may list some")
	case f.LeftOutVague:
		failure = tasks.Permanent("", tasks.ClassUnproven, none+"attachments.exclude leaves out every item, and nearly all other links of the page; check it")
	case f.WhereUnmet && f.LeftOut == f.Met:
		failure = tasks.Permanent("", tasks.ClassUnproven, none+"attachments.where leaves out every item, and met nothing in any, or means all elements of a kind; check its selector or path")
	case f.NoneVague:
		failure = tasks.Permanent("", tasks.ClassUnproven, none+"attachments.none %q meets elements with many different texts, so it marks nothing; check it", f.NoneSelector)
	case f.NoneSelector != "":
		failure = tasks.Retry(tasks.ClassUnproven, none+"the page does not show attachments.none %q either", f.NoneSelector)
	case f.Expired != "":
		failure = tasks.Retry(tasks.ClassUnproven, none+"a dialog before the page says %s", quoted(f.Expired))
	case f.Strange:
		failure = tasks.Permanent("", tasks.ClassUnproven, none+"the page's words are in no language that poscrape knows (docs/words.md), so they may say anything; name what it shows where there are none under attachments.none in a recipe")
	case f.NoList != "":
		failure = tasks.Retry(tasks.ClassUnproven, none+"%s", f.NoList)
	case !f.Visited:
		failure = tasks.Retry(tasks.ClassUnproven, none+"not all pages of documents were visited")
	case f.Added > 0: // other orders may show in the meantime that it fits
		failure = tasks.Retry(tasks.ClassUnproven, "other pages of the order list %s, but its own lists none, and nothing proves that there is none: attachments.item has not met anything on a page of this kind yet; check it, or name the portal's own words under attachments.none", count(f.Added, "document"))
	default:
		awaits = true
		failure = tasks.Permanent("", tasks.ClassUnproven, none+"%s has not met anything on a page of this kind yet; check it, or name the portal's own words under attachments.none", f.ItemAt)
	}
	r := partial(failure, tasks.PhaseSettle)
	r.AwaitsItem = awaits
	return *r
}

// stop ends the attempt with a failure; its outcome is the failure's.
func stop(failure *tasks.Failure) *ruling {
	outcome := failure.Outcome
	if outcome == "" {
		outcome = tasks.OutcomeFailed
	}
	return &ruling{Outcome: outcome, Failure: failure, Refused: true}
}

// partial keeps what there is, and names what is missing. It returns nil for nil.
func partial(failure *tasks.Failure, phase string) *ruling {
	if failure == nil {
		return nil
	}
	failure.Phase = phase
	return &ruling{Outcome: tasks.OutcomePartial, Failure: failure}
}

// states counts the documents by their states.
func states(f facts) (done, failed, skipped int) {
	_, done, failed, skipped = (&tasks.Result{Attachments: f.Documents}).Count()
	return done, failed, skipped
}

// missingDocuments returns a failure that names the first of the documents that
// are missing. It asks for a retry if that may bring one of them.
func missingDocuments(documents []tasks.Attachment, format string, args ...any) *tasks.Failure {
	var first *tasks.Attachment
	var name string
	var wait time.Duration
	retry := false
	for i, a := range documents {
		if a.State == tasks.AttachmentDone {
			continue
		}
		if first == nil {
			first, name = &documents[i], cmp.Or(a.Name, fmt.Sprintf("document %d", i+1))
		}
		wait = max(wait, a.Error.After)
		retry = retry || a.State == tasks.AttachmentFailed && a.Error.Retryable
	}
	args = append(args, name+": "+first.Error.Message)
	f := tasks.Retry(first.Error.Class, format, args...)
	f.After, f.Phase = wait, tasks.PhaseDownload
	if !retry {
		f.Advice, f.Retryable = tasks.AdvicePermanent, false
	}
	return f
}

// quoted is a text of the page in a message.
func quoted(text string) string { return strconv.Quote(text) }

func quotedAll(texts []string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = quoted(text)
	}
	return strings.Join(all, ", ")
}

// count is so many of something, in words.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
