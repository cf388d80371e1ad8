package verdict

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/poscrape/poscrape/tasks"
)

// Refused reports whether nothing of the page is to be kept.
func Refused(f Facts) bool { return refused(f) != nil }

// Refuse returns why nothing of the page is to be kept, or nil.
func Refuse(f Facts) *Ruling { return refused(f) }

// refused: the page is a wall or a refusal, another order's, or shows nothing of the order.
func refused(f Facts) *Ruling {
	if f.CutShort != "" {
		return stop(tasks.Retry(tasks.ClassNavigation, "the page ended before all of it was there: %s (%s)", f.CutShort, f.Address))
	}
	if r := refusedBy(f); r != nil {
		return r
	}
	if f.SignedOutPart != "" {
		return stop(SignedOut("the portal asks for a sign-in: the page could not load %s (%s)", f.SignedOutPart, f.Address))
	}
	switch {
	case f.Identity == IdentitySeveral && f.InData != nil:
		return mismatch(f, "has several elements of data that show %s%s, and it is unclear which of them is the order%s", f.PO, where(f), f.InData.Differ)
	case f.Identity == IdentitySeveral:
		return mismatch(f, "shows %s in several rows%s, and it is unclear which of them is the order", f.PO, where(f))
	case f.Identity == IdentityOther && f.Wide:
		return mismatch(f, "does not show that it is about %s: %s", f.PO, nothingSeen(f))
	case f.Identity == IdentityOther:
		return mismatch(f, "is about another order than %s: it shows %q%s", f.PO, f.Seen, where(f))
	case f.Unready && (len(f.Documents) == 0 || f.Identity == IdentityNothing):
		return stop(unready(f))
	case f.Busy && len(f.Documents) == 0:
		return stop(unready(f))
	case f.Identity != IdentityNothing:
		return nil
	}
	if h := Hindrance(f); h != nil {
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
func refusedBy(f Facts) *Ruling {
	said := strconv.Quote(f.Refusal.Text)
	if f.Refusal.Text == "" {
		said = "so"
	}
	var failure *tasks.Failure
	kind := f.Refusal.Kind
	if f.SignedOut != "" {
		kind = RefusalSignIn
	}
	switch kind {
	case RefusalSignIn:
		if f.Arriving { // what it will show is not known yet
			failure = Hindrance(f)
			break
		}
		failure = SignedOut("the portal shows a sign-in page in place of the order (%s)", cmp.Or(f.SignedOut, f.Address))
	case RefusalWall, RefusalTerms, RefusalPassword, RefusalData, RefusalFactor, RefusalApproval, RefusalSurvey, RefusalRobots, RefusalLocked, RefusalChoice, RefusalConsent:
		failure = tasks.Retry(tasks.ClassWall, "the portal shows no order until %s; do that in a browser: it says %s (%s)", f.Refusal.Until(), said, f.Address)
	case RefusalNotFound:
		if h := Hindrance(f); h != nil && !f.Refusal.Ruled {
			failure = h
			break
		}
		failure = tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "the portal says that there is no such order: %s (%s)", said, f.Address)
	case RefusalDenied:
		failure = tasks.Permanent(tasks.OutcomeAccessDenied, tasks.ClassAccessDenied, "the portal says that you are not allowed to see the order: %s (%s)", said, f.Address)
	case RefusalThrottled:
		failure = tasks.Retry(tasks.ClassThrottled, "the portal asks to wait: %s (%s)", said, f.Address)
		failure.After = f.RetryAfter
	case RefusalMaintenance:
		failure = tasks.Retry(tasks.ClassThrottled, "the portal is down for maintenance: it says %s (%s)", said, f.Address)
	case RefusalError:
		failure = tasks.Retry(tasks.ClassPortalError, "the portal shows an error in place of the order: %s (%s)", said, f.Address)
	case RefusalList:
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

// Until says what a wall asks a person to do: no order is shown until "new terms are accepted".
func (r Refusal) Until() string {
	switch r.Kind {
	case RefusalTerms:
		return "new terms are accepted"
	case RefusalPassword:
		return "an expired password is changed"
	case RefusalData:
		return "data of the account is filled in"
	case RefusalFactor:
		return "a second factor is set up"
	case RefusalApproval:
		return "a sign-in is approved in an app"
	case RefusalSurvey:
		return "a survey is answered"
	case RefusalRobots:
		return "it has checked that a person is there"
	case RefusalLocked:
		return "the account is unlocked"
	case RefusalChoice:
		return "an organisation is chosen"
	case RefusalConsent:
		return "an application is allowed to use the account"
	}
	return "this is dealt with: " + r.Name
}

func mismatch(f Facts, format string, args ...any) *Ruling {
	failure := tasks.Retry(tasks.ClassIdentity, "the page "+format+" (%s)", append(args, f.Address)...)
	failure.Outcome = tasks.OutcomeIdentityMismatch
	r := stop(failure)
	r.Foreign = f.Identity == IdentityOther || f.Refusal.Kind == RefusalList
	return r
}

// where says where the number was looked for, to go behind a message.
func where(f Facts) string {
	if f.IdentitySelector == "" {
		return ""
	}
	return fmt.Sprintf(" in %s %q", f.IdentityAt, f.IdentitySelector)
}

// nothingSeen says what was looked at in vain.
func nothingSeen(f Facts) string {
	switch {
	case f.Wide:
		names := "may name other orders too"
		if f.Seen != "" {
			names = fmt.Sprintf("names %q", f.Seen)
		}
		return fmt.Sprintf("%s %q meets a large part of the page, which %s; have it meet only what names the order, such as a heading", f.IdentityAt, f.IdentitySelector, names)
	case f.ListApart && f.Seen == "":
		return fmt.Sprintf("%s %q met nothing; the page has a frame of another host: if the list is in that, name it in list.frame", f.IdentityAt, f.IdentitySelector)
	case f.IdentitySelector != "" && f.Seen == "":
		return fmt.Sprintf("%s %q met nothing, or nothing with a text; check it", f.IdentityAt, f.IdentitySelector)
	case f.IdentitySelector != "":
		return fmt.Sprintf("%s %q met %q", f.IdentityAt, f.IdentitySelector, f.Seen)
	case f.Seen != "":
		return fmt.Sprintf("it shows %q", f.Seen)
	}
	return "no label or heading of it names a number"
}

// SignedOut returns the failure of an order whose page is a sign-in page.
func SignedOut(format string, args ...any) *tasks.Failure {
	f := tasks.Retry(tasks.ClassLogin, format, args...)
	f.Outcome = tasks.OutcomeSessionExpired
	return f
}
