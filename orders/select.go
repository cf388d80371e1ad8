package orders

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/tasks"
)

// Selection says which of a sheet's orders are wanted. The zero value wants all.
type Selection struct {
	// Only are conditions that all must hold, see ParseCondition: an order is wanted if one of
	// its rows meets them.
	Only []Condition
	// Done returns where an order is done already, or "". Nil: none is.
	Done func(PurchaseOrder) string
	// Limit is how many orders are wanted, the first that are not left out otherwise; 0 for all.
	Limit int
}

// Condition is one that a row must meet.
type Condition struct {
	Column string
	text   string
	cell   *regexp.Regexp
}

// ParseCondition reads COLUMN=GLOB. In a glob, * stands for any text, ? for any one character
// and [abc] or [!a-c] for one of these, or none of them; case is ignored.
func ParseCondition(text string) (Condition, error) {
	column, glob, found := strings.Cut(text, "=")
	if column = strings.TrimSpace(column); !found || column == "" {
		return Condition{}, &OptionError{Field: "Only", Message: fmt.Sprintf(
			"--only %s: it does not say what a column must hold: write it as supplier=ACME*", text)}
	}
	cell, err := compileGlob(strings.TrimSpace(glob))
	if err != nil {
		return Condition{}, &OptionError{Field: "Only", Message: fmt.Sprintf("--only %s: %s is no pattern: close the [ or write [[]", text, quoted(glob))}
	}
	return Condition{Column: column, text: text, cell: cell}, nil
}

// compileGlob returns the regular expression of a glob.
func compileGlob(glob string) (*regexp.Regexp, error) {
	var pattern strings.Builder
	pattern.WriteString(`(?is)^`)
	for rest := norm.NFC.String(glob); rest != ""; {
		switch c := rest[0]; c {
		case '*':
			pattern.WriteString(`.*`)
		case '?':
			pattern.WriteString(`.`)
		case '[':
			end := strings.IndexByte(rest[min(2, len(rest)):], ']')
			if end < 0 {
				return nil, errors.New("no ]")
			}
			class, not := strings.CutPrefix(rest[1:end+2], "!")
			pattern.WriteString("[")
			if not {
				pattern.WriteString("^")
			}
			pattern.WriteString(strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `^`, `\^`).Replace(class) + "]")
			rest = rest[end+3:]
			continue
		default:
			next := strings.IndexAny(rest[1:], "*?[") + 1
			if next == 0 {
				next = len(rest)
			}
			pattern.WriteString(regexp.QuoteMeta(rest[:next]))
			rest = rest[next:]
			continue
		}
		rest = rest[1:]
	}
	return regexp.Compile(pattern.String() + `$`)
}

// Select leaves out the orders that are not wanted, and the rows that cannot be used and are
// not asked for: they are skipped, and their problems are none any more. It returns an
// *OptionError for a column that is not there, and where no row meets the conditions.
func (s *Sheet) Select(wanted Selection) error {
	columns := make([]int, len(wanted.Only))
	for i, c := range wanted.Only {
		var found bool
		if columns[i], found = template.FindColumn(s.Input.Columns, c.Column); !found {
			return &OptionError{Field: "Only", Message: fmt.Sprintf("--only %s: there is no such column; the columns are %s", c.text, quotedList(s.Input.Columns))}
		}
	}
	p := picker{Selection: wanted, columns: columns, out: map[int]bool{}, counts: map[string]int{}}
	unusable := s.Unusable
	for i := range s.Orders {
		for len(unusable) > 0 && unusable[0].Row.Line < s.Orders[i].Rows[0].Line {
			p.row(&unusable[0])
			unusable = unusable[1:]
		}
		p.order(&s.Orders[i])
	}
	for i := range unusable {
		p.row(&unusable[i])
	}
	if !p.met && len(wanted.Only) > 0 {
		return &OptionError{Field: "Only", Message: fmt.Sprintf("--only %s: no row has that%s", wanted.Only[p.strictest].text, s.examples(columns[p.strictest]))}
	}
	s.Problems = slices.DeleteFunc(s.Problems, func(problem Problem) bool { return p.out[problem.Line] })
	if len(p.out) > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d of %s are run; left out are %s", p.taken, count(len(s.Orders), "order"), p.leftOut()))
	}
	return nil
}

// picker picks the orders of a sheet one after another.
type picker struct {
	Selection
	// columns are those of the conditions, and strictest is the condition that no row has met
	// together with those before it.
	columns   []int
	strictest int
	met       bool
	taken     int
	// out are the lines that are left out, and counts the orders, by what they are left out for.
	out    map[int]bool
	counts map[string]int
}

// order picks an order, or leaves it out.
func (p *picker) order(o *PurchaseOrder) {
	why := ""
	meets := slices.ContainsFunc(o.Rows, func(row tasks.Row) bool { return p.meets(row.Cells) })
	if o.Skipped != "" { // by an earlier session
		return
	}
	if !meets {
		why = "--only"
	} else if place := p.done(*o); place != "" {
		why = "--skip-done"
		o.Skipped = "done in " + place
	} else if p.full() {
		why = "--limit"
	}
	if why == "" {
		p.taken++
		return
	}
	if o.Skipped == "" {
		o.Skipped = p.reason(why)
	}
	p.counts[why]++
	for _, row := range o.Rows {
		p.out[row.Line] = true
	}
}

// row leaves out a row that cannot be used, if it is not asked for or below the last order
// that is.
func (p *picker) row(u *UnusableRow) {
	switch {
	case u.Skipped != "": // by an earlier session
		return
	case !p.meets(u.Row.Cells):
		u.Skipped = p.reason("--only")
	case p.full():
		u.Skipped = p.reason("--limit")
	default:
		return
	}
	p.out[u.Row.Line] = true
}

func (p *picker) meets(cells []string) bool {
	for i, c := range p.Only {
		cell := ""
		if at := p.columns[i]; at < len(cells) {
			cell = norm.NFC.String(trimInvisible(cells[at]))
		}
		if !c.cell.MatchString(cell) {
			p.strictest = max(p.strictest, i)
			return false
		}
	}
	p.met = true
	return true
}

func (p *picker) done(o PurchaseOrder) string {
	if p.Done == nil {
		return ""
	}
	return p.Done(o)
}

func (p *picker) full() bool { return p.Limit > 0 && p.taken >= p.Limit }

// reason is what the report says of a row that is left out.
func (p *picker) reason(flag string) string {
	if flag == "--limit" {
		return fmt.Sprintf("left out by --limit %d", p.Limit)
	}
	var texts []string
	for _, c := range p.Only {
		texts = append(texts, c.text)
	}
	return "left out by --only " + strings.Join(texts, " --only ")
}

func (p *picker) leftOut() string {
	var list []string
	for _, flag := range []string{"--only", "--skip-done", "--limit"} {
		if n := p.counts[flag]; n > 0 {
			list = append(list, fmt.Sprintf("%d by %s", n, flag))
		}
	}
	if len(list) == 0 {
		return count(len(p.out), "row") + " that cannot be used"
	}
	return strings.Join(list, ", ")
}

// examples says what else is in a column.
func (s *Sheet) examples(column int) string {
	const shown = 5
	var seen []string
	for _, o := range s.Orders {
		for _, row := range o.Rows {
			if cell := trimInvisible(cellAt(row.Cells, column)); cell != "" && len(seen) <= shown && !slices.Contains(seen, cell) {
				seen = append(seen, cell)
			}
		}
	}
	switch {
	case len(seen) == 0:
		return ""
	case len(seen) > shown:
		return "; the column has " + quotedList(seen[:shown]) + " and others"
	}
	return "; the column has " + quotedList(seen)
}

func cellAt(cells []string, i int) string {
	if i >= len(cells) {
		return ""
	}
	return cells[i]
}
