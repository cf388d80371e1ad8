package scrape

import (
	"cmp"
	"fmt"

	"github.com/poscrape/poscrape/tasks"
)

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
	case f.Identity == identitySeveral && f.InData != nil:
		return mismatch(f, "has several elements of data that show %s%s, and it is unclear which of them is the order%s", f.PO, where(f), f.InData.differ)
	case f.Identity == identitySeveral:
		return mismatch(f, "shows %s in several rows%s, and it is unclear which of them is the order", f.PO, where(f))
	case f.Identity == identityOther && f.Wide:
		return mismatch(f, "does not show that it is about %s: %s", f.PO, nothingSeen(f))
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
	if f.InData != nil {
		return notInData(f)
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
	case refusalWall, refusalTerms, refusalPassword, refusalData, refusalFactor, refusalApproval, refusalSurvey, refusalRobots, refusalLocked, refusalChoice, refusalConsent:
		failure = tasks.Retry(tasks.ClassWall, "the portal shows no order until %s; do that in a browser: it says %s (%s)", wallText(f.Refusal), said, f.Address)
	case refusalNotFound:
		if h := hindrance(f); h != nil && !f.Refusal.Ruled {
			failure = h
			break
		}
		failure = tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "the portal says that there is no such order: %s (%s)", said, f.Address)
	case refusalDenied:
		failure = tasks.Permanent(tasks.OutcomeAccessDenied, tasks.ClassAccessDenied, "the portal says that you are not allowed to see the order: %s (%s)", said, f.Address)
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
		return "data of the account is filled in"
	case refusalFactor:
		return "a second factor is set up"
	case refusalApproval:
		return "a sign-in is approved in an app"
	case refusalSurvey:
		return "a survey is answered"
	case refusalRobots:
		return "it has checked that a person is there"
	case refusalLocked:
		return "the account is unlocked"
	case refusalChoice:
		return "an organisation is chosen"
	case refusalConsent:
		return "an application is allowed to use the account"
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
	case f.Wide:
		names := "may name other orders too"
		if f.Seen != "" {
			names = "names " + quoted(f.Seen)
		}
		return fmt.Sprintf("%s %q meets a large part of the page, which %s; have it meet only what names the order, such as a heading", f.IdentityAt, f.IdentitySelector, names)
	case f.ListApart && f.Seen == "":
		return fmt.Sprintf("%s %q met nothing; the page has a frame of another host: if the list is in that, name it in list.frame", f.IdentityAt, f.IdentitySelector)
	case f.IdentitySelector != "" && f.Seen == "":
		return fmt.Sprintf("%s %q met nothing, or nothing with a text; check it", f.IdentityAt, f.IdentitySelector)
	case f.IdentitySelector != "":
		return fmt.Sprintf("%s %q met %s", f.IdentityAt, f.IdentitySelector, quoted(f.Seen))
	case f.Seen != "":
		return "it shows " + quoted(f.Seen)
	}
	return "no label or heading of it names a number"
}
