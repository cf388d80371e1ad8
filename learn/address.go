package learn

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/template"
)

// Address is where orders are opened.
type Address struct {
	// BaseURL is scheme and host; empty where orders have several.
	BaseURL string
	// URL is the template of all orders' addresses, or empty where none fits them all.
	URL string
}

// addressOf finds the template of the orders' addresses. Where none fits them all, it is the one that
// the sheet was read with.
func addressOf(sheet Sheet) Address {
	a := foundAddress(sheet)
	if a.URL == "" {
		a.URL = sheet.URL
	}
	return a
}

// makesAddress reports whether a column's cells are a part of the orders' addresses.
func (in *induction) makesAddress(column int) bool {
	for _, source := range []string{in.sheet.URL, in.draft.URL} {
		if slices.Contains(Address{in.draft.BaseURL, source}.columns(in.sheet), column) {
			return true
		}
	}
	return false
}

// columns are those that the addresses are made with.
func (a Address) columns(sheet Sheet) (columns []int) {
	u, err := template.ParseURL(a.URL, a.BaseURL)
	if err != nil {
		return nil
	}
	for _, name := range u.Columns() {
		if i, ok := template.FindColumn(sheet.Columns, name); ok {
			columns = append(columns, i)
		}
	}
	return columns
}

func foundAddress(sheet Sheet) Address {
	first, err := url.Parse(sheet.Orders[0].URL)
	if err != nil || first.Host == "" {
		return Address{}
	}
	base := first.Scheme + "://" + first.Host
	for _, o := range sheet.Orders {
		if u, err := url.Parse(o.URL); err != nil || u.Scheme+"://"+u.Host != base {
			return Address{}
		}
	}
	a := Address{BaseURL: base}
	for _, source := range guesses(sheet, strings.TrimPrefix(sheet.Orders[0].URL, base)) {
		if fitsAll(source, base, sheet) {
			a.URL = source
			break
		}
	}
	return a
}

// guesses are the templates that the first order's address could be made of.
func guesses(sheet Sheet, rest string) (list []string) {
	if strings.ContainsAny(rest, "{}") {
		return nil
	}
	order := sheet.Orders[0]
	list = append(list, "{base_url}"+rest)
	insert := func(value, placeholder string) {
		if len(value) < 2 {
			return
		}
		for _, form := range []string{value, escaped(value)} {
			for _, source := range list {
				if strings.Contains(source, form) && !strings.Contains(source, placeholder) {
					list = append(list, replaceOutside(source, form, placeholder))
				}
			}
		}
	}
	insert(order.PO, "{po}")
	if order.Digits != order.PO {
		insert(order.Digits, "{digits}")
	}
	for i, name := range sheet.Columns {
		if len(order.Rows) > 0 && i < len(order.Rows[0]) && i != roleAt(sheet, "url") && i != roleAt(sheet, "po") && !strings.ContainsAny(name, "{}") {
			insert(order.Rows[0][i], "{column:"+name+"}")
		}
	}
	return list
}

func roleAt(sheet Sheet, role string) int {
	if i, ok := sheet.Roles[role]; ok {
		return i
	}
	return -1
}

func escaped(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }

var placeholders = regexp.MustCompile(`\{[^}]*\}`)

// replaceOutside replaces a text, but not within placeholders.
func replaceOutside(source, from, to string) string {
	var b strings.Builder
	at := 0
	for _, m := range placeholders.FindAllStringIndex(source, -1) {
		b.WriteString(strings.ReplaceAll(source[at:m[0]], from, to))
		b.WriteString(source[m[0]:m[1]])
		at = m[1]
	}
	b.WriteString(strings.ReplaceAll(source[at:], from, to))
	return b.String()
}

func fitsAll(source, base string, sheet Sheet) bool {
	u, err := template.ParseURL(source, base)
	if err != nil || !u.Varies() && len(sheet.Orders) > 1 {
		return false
	}
	for _, o := range sheet.Orders {
		if made, err := u.Expand(o.values(sheet)); err != nil || made != o.URL {
			return false
		}
	}
	return true
}

func (o Order) values(sheet Sheet) template.Values {
	return template.Values{PO: o.PO, Digits: o.Digits, Column: func(name string) (string, bool) {
		i, ok := template.FindColumn(sheet.Columns, name)
		if !ok || len(o.Rows) == 0 || i >= len(o.Rows[0]) {
			return "", ok
		}
		return o.Rows[0][i], true
	}}
}

// Expand returns the address of an order that is not in the sheet, by the template.
func (a Address) Expand(sheet Sheet, o Order) (string, error) {
	u, err := template.ParseURL(a.URL, a.BaseURL)
	if err != nil {
		return "", err
	}
	return u.Expand(o.values(sheet))
}
