package sampling

import (
	"fmt"
	"html"
	"net/http"
	"strings"
)

// change is what is done to a portal's pages after its recipe was learnt.
type change string

const (
	unchanged     change = ""
	classes       change = "classes renamed"
	ids           change = "ids generated anew"
	wrappers      change = "wrappers added"
	row           change = "a row inserted"
	columnIn      change = "a column inserted"
	reversed      change = "order reversed"
	tags          change = "tags swapped"
	otherLanguage change = "labels in another language"
)

var changes = []change{classes, ids, wrappers, row, columnIn, reversed, tags, otherLanguage}

// page is what one page is made with.
type page struct {
	locale
	change
	hashed bool // class names are generated
	noIDs  bool
	goesOn bool // a click shows the last document
}

func (p page) class(name string) string {
	if p.change == classes {
		name = map[string]string{"value": "datum", "label": "caption", "document": "enclosure", "documents": "enclosures", "none": "nil", "lines": "items", "number": "key"}[name] + strings.TrimPrefix("x", "x")
		if name == "" {
			name = "renamed"
		}
	}
	if p.hashed {
		sum := uint32(17)
		for _, c := range name + string(p.change) {
			sum = sum*31 + uint32(c)
		}
		name = fmt.Sprintf("css-%x", sum)
	}
	return fmt.Sprintf(` class="%s"`, name)
}

func (p page) id(name string) string {
	if p.noIDs {
		return ""
	}
	if p.change == ids {
		name = "el" + fmt.Sprintf("%x", len(name)*7919+int(name[0]))
	}
	return fmt.Sprintf(` id="%s"`, name)
}

type pair struct{ key, label, value string }

// pairs are the labelled values of an order.
func (p page) pairs(o order) []pair {
	l := p.locale
	if p.change == otherLanguage {
		l.words = map[string]map[string]string{"": german.words}[""]
		if p.words["Supplier"] == german.words["Supplier"] {
			l.words = french.words
		}
	}
	list := []pair{
		{"number", l.word("Order number"), o.po}, {"supplier", l.word("Supplier"), o.supplier}, {"buyer", l.word("Buyer"), o.buyer},
		{"total", l.word("Order total"), p.amount(o.cents)}, {"net", l.word("Net"), p.amount(o.net)}, {"currency", l.word("Currency"), o.currency},
		{"issued", l.word("Issued"), o.issued.Format(p.date)}, {"status", l.word("Status"), o.status}, {"reference", l.word("Reference"), o.reference},
		{"terms", l.word("Payment terms"), o.terms},
	}
	if p.change == row {
		list = append(list[:2:2], append([]pair{{"approver", "Approved by", "Nadia Klein"}, {"plant", "Plant", "0042"}}, list[2:]...)...)
	}
	if p.change == reversed {
		rest := list[1:]
		for i, j := 0, len(rest)-1; i < j; i, j = i+1, j-1 {
			rest[i], rest[j] = rest[j], rest[i]
		}
	}
	return list
}

func (p page) wrap(text string) string {
	if p.change == wrappers {
		return "<div><div>" + text + "</div></div>"
	}
	return text
}

func esc(text string) string { return html.EscapeString(text) }

// documents and lines are alike on all portals but for their names.
func (p page) documents(o order) string {
	text := fmt.Sprintf("<section%s><h2>%s</h2>", p.class("documents"), p.word("Documents"))
	if len(o.documents) == 0 {
		return text + fmt.Sprintf("<p%s>%s</p></section>", p.class("none"), p.none)
	}
	text += "<ul>"
	for i, name := range o.documents {
		item := p.wrap(fmt.Sprintf(`<li><a%s href="/files/%s/%d">%s</a></li>`, p.class("document"), o.po, i, esc(name)))
		if p.goesOn && i == len(o.documents)-1 {
			item = fmt.Sprintf(`</ul><button onclick='this.outerHTML = %q'>Voir plus</button><ul>`, item)
		}
		text += item
	}
	return text + `</ul></section><p><a href="/terms.pdf">Terms of use.pdf</a> <a href="/help.pdf">Help.pdf</a></p>`
}

func (p page) lines(o order) string {
	text := fmt.Sprintf("<table%s%s><thead><tr><th>#</th><th>%s</th>", p.class("lines"), p.id("lines"), p.word("Item"))
	if p.change == columnIn {
		text += "<th>Plant</th>"
	}
	text += fmt.Sprintf("<th>%s</th><th>%s</th></tr></thead><tbody>", p.word("Quantity"), p.word("Amount"))
	for i, l := range o.lines {
		text += fmt.Sprintf("<tr><td>%d</td><td>%s</td>", i+1, l.item)
		if p.change == columnIn {
			text += "<td>P1</td>"
		}
		text += fmt.Sprintf("<td>%d</td><td>%s</td></tr>", l.quantity, p.amount(l.cents))
	}
	return text + "</tbody></table>"
}

// a make is one kind of portal: how it shows the labelled values.
type portalMake struct {
	name string
	page
	show func(p page, list []pair) string
	// whole makes the page of an order, where that is more than a document.
	serve func(p page, o order, all func(page, order) string, w http.ResponseWriter, r *http.Request) bool
	hash  bool
}

func swap(p page, tag, other string) string {
	if p.change == tags {
		return other
	}
	return tag
}

var makes = []portalMake{
	{name: "definition list", page: page{locale: english}, show: func(p page, list []pair) string {
		text := "<dl>"
		if p.change == tags {
			text = "<div>"
		}
		for _, one := range list {
			text += p.wrap(fmt.Sprintf("<%s>%s</%[1]s><%[3]s%s>%s</%[3]s>", swap(p, "dt", "b"), esc(one.label), swap(p, "dd", "span"), p.id(one.key), esc(one.value)))
		}
		return text + swap(p, "</dl>", "</div>")
	}},
	{name: "German table", page: page{locale: german}, show: func(p page, list []pair) string {
		text := "<table>"
		for _, one := range list {
			extra := ""
			if p.change == columnIn {
				extra = "<td><i>*</i></td>"
			}
			text += fmt.Sprintf("<tr><%s>%s</%[1]s><td%[3]s>%[4]s</td>%[5]s</tr>", swap(p, "td", "th"), esc(one.label), p.class("v-"+word(one.key)), esc(one.value), extra)
		}
		return text + "</table>"
	}},
	{name: "inputs", page: page{locale: english}, show: func(p page, list []pair) string {
		text := "<form>"
		for _, one := range list {
			text += p.wrap(fmt.Sprintf(`<label for="%s">%s</label><%s name="%s"%s readonly value="%s"></%[3]s>`, one.key, esc(one.label), "input", one.key, fmt.Sprintf(` id="%s"`, one.key), esc(one.value)))
		}
		return text + "</form>"
	}},
	{name: "generated classes", page: page{locale: english, hashed: true, noIDs: true}, show: func(p page, list []pair) string {
		text := "<div>"
		for _, one := range list {
			text += p.wrap(fmt.Sprintf(`<div%s><%s%s>%s</%[2]s><%[5]s%s data-field="%s">%s</%[5]s></div>`, p.class("pair"), swap(p, "span", "b"), p.class("label"), esc(one.label), swap(p, "span", "em"), p.class("value"), one.key, esc(one.value)))
		}
		return text + "</div>"
	}},
	{name: "French grid", page: page{locale: french}, show: func(p page, list []pair) string {
		text := "<div>"
		for _, one := range list {
			text += p.wrap(fmt.Sprintf(`<div><div%s>%s :</div><div%s>%s</div></div>`, p.class("label"), esc(one.label), p.class("f-"+word(one.key)), esc(one.value)))
		}
		return text + "</div>"
	}},
	{name: "one line each", page: page{locale: english, noIDs: true}, show: func(p page, list []pair) string {
		text := "<ul>"
		for _, one := range list {
			text += fmt.Sprintf("<%s%s>%s: %s</%[1]s>", swap(p, "li", "p"), p.class("line-"+word(one.key)), esc(one.label), esc(one.value))
		}
		return text + "</ul>"
	}},
	{name: "frames", page: page{locale: english}, show: func(p page, list []pair) string {
		text := "<table>"
		for _, one := range list {
			text += fmt.Sprintf("<tr><td>%s</td><td%s>%s</td></tr>", esc(one.label), p.id(one.key), esc(one.value))
		}
		return text + "</table>"
	}, serve: func(p page, o order, all func(page, order) string, w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/menu") {
			fmt.Fprint(w, `<!DOCTYPE html><title>Menu</title><p>Signed in as <b id="user">Buyer desk</b></p><a href="/" target="_top">Orders</a>`)
			return true
		}
		if strings.HasSuffix(r.URL.Path, "/main") {
			return false
		}
		fmt.Fprintf(w, `<!DOCTYPE html><title>Portal</title><frameset cols="20%%,80%%"><frame name="menu" src="/orders/%s/menu"><frame name="main" src="/orders/%[1]s/main"></frameset>`, o.po)
		return true
	}},
	{name: "shadow roots", page: page{locale: english, noIDs: true}, show: func(p page, list []pair) string {
		text := ""
		for _, one := range list {
			text += p.wrap(fmt.Sprintf(`<x-field><template shadowrootmode="open"><%s>%s</%[1]s><%[3]s part="value" data-role="%s">%s</%[3]s></template></x-field>`, swap(p, "label", "b"), esc(one.label), swap(p, "span", "em"), one.key, esc(one.value)))
		}
		return text
	}},
	{name: "single page", page: page{locale: english}, hash: true, show: func(p page, list []pair) string {
		text := ""
		for _, one := range list {
			text += p.wrap(fmt.Sprintf(`<p><label>%s <input%s readonly value="%s"></label></p>`, esc(one.label), p.class("i-"+word(one.key)), esc(one.value)))
		}
		return text
	}},
	{name: "values before labels", page: page{locale: german, noIDs: true}, show: func(p page, list []pair) string {
		text := "<table>"
		for _, one := range list {
			text += fmt.Sprintf("<tr><%s>%s</%[1]s><%[1]s>%[3]s</%[1]s></tr>", swap(p, "td", "th"), esc(one.value), esc(one.label))
		}
		return text + "</table>"
	}},
}
