package verdict

import "github.com/poscrape/poscrape/tasks"

// unread says that the order was found, and that another element which was not read may have its number too.
func (d *InData) unread() *tasks.Failure {
	switch {
	case d.Further == "" || d.Single:
		return nil
	case d.Paged:
		return tasks.Permanent("", tasks.ClassIncomplete, "list.next led to no further page of the list of orders, but %s, and another one of them may have this number too", d.Further)
	}
	return tasks.Permanent("", tasks.ClassIncomplete, "%s, and another order of the list may have this number too; say where the list's next page is (list.next), or, if no two orders have the same number, that this does not matter (list.next: off)", d.Further)
}

// notInData: no element is the order. One answer seldom has all orders, so that proves nothing of those
// that it does not have.
func notInData(f Facts) *Ruling {
	if f.InData.Why != "" {
		return stop(tasks.Retry(tasks.ClassPageIncomplete, "%s, so it is not known whether %s is in the list (%s)", f.InData.Why, f.PO, f.Address))
	}
	more := "the portal may have more orders than the answers that were read"
	if f.InData.Further != "" {
		more = f.InData.Further
	}
	seen := nothingSeen(f)
	if f.InData.Count == 0 {
		seen = "list.items met nothing"
	}
	return mismatch(f, "has data of %s, of which none shows the order number %s: %s; %s", count(f.InData.Count, "order"), f.PO, seen, more)
}
