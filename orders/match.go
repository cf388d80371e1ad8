package orders

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/tasks"
)

// matcher decides which rows are one order, by the rules in the package's
// comment.
type matcher struct {
	*rowReader
	// full leads from a number without a prefix to the only one with a prefix,
	// and bare the way back.
	full map[numberAt]number
	bare map[numberAt]string
	// links counts the different URLs of a number's rows, at a portal and anywhere.
	links map[numberAt]linkCount
	// rows holds each number with each URL that one of its rows has.
	rows map[identity]bool
}

// identity is what makes rows one order.
type identity struct{ number, url string }

// numberAt is a number at one portal: another has orders of its own. Without a rule it is a
// number at any.
type numberAt struct {
	rule   *rule
	number string
}

type linkCount struct {
	first string
	count int
}

// match gives each usable entry its final number and URL. It returns an error
// where the URL template leads all orders to one page.
func (r *rowReader) match(entries []*entry) *FileError {
	m := matcher{rowReader: r, links: map[numberAt]linkCount{}, rows: map[identity]bool{}}
	m.pair(entries)
	m.countLinks(entries)
	if err := m.checkTemplate(entries); err != nil {
		return err
	}
	for _, e := range entries {
		if e.problem == nil {
			m.address(e)
		}
	}
	m.rename(entries)
	for _, e := range entries {
		if pattern := e.rule.pattern; e.problem == nil && pattern != nil && !pattern.MatchString(e.final.canonical) {
			r.refuse(e, rolePO, fmt.Sprintf("%s is not a number of this portal: the recipe's po.pattern is %s", quoted(e.final.canonical), pattern))
		}
	}
	m.checkHosts(entries)
	m.checkAddresses(entries)
	m.checkTold(entries)
	return nil
}

// checkTemplate refuses a URL template without a placeholder where several orders
// need it: all of them would be one page.
func (m *matcher) checkTemplate(entries []*entry) *FileError {
	numbers := map[*rule]map[string]bool{}
	for _, e := range entries {
		t := e.rule.template
		if e.problem != nil || e.link != "" || t == nil || t.Varies() || e.rule.shared {
			continue
		}
		if numbers[e.rule] == nil {
			numbers[e.rule] = map[string]bool{}
		}
		numbers[e.rule][m.fullNumber(e).canonical] = true
	}
	for _, rule := range m.rules() {
		if n := len(numbers[rule]); n > 1 {
			return &FileError{File: m.file, Message: fmt.Sprintf(
				"the URL template %s has no place for the order's number, so %d orders would have the same page: write {po} or {digits} where the number stands, such as https://portal.example/orders/{po}",
				quoted(rule.url), n)}
		}
	}
	return nil
}

// checkHosts refuses the rows whose page the recipe does not allow.
func (m *matcher) checkHosts(entries []*entry) {
	if m.options.HostAllowed == nil || m.named != nil {
		return
	}
	for _, e := range entries {
		if e.problem != nil || e.url == "" {
			continue
		}
		u, err := url.Parse(e.url)
		if err == nil && m.options.HostAllowed(u.Host) {
			continue
		}
		m.refuse(e, roleURL, fmt.Sprintf("the page is on %s, and the recipe's base_url is %s: name the host under allowed_hosts, or take the pages from the recipe with --column url=none",
			u.Host, m.options.BaseURL))
	}
}

// checkAddresses refuses the rows of different orders that have one address:
// nobody knows whose page that is.
func (m *matcher) checkAddresses(entries []*entry) {
	// owners are, of each address, its first row and the first one of another order.
	owners := map[string][]*entry{}
	for _, e := range entries {
		if e.problem != nil || e.url == "" || e.rule.shared {
			continue
		}
		if first := owners[e.url]; len(first) == 0 || len(first) == 1 && first[0].final.canonical != e.final.canonical {
			owners[e.url] = append(first, e)
		}
	}
	for _, e := range entries {
		if e.problem != nil || e.url == "" || e.rule.shared {
			continue
		}
		i := slices.IndexFunc(owners[e.url], func(other *entry) bool { return other.final.canonical != e.final.canonical })
		if i < 0 {
			continue
		}
		other := owners[e.url][i]
		m.refuse(e, roleURL, fmt.Sprintf("line %d (%s) has the same address, so nobody knows whose page that is: give each order its own address, or have addresses made of the numbers with --url and --column url=none",
			other.row.Line, other.final.canonical))
	}
}

// checkTold refuses the rows of an order that would have the recipe told something else than its
// first row, the case of a number's letters included: what is found is for that one.
func (m *matcher) checkTold(entries []*entry) {
	first := map[identity]*entry{}
	for _, e := range entries {
		if e.problem != nil || len(e.rule.told) == 0 && e.url != "" && !e.rule.shared {
			continue
		}
		id := identity{e.final.canonical, e.url}
		if first[id] == nil {
			first[id] = e
			continue
		}
		if digits, of := e.final.digits, first[id].row; (e.url == "" || e.rule.shared) && tasks.InCaseOf(digits, of.Raw) != tasks.InCaseOf(digits, e.row.Raw) {
			m.refuse(e, rolePO, fmt.Sprintf("%s differs from %s in line %d in the case of its letters alone: write both alike if they are one order, or give each its own address",
				quoted(e.row.Raw), quoted(of.Raw), of.Line))
			continue
		}
		for _, name := range e.rule.told {
			i, ok := template.FindColumn(m.header, name)
			if mine, its := cellOf(e, i), cellOf(first[id], i); ok && mine != its {
				m.refuse(e, rolePO, fmt.Sprintf("line %d has the same order number and address, and %s in the column %s, which the recipe uses: an order has one; run the rows of each in a sheet of their own",
					first[id].row.Line, quoted(its), quoted(name)))
				break
			}
		}
	}
}

func cellOf(e *entry, i int) string {
	if i < 0 || i >= len(e.row.Cells) {
		return ""
	}
	return trimInvisible(e.row.Cells[i])
}

func (m *matcher) countLinks(entries []*entry) {
	for _, e := range entries {
		id := identity{e.number.canonical, e.link}
		if e.problem != nil || e.link == "" || m.rows[id] {
			continue
		}
		m.rows[id] = true
		for _, at := range []numberAt{{e.rule, id.number}, {nil, id.number}} {
			links := m.links[at]
			if links.count++; links.count == 1 {
				links.first = e.link
			}
			m.links[at] = links
		}
	}
}

// pair finds the numbers without a prefix that stand for one with a prefix.
// Rows with a bad URL have a say: their number is in the file.
func (m *matcher) pair(entries []*entry) {
	prefixed := map[numberAt][]number{}
	for _, e := range entries {
		n, at := e.number, numberAt{e.rule, e.number.digits}
		if n.prefixed && e.rule.fits(n) && !slices.Contains(prefixed[at], n) {
			prefixed[at] = append(prefixed[at], n)
		}
	}
	m.full, m.bare = map[numberAt]number{}, map[numberAt]string{}
	for _, e := range entries {
		n, at := e.number, numberAt{e.rule, e.number.canonical}
		if candidates := prefixed[at]; !n.prefixed && len(candidates) == 1 {
			m.full[at] = candidates[0]
			m.bare[numberAt{e.rule, candidates[0].canonical}] = n.canonical
		}
	}
}

func (r *rule) fits(n number) bool {
	return r.pattern == nil || r.pattern.MatchString(n.canonical)
}

// fullNumber returns the number with a prefix that the entry's stands for, or the entry's.
func (m *matcher) fullNumber(e *entry) number {
	if full, ok := m.full[numberAt{e.rule, e.number.canonical}]; ok && !e.number.prefixed {
		return full
	}
	return e.number
}

// partner returns the number that may be the same order's.
func (m *matcher) partner(e *entry) string {
	at := numberAt{e.rule, e.number.canonical}
	if e.number.prefixed {
		return m.bare[at]
	}
	return m.full[at].canonical
}

// linksOf returns the different URLs of a number's rows at the entry's portal; where that is
// not known, at any.
func (m *matcher) linksOf(e *entry, number string) linkCount {
	at := numberAt{e.rule, number}
	if m.unknown(e) {
		at.rule = nil
	}
	return m.links[at]
}

// unknown reports whether it is not known which of several portals the entry is for.
func (m *matcher) unknown(e *entry) bool { return m.named != nil && e.rule.name == "" }

// address gives the entry its URL: its own, the only one of its number, the
// only one of its partner, or the template's.
func (m *matcher) address(e *entry) {
	if e.link != "" {
		e.url = e.link
		return
	}
	links := m.linksOf(e, e.number.canonical)
	if links.count == 0 {
		links = m.linksOf(e, m.partner(e))
	}
	switch {
	case links.count == 1:
		e.url = links.first
		if m.unknown(e) {
			m.adopt(e)
		}
	case e.rule.template != nil:
		m.expand(e)
	case m.options.URLOptional:
	case links.count > 1:
		m.refuse(e, roleURL, fmt.Sprintf("there is no URL, and other rows give %d different ones for %s: write into this row which one it is",
			links.count, m.fullNumber(e).canonical))
	case m.named != nil:
		m.refuse(e, roleURL, "there is no URL, so it is not known which of the recipes the order is for: write one, or say how URLs are made with --url; where the recipe has open.url or open.search, its base_url will do")
	default:
		m.refuse(e, roleURL, "there is no URL: write one, or say how URLs are made with --url")
	}
}

// adopt gives an entry the portal of the URL that another row of its number has.
func (m *matcher) adopt(e *entry) {
	of, err := m.ruleOf(e.url)
	if err == nil {
		e.rule = of
		e.number, err = parseNumber(e.row.Raw, of.prefixes)
		e.final = e.number
	}
	if err != nil {
		m.refuse(e, rolePO, err.Error())
	}
}

func (m *matcher) expand(e *entry) {
	n := m.fullNumber(e)
	digits := tasks.InCaseOf(n.digits, e.row.Raw)
	address, err := e.rule.template.Expand(template.Values{
		PO: strings.TrimSuffix(n.canonical, n.digits) + digits, Digits: digits,
		Column: func(name string) (string, bool) {
			i, ok := m.templateColumns[name]
			if !ok || i >= len(e.row.Cells) {
				return "", ok
			}
			return trimInvisible(e.row.Cells[i]), true
		},
	})
	if err == nil {
		e.url, err = parseAddress(address)
	}
	if err != nil {
		m.refuse(e, roleURL, "the URL template makes no address of this row: it "+err.Error())
	}
}

// rename gives the rows without a prefix the number with a prefix, unless they
// have URLs of their own.
func (m *matcher) rename(entries []*entry) {
	there := map[identity]bool{}
	for _, e := range entries {
		if e.problem == nil && e.number.prefixed {
			there[identity{e.number.canonical, e.url}] = true
		}
	}
	for _, e := range entries {
		if e.problem != nil || e.number.prefixed {
			continue
		}
		full := m.fullNumber(e)
		if made := !m.rows[identity{e.number.canonical, e.url}]; made || there[identity{full.canonical, e.url}] {
			e.final = full
		}
	}
}
