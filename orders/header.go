package orders

import "github.com/poscrape/poscrape/internal/template"

// headRows is among how many rows the header is looked for.
const headRows = 20

// headerAmong returns which of the first rows of a sheet is its header: the first that
// names the columns that are looked for, unless it is only a title, and one below it, with no
// order between the two, names more of them, or names them better. Where none does, it is the
// first of those with the most cells, for the message. There must be at least one row.
func headerAmong(rows []record, overrides map[string]string) int {
	best := -1
	var bestFit headerFit
	for i, rec := range rows {
		f := fitHeader(rec, overrides)
		switch {
		case best < 0 && f.po >= 0, best >= 0 && f.better(bestFit):
			best, bestFit = i, f
		case best >= 0 && bestFit.isOrder(rec):
			return best
		}
	}
	if best >= 0 {
		return best
	}
	best = 0
	for i, rec := range rows {
		if rec.filled() > rows[best].filled() {
			best = i
		}
	}
	return best
}

// headerFit says how well a row would do as the header.
type headerFit struct {
	// po is the column of order numbers, -1 for none, and rank how good a name it has.
	po, rank int
	// named counts the columns that people named, roles those of all roles, and filled all.
	named, roles, filled int
}

func (f headerFit) better(than headerFit) bool {
	switch {
	case f.po < 0 || f.named != than.named:
		return f.po >= 0 && f.named > than.named
	case f.roles != than.roles:
		return f.roles > than.roles
	case f.filled != than.filled:
		return f.filled > than.filled
	}
	return f.rank < than.rank
}

// isOrder reports whether a row below a header that fits so has an order's number.
func (f headerFit) isOrder(rec record) bool {
	if f.po >= len(rec.cells) {
		return false
	}
	_, err := parseNumber(rec.cells[f.po], nil)
	return err == nil
}

func fitHeader(rec record, overrides map[string]string) headerFit {
	f := headerFit{po: -1, filled: rec.filled()}
	for _, r := range roles() {
		wanted, overruled := overrides[string(r)]
		i, found := -1, false
		switch {
		case overruled && wanted == noColumn:
		case overruled:
			if i, found = template.FindColumn(rec.cells, wanted); found {
				f.named++
			}
		default:
			if best := bestMatches(rec.cells, r, nil); len(best) > 0 {
				i, found = best[0], true
			}
		}
		if !found {
			continue
		}
		f.roles++
		if r == rolePO {
			f.po, f.rank = i, headerNames[template.FoldColumn(rec.cells[i])].rank
		}
	}
	return f
}

// filled counts the cells in which there is something to be seen.
func (r record) filled() (n int) {
	for _, cell := range r.cells {
		if trimInvisible(cell) != "" {
			n++
		}
	}
	return n
}
