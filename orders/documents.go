package orders

import (
	"fmt"
	"slices"
	"strconv"
)

// maxDocuments is the largest number that a column may have for it to be one of how many documents orders have.
const maxDocuments = 10_000

// countDocuments reads how many documents rows say that their orders have, where a person named the column. One that
// has only the name is taken for that, to be compared, where every filled cell is such a number.
func (r *rowReader) countDocuments(entries []*entry) {
	if !r.columns.has(roleDocuments) {
		return
	}
	_, named := r.options.Columns[string(roleDocuments)]
	counted := false
	for _, e := range entries {
		text := trimInvisible(r.columns.cell(e.row.Cells, roleDocuments))
		if e.skipped != "" || text == "" {
			continue
		}
		n, err := strconv.Atoi(splitPrefix(tidy(unwrap(text)), nil).withoutZeroDecimals().canonical)
		switch {
		case err == nil && n >= 0 && n <= maxDocuments && named:
			e.documents, counted = &n, true
		case err == nil && n >= 0 && n <= maxDocuments:
			counted = true
		case named:
			r.warn(e.row.Line, r.columns.name(roleDocuments), fmt.Sprintf("%s is no number of documents from 0 to %d: the row says nothing of how many there are", quoted(text), maxDocuments))
		default:
			delete(r.columns.index, roleDocuments)
			return
		}
	}
	switch column := r.columns.name(roleDocuments); {
	case named:
	case !counted:
		delete(r.columns.index, roleDocuments)
	default:
		r.notes = append(r.notes, fmt.Sprintf("the column %s is taken for how many documents an order has, and what the portal lists is compared with it; --column documents=NAME also has it confirm that all are there, documents=none takes no column", quoted(column)))
	}
}

// promised is how many documents the order's rows say that it has, where all that say so agree; else nil.
func (o *PurchaseOrder) promised() *int {
	counts := slices.Compact(slices.Clone(o.counts))
	if len(counts) != 1 {
		return nil
	}
	return &counts[0]
}
