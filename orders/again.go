package orders

import (
	"cmp"
	"fmt"

	"github.com/poscrape/poscrape/tasks"
)

// Again returns the sheet whose Specs these are, as an earlier session has recorded them, so that
// its orders can be read again. What was left out then is left out again.
func Again(input tasks.Input, specs []tasks.Spec) *Sheet {
	s := &Sheet{Input: input, Delimiter: ','}
	for _, spec := range specs {
		switch {
		case len(spec.Rows) == 0:
		case spec.PO != "":
			s.Orders = append(s.Orders, PurchaseOrder{Number: spec.PO, Digits: spec.Digits, URL: spec.URL, Portal: spec.Portal,
				Sheet: spec.Sheet, Priority: spec.Priority, Rows: spec.Rows, Dir: spec.Dir, Skipped: spec.Skipped})
		case spec.Invalid != nil:
			p := Problem{File: input.File, Line: spec.Rows[0].Line, Message: spec.Invalid.Message, recorded: spec.Invalid.Message}
			s.Unusable = append(s.Unusable, UnusableRow{Row: spec.Rows[0], Problem: p, Dir: spec.Dir, Skipped: spec.Skipped})
			if spec.Skipped == "" {
				s.Problems = append(s.Problems, p)
			}
		default:
			s.Skipped = append(s.Skipped, SkippedRow{Row: spec.Rows[0], Reason: cmp.Or(spec.Skipped, "it is no order"), Dir: spec.Dir})
		}
	}
	read := 0
	for i := range s.Orders {
		if s.Orders[i].Skipped == "" {
			read++
		}
	}
	note := fmt.Sprintf("%s are read again", count(read, "order"))
	if left := len(s.Orders) - read; left > 0 {
		note += fmt.Sprintf("; %d that were left out then are left out again", left)
	}
	s.Notes = append(s.Notes, note)
	return s
}
