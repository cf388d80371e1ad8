// Package verdict says what a page that was read, and its documents, amount to: Facts in, a Ruling out.
//
// Its functions are pure: they know no browser, and of a recipe only what the facts say of it. What the
// portal refuses by its status never gets here (checkStatus in scrape), and what becomes of the order,
// tasks.Policy decides.
package verdict

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// Ruling is what the facts of a page amount to.
type Ruling struct {
	Outcome tasks.Outcome
	// Failure says what keeps the order from ending well, or is nil.
	Failure *tasks.Failure
	// Refused: the attempt ends here, and nothing of the page is kept.
	Refused bool
	// Foreign: the page is not the order's own, so what the recipe's selectors met on it
	// does not count.
	Foreign bool
	// Proof says what is known of the list of documents, where the order ends well.
	Proof *tasks.Proof
	// AwaitsItem: only that attachments.item has met something elsewhere is lacking.
	AwaitsItem bool
	Notes      []string
}

// Judge says what a page that was read amounts to. Its table of cases is in judge_test.go. It goes by
// these rules, and the first that applies is the ruling:
//
//	refused    the page is not the order, or cannot be read at all
//	lost       all documents that it lists failed
//	hindered   it was not read whole, so there may be more than was found
//	lacking    a document failed, was left out by a rule or may be another order's, the page
//	           itself says that there are more, or a required field is missing
//	promised   the sheet says that there are more
//	proven     there are documents, none are asked for, or it is proven that there are none
//	hollow     it shows nothing of an order but its number
//	unproven   none was found, and that proves nothing
func Judge(f Facts) Ruling {
	for _, rule := range []func(Facts) *Ruling{refused, lost, hindered, lacking, promised, proven, hollow} {
		if r := rule(f); r != nil {
			return r.noted(f)
		}
	}
	return unproven(f).noted(f)
}

// Lack returns what keeps an order from ending well by its page alone, all documents that it lists being there, or nil.
func Lack(f Facts) *tasks.Failure { return Judge(f).Failure }

func (r Ruling) noted(f Facts) Ruling {
	if own := len(f.Documents) - f.Added; f.None && own > 0 && !r.Refused {
		r.Notes = append(r.Notes, fmt.Sprintf("the page shows attachments.none %q beside %s", f.NoneSelector, count(own, "document")))
	}
	return r
}

// lost: not one of the documents could be had.
func lost(f Facts) *Ruling {
	done, failed, _ := states(f)
	if done > 0 || failed == 0 {
		return nil
	}
	failure := missingDocuments(f.Documents, "none of the %d listed documents could be downloaded: %s", len(f.Documents))
	return &Ruling{Outcome: tasks.OutcomeFailed, Failure: failure}
}

// hindered: the page is the order's, and was not read whole.
func hindered(f Facts) *Ruling {
	h := Hindrance(f)
	if h == nil && f.Identity == IdentityMentioned && f.Doubtful {
		h = tasks.Retry(tasks.ClassIdentity, "the page shows two orders' numbers, and it is unclear which order it is about: %q; identity.selector in a recipe says where to look (%s)", f.Seen, f.Address)
	}
	if h == nil && f.Identity == IdentityMentioned && f.Auto {
		h = tasks.Retry(tasks.ClassIdentity, "the page mentions the order's number, but no label or heading says that it is about that order; a recipe with identity.selector says where to look (%s)", f.Address)
	}
	if h == nil && f.Theirs != "" {
		h = tasks.Retry(tasks.ClassIdentity, "the page shows another order as well (%q), and documents in its part of the page; look at them before you use them, or let attachments.item meet this order's alone (%s)", f.Theirs, f.Address)
	}
	if h == nil && f.MoreRows != "" {
		h = tasks.Permanent("", tasks.ClassIncomplete, "the list of orders has more rows than the page shows (%q), and another one may be this order's too; say in the recipe what leads to its next page (list.next), or, if no two orders have the same number, that this does not matter (list.next: off)", f.MoreRows)
	}
	if h == nil && f.InData != nil {
		h = f.InData.unread()
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
func dataUnknown(f Facts) *tasks.Failure {
	if by, _ := said(f); f.Data == "" || !f.Asked && by != "" {
		return nil
	}
	return tasks.Retry(tasks.ClassPageIncomplete, "%s, so its documents are not known (%s)", f.Data, f.Address)
}

// Hindrance returns what speaks against the page having been read whole, or nil.
func Hindrance(f Facts) *tasks.Failure {
	switch {
	case f.Unready || f.Busy:
		return unready(f)
	case f.Unloaded != "":
		return tasks.Retry(tasks.ClassPageIncomplete, "%s, so there may be more than was found%s", f.Unloaded, ifUnneeded(f))
	case f.Arriving:
		return tasks.Retry(tasks.ClassUnsettled, "%s; gave up after %v (%s)", f.Unsettled, f.Patience, f.Address)
	case f.Unsettled != "":
		return tasks.Retry(tasks.ClassUnsettled, "the page is busy, and did not come to rest within %v: %s%s", f.Patience, f.Unsettled, f.Open)
	case f.Loading != "" && f.Fetched: // another fetch shows the same
		return tasks.Permanent("", tasks.ClassNotReady, "the page was only fetched, and says that it is loading (%q): scripts may bring more documents, and none was run (--mode auto runs them)", f.Loading)
	case f.Loading != "":
		may := "more documents may come"
		if !f.Wanted {
			may = "it may lack a part"
		}
		return tasks.Retry(tasks.ClassNotReady, "the page still says that it is loading after %v (%q), so %s", f.Patience, f.Loading, may)
	}
	return nil
}

// refusing is what is said of a request whose status may be the portal's way to say that it shows no such order.
var refusing = regexp.MustCompile(`was answered with status (403|410)\b`)

// ifUnneeded says what to do about a request that failed, and is not needed.
func ifUnneeded(f Facts) string {
	advice := "; if no order needs that, name it under ready.ignore in the recipe"
	if refusing.MatchString(f.Unloaded) {
		advice += "; if that is how the portal refuses an order, or has none, under access_denied or not_found, as {json: ADDRESS, status: [...]}"
	}
	return advice
}

// unready: the recipe's ready rule was not met.
func unready(f Facts) *tasks.Failure {
	also := ""
	switch {
	case f.Unloaded != "":
		also = "; " + f.Unloaded + ifUnneeded(f)
	case f.Barred != "":
		also = "; " + f.Barred
	case f.Unsettled != "":
		also = "; " + f.Unsettled + f.Open
	}
	switch {
	case f.Unready && f.Fetched:
		return tasks.Retry(tasks.ClassNotReady, "the page was only fetched, and has no %s %q: no script was run that may bring it (--mode auto runs them) (%s)", f.ReadyAt, f.ReadySelector, f.Address)
	case f.Fetched:
		return tasks.Retry(tasks.ClassNotReady, "the page was only fetched, and shows that it is loading (ready.gone): no script was run that may end that (--mode auto runs them) (%s)", f.Address)
	case f.Unready && f.ReadyFilled:
		return tasks.Retry(tasks.ClassNotReady, "the page did not show %s %q with a value in it within %v%s (%s)", f.ReadyAt, f.ReadySelector, f.Patience, also, f.Address)
	case f.Unready:
		return tasks.Retry(tasks.ClassNotReady, "the page did not show %s %q within %v%s (%s)", f.ReadyAt, f.ReadySelector, f.Patience, also, f.Address)
	}
	return tasks.Retry(tasks.ClassNotReady, "the page still shows that it is loading (ready.gone) after %v%s (%s)", f.Patience, also, f.Address)
}

// lacking: something of the order is known to be missing.
func lacking(f Facts) *Ruling {
	_, failed, skipped := states(f)
	switch {
	case failed+skipped > 0:
		return partial(missingDocuments(f.Documents, "%d of %d listed documents are missing: %s", failed+skipped, len(f.Documents)), tasks.PhaseDownload)
	case len(f.Strayed) > 0:
		return partial(tasks.Retry(tasks.ClassIdentity, "documents may be another order's; look at them before you use them: %s", strings.Join(f.Strayed, "; ")), tasks.PhaseDownload)
	case len(f.Unproven) > 0:
		return partial(tasks.Permanent("", tasks.ClassUnproven, "the pages that these print do not show the order's number, and are at addresses of other orders too, so they may be another order's; look at them before you use them: %s", strings.Join(f.Unproven, "; ")), tasks.PhaseDownload)
	case len(f.Unlisted) > 0:
		return partial(tasks.Retry(tasks.ClassIncomplete, "an earlier attempt brought home %s that the page does not list any more, so it may not list all; they are kept: %s", count(len(f.Unlisted), "document"), quotedAll(f.Unlisted)), tasks.PhaseDownload)
	case f.Further > 0 && f.Wanted:
		return partial(tasks.Retry(tasks.ClassIncomplete, "the page lists %s more since those were downloaded, so there may be further ones", count(f.Further, "document")), tasks.PhaseDownload)
	case f.Declared != nil && f.Wanted:
		return partial(tasks.Retry(tasks.ClassIncomplete, "the page says that there are %s (%q), but lists %s", count(f.Declared.Count, "document"), f.Declared.Text, onlyCount(f.Met)), tasks.PhaseSettle)
	case len(f.Controls) > 0 && f.Wanted:
		failure := tasks.Permanent("", tasks.ClassIncomplete, "%s would show more documents, and was not used: %s; or, if you have seen that it shows none, name it under attachments.exclude", quotedAll(f.Controls), whereControls(f))
		return partial(failure, tasks.PhaseSettle)
	case len(f.Unread) > 0:
		return partial(UnreadPages(f.Unread), tasks.PhaseSettle)
	case len(f.Missing) > 0:
		return partial(tasks.Retry(tasks.ClassMissingField, "required fields are not on the page, or cannot be read: %s; check the recipe's selectors", strings.Join(f.Missing, ", ")), tasks.PhaseSettle)
	}
	return nil
}

// promised: the sheet says that there are more.
func promised(f Facts) *Ruling {
	if listed := f.Met + f.Added; f.Promised != nil && f.Wanted && listed < *f.Promised {
		return partial(tasks.Retry(tasks.ClassIncomplete, "the sheet says that there are %s (the column of --column documents), but the portal lists %s", count(*f.Promised, "document"), onlyCount(listed)), tasks.PhaseSettle)
	}
	return nil
}

// whereControls says where in the recipe the controls would belong that have not been used.
func whereControls(f Facts) string {
	if f.Turns && f.Met == 0 {
		return "see that attachments.item is right, which met nothing, as attachments.next is looked for beside the documents"
	}
	return "name it in the recipe under attachments.next or attachments.expand"
}

// stop ends the attempt with a failure; its outcome is the failure's.
func stop(failure *tasks.Failure) *Ruling {
	outcome := failure.Outcome
	if outcome == "" {
		outcome = tasks.OutcomeFailed
	}
	return &Ruling{Outcome: outcome, Failure: failure, Refused: true}
}

// partial keeps what there is, and names what is missing. It returns nil for nil.
func partial(failure *tasks.Failure, phase string) *Ruling {
	if failure == nil {
		return nil
	}
	failure.Phase = phase
	return &Ruling{Outcome: tasks.OutcomePartial, Failure: failure}
}

// states counts the documents by their states.
func states(f Facts) (done, failed, skipped int) {
	_, done, failed, skipped = (&tasks.Result{Attachments: f.Documents}).Count()
	return done, failed, skipped
}

// missingDocuments returns a failure that names the first of the documents that
// are missing. It asks for a retry if that may bring one of them.
func missingDocuments(documents []tasks.Attachment, format string, args ...any) *tasks.Failure {
	var first *tasks.Attachment
	var name string
	var wait time.Duration
	retry, unasked := false, true
	for i, a := range documents {
		if a.State == tasks.AttachmentDone {
			continue
		}
		if first == nil {
			first, name = &documents[i], cmp.Or(a.Name, fmt.Sprintf("document %d", i+1))
		}
		wait = max(wait, a.Error.After)
		unasked = unasked && a.Error.Advice == tasks.AdviceRelease
		retry = retry || a.State == tasks.AttachmentFailed && a.Error.Retryable
	}
	args = append(args, name+": "+first.Error.Message)
	f := tasks.Retry(first.Error.Class, format, args...)
	f.After, f.Phase = wait, tasks.PhaseDownload
	switch {
	case unasked: // they are what the attempt could not do
		f.Advice = tasks.AdviceRelease
	case !retry:
		f.Advice, f.Retryable = tasks.AdvicePermanent, false
	}
	return f
}

func quotedAll(texts []string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = strconv.Quote(text)
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

// onlyCount is a number that is less than what was announced, in words.
func onlyCount(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("only %d", n)
}
