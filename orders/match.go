package orders

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/poscrape/poscrape/internal/template"
)

// matcher decides which rows are one order, by the rules in the package's
// comment.
type matcher struct {
	*rowReader
	// full leads from a number without a prefix to the only one with a prefix,
	// and bare the way back.
	full map[string]number
	bare map[string]string
	// links counts the different URLs of a number's rows.
	links map[string]linkCount
	// rows holds each number with each URL that one of its rows has.
	rows map[identity]bool
}

// identity is what makes rows one order.
type identity struct{ number, url string }

type linkCount struct {
	first string
	count int
}

// match gives each usable entry its final number and URL. It returns an error
// where the URL template leads all orders to one page.
func (r *rowReader) match(entries []*entry) *FileError {
	m := matcher{rowReader: r, links: map[string]linkCount{}, rows: map[identity]bool{}}
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
		if pattern := r.options.Pattern; e.problem == nil && pattern != nil && !pattern.MatchString(e.final.canonical) {
			r.refuse(e, rolePO, fmt.Sprintf("%s is not a number of this portal: the recipe's po.pattern is %s", quoted(e.final.canonical), pattern))
		}
	}
	m.checkHosts(entries)
	m.checkAddresses(entries)
	return nil
}

// checkTemplate refuses a URL template without a placeholder where several orders
// need it: all of them would be one page.
func (m *matcher) checkTemplate(entries []*entry) *FileError {
	if m.template == nil || m.template.Varies() || m.options.SharedURL {
		return nil
	}
	numbers := map[string]bool{}
	for _, e := range entries {
		if e.problem == nil && e.link == "" {
			numbers[m.fullNumber(e.number).canonical] = true
		}
	}
	if len(numbers) < 2 {
		return nil
	}
	return &FileError{File: m.file, Message: fmt.Sprintf(
		"the URL template %s has no place for the order's number, so %d orders would have the same page: write {po} or {digits} where the number stands, such as https://portal.example/orders/{po}",
		quoted(m.options.URL), len(numbers))}
}

// checkHosts refuses the rows whose page the recipe does not allow.
func (m *matcher) checkHosts(entries []*entry) {
	if m.options.HostAllowed == nil {
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
	if m.options.SharedURL {
		return
	}
	owners := map[string][]*entry{}
	for _, e := range entries {
		if e.problem != nil || e.url == "" {
			continue
		}
		owners[e.url] = append(owners[e.url], e)
	}
	for _, e := range entries {
		if e.problem != nil || e.url == "" {
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

func (m *matcher) countLinks(entries []*entry) {
	for _, e := range entries {
		id := identity{e.number.canonical, e.link}
		if e.problem != nil || e.link == "" || m.rows[id] {
			continue
		}
		m.rows[id] = true
		links := m.links[id.number]
		if links.count++; links.count == 1 {
			links.first = e.link
		}
		m.links[id.number] = links
	}
}

// pair finds the numbers without a prefix that stand for one with a prefix.
// Rows with a bad URL have a say: their number is in the file.
func (m *matcher) pair(entries []*entry) {
	prefixed := map[string][]number{}
	for _, e := range entries {
		n := e.number
		if n.prefixed && m.fits(n) && !slices.Contains(prefixed[n.digits], n) {
			prefixed[n.digits] = append(prefixed[n.digits], n)
		}
	}
	m.full, m.bare = map[string]number{}, map[string]string{}
	for _, e := range entries {
		n := e.number
		if candidates := prefixed[n.canonical]; !n.prefixed && len(candidates) == 1 {
			m.full[n.canonical] = candidates[0]
			m.bare[candidates[0].canonical] = n.canonical
		}
	}
}

func (m *matcher) fits(n number) bool {
	return m.options.Pattern == nil || m.options.Pattern.MatchString(n.canonical)
}

// fullNumber returns the number with a prefix that n stands for, or n.
func (m *matcher) fullNumber(n number) number {
	if full, ok := m.full[n.canonical]; ok && !n.prefixed {
		return full
	}
	return n
}

// partner returns the number that may be the same order's.
func (m *matcher) partner(n number) string {
	if n.prefixed {
		return m.bare[n.canonical]
	}
	return m.full[n.canonical].canonical
}

// address gives the entry its URL: its own, the only one of its number, the
// only one of its partner, or the template's.
func (m *matcher) address(e *entry) {
	if e.link != "" {
		e.url = e.link
		return
	}
	links := m.links[e.number.canonical]
	if links.count == 0 {
		links = m.links[m.partner(e.number)]
	}
	switch {
	case links.count == 1:
		e.url = links.first
	case m.template != nil:
		m.expand(e)
	case m.options.URLOptional:
	case links.count > 1:
		m.refuse(e, roleURL, fmt.Sprintf("there is no URL, and other rows give %d different ones for %s: write into this row which one it is",
			links.count, m.fullNumber(e.number).canonical))
	default:
		m.refuse(e, roleURL, "there is no URL: write one, or say how URLs are made with --url")
	}
}

func (m *matcher) expand(e *entry) {
	n := m.fullNumber(e.number)
	address, err := m.template.Expand(template.Values{
		PO: n.canonical, Digits: n.digits,
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
		full := m.fullNumber(e.number)
		if made := !m.rows[identity{e.number.canonical, e.url}]; made || there[identity{full.canonical, e.url}] {
			e.final = full
		}
	}
}
