package orders

import (
	"fmt"
	"slices"
)

// Refuse takes the orders out of the sheet of which why says something: their rows cannot be used, for that
// reason. It returns a *FileError where no order is left.
func (s *Sheet) Refuse(why func(PurchaseOrder) string) error {
	var kept []PurchaseOrder
	for _, o := range s.Orders {
		reason := why(o)
		if reason == "" {
			kept = append(kept, o)
			continue
		}
		for i, row := range o.Rows {
			p := Problem{File: s.Input.File, Line: row.Line, Message: reason}
			if at, ok := s.Input.Roles[string(roleURL)]; ok && at < len(s.Input.Columns) {
				p.Column = s.Input.Columns[at]
			}
			dir := o.Dir
			if i > 0 {
				dir = fmt.Sprintf("%s~row-%d", o.Dir, row.Line)
			}
			s.Problems = append(s.Problems, p)
			s.Unusable = append(s.Unusable, UnusableRow{Row: row, Problem: p, Dir: dir, Skipped: o.Skipped})
		}
	}
	if len(kept) == len(s.Orders) {
		return nil
	}
	s.Orders = kept
	slices.SortStableFunc(s.Unusable, func(a, b UnusableRow) int { return a.Row.Line - b.Row.Line })
	s.Problems = sorted(s.Problems)
	if len(kept) == 0 {
		first := s.Problems[slices.IndexFunc(s.Problems, func(p Problem) bool { return !p.Warning })]
		return &FileError{File: s.Input.File, Rows: s.Problems, Message: fmt.Sprintf("none of its rows can be used; line %d: %s", first.Line, first.Message)}
	}
	return nil
}
