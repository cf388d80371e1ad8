package verdict

import "github.com/poscrape/poscrape/tasks"

// NoPage returns why a page is none of the order's other pages, whose number it need not show;
// or nil.
func NoPage(f Facts) *tasks.Failure {
	list := f.Refusal.Kind == RefusalList && f.Met > 0 // of the orders that it belongs to
	if f.CutShort != "" {
		return tasks.Retry(tasks.ClassNavigation, "the page ended before all of it was there: %s (%s)", f.CutShort, f.Address)
	}
	if r := refusedBy(f); r != nil && !list {
		return r.Failure
	}
	return nil
}

// NotWhole returns why another page of the order may list more than was found, or nil. That it
// lists nothing needs no proof.
func NotWhole(f Facts) *tasks.Failure {
	if h := Hindrance(f); h != nil {
		return h
	}
	if d := dataUnknown(f); d != nil {
		return d
	}
	if f.Unturned != nil {
		return f.Unturned
	}
	f.Documents = nil
	if r := lacking(f); r != nil {
		return r.Failure
	}
	switch {
	case f.Met > 0:
	case f.Unseen != "":
		return tasks.Retry(tasks.ClassUnproven, "%s (%s)", f.Unseen, f.Address)
	case f.Barred != "":
		return tasks.Permanent("", tasks.ClassPageIncomplete, "%s (%s)", f.Barred, f.Address)
	case f.Restless != "":
		return tasks.Retry(tasks.ClassUnsettled, "the page is busy, and did not come to rest within %v: %s%s", f.Patience, f.Restless, f.Open)
	}
	return nil
}

// UnreadPages is what follows for an order from other pages of it that could not be read.
func UnreadPages(failures []*tasks.Failure) *tasks.Failure {
	f := tasks.Retry(tasks.ClassPageIncomplete, "%s of the order could not be read: %s", count(len(failures), "other page"), failures[0].Message)
	f.Advice, f.Retryable = tasks.AdvicePermanent, false
	for _, one := range failures {
		if one.Advice == tasks.AdviceRetry || one.Class == tasks.ClassLogin { // who signs in may see it
			f.Advice, f.Retryable = tasks.AdviceRetry, true
		}
		f.After = max(f.After, one.After)
	}
	return f
}
