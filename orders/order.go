package orders

import (
	"cmp"
	"crypto/sha256"
	"fmt"

	"github.com/poscrape/poscrape/tasks"
)

// PurchaseOrder is one order, with all rows that ask for it.
type PurchaseOrder struct {
	// Number is canonical.
	Number string
	// Digits is the number without its prefix, see tasks.Spec.
	Digits string
	// URL is where it is opened. It is empty where a recipe opens orders by itself.
	URL string
	// Portal is the name of its portal, or empty without Options.Portals.
	Portal string
	// Sheet has the first supplier, amount, currency and buyer that a row names, as written, and how many
	// documents its rows say that there are, where they agree and the column was named by a person.
	Sheet tasks.Sheet
	// counts are the numbers of documents in its rows.
	counts []int
	// Priority is the highest of its rows.
	Priority int
	// Rows in input order, at least one.
	Rows []tasks.Row
	// Dir is a file name for it that is safe everywhere, and its own.
	Dir string
	// Skipped says why it was left out, or is empty: see Sheet.Select.
	Skipped string
}

// Spec returns what is asked of the queue.
func (o PurchaseOrder) Spec() tasks.Spec {
	return tasks.Spec{
		Key: o.Number + " " + o.URL,
		PO:  o.Number, Digits: o.Digits, Dir: o.Dir, URL: o.URL, Portal: o.Portal, Priority: o.Priority,
		Sheet: o.Sheet, Rows: o.Rows, Skipped: o.Skipped,
	}
}

func (o *PurchaseOrder) add(e *entry) {
	o.Rows = append(o.Rows, e.row)
	o.Priority = max(o.Priority, e.priority)
	o.Sheet.Supplier = cmp.Or(o.Sheet.Supplier, e.supplier)
	o.Sheet.Amount = cmp.Or(o.Sheet.Amount, e.amount)
	o.Sheet.Currency = cmp.Or(o.Sheet.Currency, e.currency)
	o.Sheet.Buyer = cmp.Or(o.Sheet.Buyer, e.buyer)
	if e.documents != nil {
		o.counts = append(o.counts, *e.documents)
	}
}

// UnusableRow is a row that belongs to no order.
type UnusableRow struct {
	Row     tasks.Row
	Problem Problem
	// Dir is a file name for it, its own among all of the sheet.
	Dir string
	// Skipped says why it was left out, or is empty: see Sheet.Select.
	Skipped string
}

// Spec returns a task that says why the row cannot be used, and that it is skipped if it is.
func (u UnusableRow) Spec() tasks.Spec {
	return tasks.Spec{
		Key:     rowKey(u.Row),
		Dir:     u.Dir,
		Rows:    []tasks.Row{u.Row},
		Skipped: u.Skipped,
		Invalid: tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "%w", u.Problem),
	}
}

func rowKey(row tasks.Row) string {
	sum := sha256.Sum256([]byte(row.Raw))
	return fmt.Sprintf("row %d %x", row.Line, sum[:8])
}

// SkippedRow is a row that is no order and is not meant to be one.
type SkippedRow struct {
	Row tasks.Row
	// Reason says what it is: "it is a total".
	Reason string
	// Dir is a file name for it, its own among all of the sheet.
	Dir string
}

// Spec returns a task that is skipped, and says why.
func (s SkippedRow) Spec() tasks.Spec {
	return tasks.Spec{Key: rowKey(s.Row), Dir: s.Dir, Rows: []tasks.Row{s.Row}, Skipped: s.Reason}
}
