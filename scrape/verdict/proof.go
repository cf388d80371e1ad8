package verdict

import (
	"fmt"

	"github.com/poscrape/poscrape/tasks"
)

// proven: all is there, or it is proven that there is nothing.
func proven(f Facts) *Ruling {
	switch {
	case len(f.Documents) > f.Added:
		return complete(f)
	case !f.Wanted && !f.Unlinked && f.Hollow == "" && f.FieldsAlone:
		return &Ruling{Outcome: tasks.OutcomeComplete, Proof: &tasks.Proof{By: tasks.ProofFields, Text: "the recipe asks for no documents (attachments: off)"}}
	case !f.Wanted && !f.Unlinked && f.Hollow == "":
		return &Ruling{Outcome: tasks.OutcomeComplete, Proof: &tasks.Proof{By: tasks.ProofUnasked, Text: "the recipe has no attachments"}}
	}
	for _, proof := range []func(Facts) (tasks.ProofKind, string){said, leftOut, seen} {
		switch by, text := proof(f); {
		case by != "" && f.Added > 0:
			return complete(f)
		case by != "":
			return &Ruling{Outcome: tasks.OutcomeNoAttachments, Proof: &tasks.Proof{By: by, Text: text}}
		}
	}
	return nil
}

// complete: all documents that the order's pages list are there.
func complete(f Facts) *Ruling {
	return &Ruling{Outcome: tasks.OutcomeComplete, Proof: &tasks.Proof{By: tasks.ProofListed, Text: "its pages list " + count(len(f.Documents), "document")}}
}

// said: the page itself says that there are none, for all to see.
func said(f Facts) (tasks.ProofKind, string) {
	switch {
	case f.Veiled, f.Hollow != "", f.BarredData:
	case f.None:
		return tasks.ProofMarker, fmt.Sprintf("the page shows attachments.none %q", f.NoneSelector)
	case f.Zero != "" && (f.NoneSelector == "" || f.OwnCount):
		return tasks.ProofCount, f.Zero
	}
	return "", ""
}

// leftOut: the recipe leaves out all that there are.
func leftOut(f Facts) (tasks.ProofKind, string) {
	if f.Met == 0 || f.LeftOut < f.Met || f.LeftOutVague || f.WhereUnmet {
		return "", ""
	}
	return tasks.ProofLeftOut, fmt.Sprintf("the recipe leaves out %s, all that there are", count(f.LeftOut, "item"))
}

// seen: the page was shown, has settled, and lists none.
func seen(f Facts) (tasks.ProofKind, string) {
	if f.Fetched || f.Hollow != "" || f.Unseen != "" || f.Restless != "" || f.Barred != "" || f.Expired != "" || f.Unopened != "" {
		return "", ""
	}
	settled := f.Visited && f.Identity == IdentitySure
	switch {
	case f.Optional:
		return tasks.ProofOptional, "attachments.optional: the page is settled, and lists none"
	case f.Auto && settled:
		return tasks.ProofAuto, "the page is settled, lists none, and shows nothing that would list more"
	case !f.Auto && f.NoneSelector == "" && settled && f.ItemKnown && f.Met == 0 && f.NoList == "":
		return tasks.ProofSettled, SettledText(f.ItemAt)
	}
	return "", ""
}

// orName says what else proves that there are none.
func (f Facts) orName() string {
	if f.Unlinked {
		return ""
	}
	return ", or name the portal's own words under attachments.none"
}

// noneListed begins what is said of an order for which no document was found.
const noneListed = "no document is listed, and nothing proves that there are none: "

// unproven: no document was found, which proves nothing.
func unproven(f Facts) Ruling {
	var failure *tasks.Failure
	awaits := false
	switch {
	case f.Unseen != "":
		failure = tasks.Retry(tasks.ClassUnproven, noneListed+"%s", f.Unseen)
	case f.Restless != "":
		failure = tasks.Retry(tasks.ClassUnsettled, noneListed+"the page is busy, and did not come to rest within %v: %s%s", f.Patience, f.Restless, f.Open)
	case f.Barred != "":
		failure = tasks.Permanent("", tasks.ClassPageIncomplete, noneListed+"%s", f.Barred)
	case f.Identity != IdentitySure:
		failure = tasks.Retry(tasks.ClassUnproven, noneListed+"the page mentions the order's number, but nothing says that it is about that order (identity.selector)")
	case f.Veiled && (f.None || f.Zero != ""):
		failure = tasks.Permanent("", tasks.ClassUnproven, noneListed+"the page was only fetched (--mode fetch), and its styles may hide what it says")
	case f.Fetched:
		failure = tasks.Retry(tasks.ClassUnproven, noneListed+"the page was only fetched, and its scripts may list some")
	case unreliable(f) != nil:
		failure = unreliable(f)
	case f.NoneSelector != "":
		failure = tasks.Retry(tasks.ClassUnproven, noneListed+"the page does not show attachments.none %q either", f.NoneSelector)
	case f.Expired != "":
		failure = tasks.Retry(tasks.ClassUnproven, noneListed+"a dialog before the page says %q", f.Expired)
	case f.NoList != "":
		failure = tasks.Retry(tasks.ClassUnproven, noneListed+"%s", f.NoList)
	case !f.Visited:
		failure = tasks.Retry(tasks.ClassUnproven, noneListed+"not all pages of documents were visited")
	case f.Added > 0: // other orders may show in the meantime that it fits
		failure = tasks.Retry(tasks.ClassUnproven, "other pages of the order list %s, but its own lists none, and nothing proves that there are none: attachments.item has not met anything on a page of this kind yet; check it, or name the portal's own words under attachments.none", count(f.Added, "document"))
	default:
		awaits = true
		failure = tasks.Permanent("", tasks.ClassUnproven, noneListed+"%s has not met anything on a page of this kind yet; check it%s", f.ItemAt, f.orName())
	}
	r := partial(failure, tasks.PhaseSettle)
	r.AwaitsItem = awaits
	return *r
}

// unreliable returns why what the recipe says of documents proves nothing on this page, or nil.
func unreliable(f Facts) *tasks.Failure {
	switch {
	case f.Unopened != "":
		return tasks.Permanent("", tasks.ClassNotClicked, noneListed+"%s; the portal's own words (attachments.none) would", f.Unopened)
	case f.LeftOutVague:
		return tasks.Permanent("", tasks.ClassUnproven, noneListed+"attachments.exclude leaves out every item, and nearly all other links of the page; check it")
	case f.WhereUnmet && f.LeftOut == f.Met:
		return tasks.Permanent("", tasks.ClassUnproven, noneListed+"attachments.where leaves out every item, and met nothing in any, or means all elements of a kind; check its selector or path")
	case f.NoneVague:
		return tasks.Permanent("", tasks.ClassUnproven, noneListed+"attachments.none %q meets what says that there is none of something else, such as comments, or elements with many different texts, so it marks nothing; check it", f.NoneSelector)
	}
	return nil
}

// hollow: the page shows nothing of an order but its number.
func hollow(f Facts) *Ruling { return partial(Hollow(f), tasks.PhaseSettle) }

// Hollow returns why a page that shows the order's number may be none of an order, or nil.
func Hollow(f Facts) *tasks.Failure {
	if f.Hollow == "" {
		return nil
	}
	return tasks.Retry(tasks.ClassUnproven, "the page shows nothing of an order but its number, so it may be one that asks for something first: it says %q; if orders look like that, name what only they show under ready.selector in a recipe", f.Hollow)
}

// SettledText says what proves that a settled page has no documents, once what finds them, which
// stands at itemAt in the recipe, has met some on another page of its kind.
func SettledText(itemAt string) string {
	return "the page is settled and lists none, and " + itemAt + " has met documents on pages like it"
}

// WaitsInVain reports whether the page would prove that it lists nothing, but for what it
// still waits for, which does not count.
func WaitsInVain(f Facts) bool {
	if f.Restless == "" || proven(f) != nil {
		return false
	}
	f.Restless = ""
	r := Judge(f)
	return r.Failure == nil || r.AwaitsItem
}
