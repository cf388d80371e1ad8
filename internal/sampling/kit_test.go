package sampling

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// order is what a made-up portal knows of an order.
type order struct {
	po, supplier, buyer, currency, status, terms, reference string
	cents, net                                              int64
	issued                                                  time.Time
	lines                                                   []line
	documents                                               []string
}

type line struct {
	item     string
	quantity int
	cents    int64
}

var (
	firsts = strings.Fields("Cedar Halvorsen Greystone Brightwell Tiedemann Okafor Lindqvist Moreau Castellano Novak Whitmore Sato Pereira Falk Dunmore")
	lasts  = strings.Fields("Laboratories Marine Facilities Interiors Werkzeuge Logistics Instruments Chimie Packaging Steel Optics Textiles Foods")
	forms  = []string{"Ltd.", "GmbH", "S.A.", "Inc.", "AB", "& Sons"}
	people = []string{"Tomás Herrera", "Anna Lind", "Priya Nair", "Jean Moreau", "Grace Obi", "Karl Weiss", "Mei Tan", "Olga Petrova", "Sam Reed", "Ida Holm", "Luca Neri", "Zoë Hart"}
)

// made returns n orders with random content. Equal seeds make equal orders.
func made(seed uint64, n int) []order {
	r := rand.New(rand.NewPCG(seed, 7))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	first := 450_000_000 + r.IntN(1_000_000)
	var all []order
	for i := range n {
		o := order{po: fmt.Sprintf("PO%d", first+8*i), supplier: pick(firsts) + " " + pick(lasts) + " " + pick(forms), buyer: pick(people),
			currency: pick([]string{"EUR", "USD", "CHF"}), status: pick([]string{"Open", "Confirmed", "Closed"}), reference: fmt.Sprintf("RF-%05d", r.IntN(90000)+10000),
			terms: fmt.Sprintf("%d days net", 7*(1+r.IntN(9))), issued: time.Date(2025, 1, 1+r.IntN(420), 0, 0, 0, 0, time.UTC)}
		for k := range 1 + r.IntN(5) {
			one := line{fmt.Sprintf("ITM-%d%03d", k, r.IntN(1000)), 1 + r.IntN(40), int64(r.IntN(900_000) + 100)}
			o.net += one.cents
			o.lines = append(o.lines, one)
		}
		o.cents = o.net
		if r.IntN(10) < 7 {
			o.cents = o.net * 119 / 100
		}
		for k := range r.IntN(4) {
			o.documents = append(o.documents, fmt.Sprintf("%s %d.pdf", []string{"Purchase order", "Drawing", "Quality report"}[k], r.IntN(900)+100))
		}
		all = append(all, o)
	}
	return all
}

// locale is how a portal writes, and what it calls things.
type locale struct {
	decimal, group, date string
	words                map[string]string
	none, missing, title string
}

var (
	english = locale{".", ",", "01/02/2006", map[string]string{}, "There are no documents.", "There is no such order.", "Purchase order"}
	german  = locale{",", ".", "02.01.2006", map[string]string{"Supplier": "Lieferant", "Buyer": "Einkäufer", "Order total": "Gesamtbetrag", "Net": "Nettobetrag", "Currency": "Währung",
		"Issued": "Bestelldatum", "Status": "Zustand", "Payment terms": "Zahlungsziel", "Reference": "Ihr Zeichen", "Item": "Artikel", "Quantity": "Menge", "Amount": "Betrag",
		"Documents": "Dokumente", "Order number": "Bestellnummer"}, "Keine Dokumente vorhanden.", "Diese Bestellung wurde nicht gefunden.", "Bestellung"}
	french = locale{",", "\u202f", "02/01/2006", map[string]string{"Supplier": "Fournisseur", "Buyer": "Acheteur", "Order total": "Montant total", "Net": "Montant HT", "Currency": "Devise",
		"Issued": "Date de commande", "Status": "Statut", "Payment terms": "Conditions", "Reference": "Référence", "Item": "Article", "Quantity": "Quantité", "Amount": "Montant",
		"Documents": "Documents", "Order number": "Numéro de commande"}, "Aucun document.", "Commande introuvable.", "Commande"}
)

func (l locale) word(text string) string {
	if w := l.words[text]; w != "" {
		return w
	}
	return text
}

func (l locale) amount(cents int64) string {
	whole, text := fmt.Sprint(cents/100), ""
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			text += l.group
		}
		text += string(digit)
	}
	return fmt.Sprintf("%s%s%02d", text, l.decimal, cents%100)
}

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
		text += p.wrap(fmt.Sprintf(`<li><a%s href="/files/%s/%d">%s</a></li>`, p.class("document"), o.po, i, esc(name)))
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

// word makes a name without digits of a key.
func word(key string) string { return key }

// kitPortal is one portal at work.
type kitPortal struct {
	portalMake
	url    string
	orders []order
	// teach is how many of the orders the sheet has.
	teach int
	now   change
}

func (k *kitPortal) body(p page, o order) string {
	return p.wrap(fmt.Sprintf("<h1>%s <span%s>%s</span></h1>", p.title, p.class("number"), o.po)) + k.show(p, p.pairs(o)) + k.lines(p, o) + p.documents(o)
}

func (k *kitPortal) lines(p page, o order) string { return p.lines(o) }

func (k *kitPortal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := k.page
	p.change = k.now
	if turn, err := r.Cookie("turn"); err == nil { // a sign-in that each answer renews
		http.SetCookie(w, &http.Cookie{Name: "turn", Value: turn.Value + "i", Path: "/"})
	}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch {
	case r.URL.Path == "/app":
		fmt.Fprint(w, application)
	case parts[0] == "files" || strings.HasSuffix(r.URL.Path, ".pdf"):
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4\n%s\n1 0 obj<<>>endobj\ntrailer<<>>\n%%%%EOF\n", r.URL.Path)
	case parts[0] == "orders" || parts[0] == "api":
		for _, o := range k.orders {
			if len(parts) < 2 || o.po != parts[1] {
				continue
			}
			if parts[0] == "api" {
				w.Header().Set("Content-Type", "application/json")
				_ = json.NewEncoder(w).Encode(map[string]any{"html": k.body(p, o)})
				return
			}
			if k.serve != nil && k.serve(p, o, k.body, w, r) {
				return
			}
			fmt.Fprintf(w, `<!DOCTYPE html><html><head><title>%s</title></head><body><header><a href="/">Home</a></header><main>%s</main><footer>Help</footer></body></html>`, p.title, k.body(p, o))
			return
		}
		if parts[0] == "api" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprintf(w, `<!DOCTYPE html><html><head><title>%s</title></head><body><main><h1>%s</h1><p class="missing">%[2]s</p></main></body></html>`, p.title, p.missing)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// application keeps the orders that it has shown, hidden.
const application = `<!DOCTYPE html><html><head><title>Orders</title></head><body><main id="app"></main><script>
const show = async () => {
  const po = location.hash.split("/")[2];
  for (const el of document.querySelectorAll("section.order")) el.hidden = true;
  const answer = await fetch("/api/" + po);
  const section = document.createElement("section");
  section.className = "order";
  section.innerHTML = answer.ok ? (await answer.json()).html : "<h1>There is no such order.</h1>";
  document.getElementById("app").append(section);
};
addEventListener("hashchange", show);
show();
</script></body></html>`

// startKit starts a portal with orders of its own, of which half stand in the sheet.
func startKit(t testing.TB, m portalMake, seed uint64) *kitPortal {
	t.Helper()
	k := &kitPortal{portalMake: m, orders: made(seed, 60), teach: 30}
	server := httptest.NewServer(k)
	t.Cleanup(server.Close)
	k.url = server.URL
	return k
}

func (k *kitPortal) address(o order) string {
	if k.hash {
		return k.url + "/app#/orders/" + o.po
	}
	return k.url + "/orders/" + o.po
}

// truth is what a column of the sheet should come home as, for each order: amounts and dates in
// canonical form.
var truth = map[string]func(order) string{
	"Vendor":        func(o order) string { return o.supplier },
	"Buyer":         func(o order) string { return o.buyer },
	"Order total":   func(o order) string { return fmt.Sprintf("%d.%02d", o.cents/100, o.cents%100) },
	"Currency":      func(o order) string { return o.currency },
	"Ordered on":    func(o order) string { return o.issued.Format(time.DateOnly) },
	"Our reference": func(o order) string { return o.reference },
	"Terms":         func(o order) string { return o.terms },
	"State":         func(o order) string { return o.status },
}

var columnsOfKit = []string{"Vendor", "Buyer", "Order total", "Currency", "Ordered on", "Our reference", "Terms", "State"}

// sheet writes the sheet of the orders that teach; wrong is the share of cells that are wrong or empty.
func (k *kitPortal) sheet(t testing.TB, wrong float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pos.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := rand.New(rand.NewPCG(5, 11))
	w := csv.NewWriter(f)
	_ = w.Write(append([]string{"PO", "URL", "Cost centre"}, columnsOfKit...))
	teach := k.orders[:k.teach]
	for _, o := range teach {
		cells := []string{o.po, k.address(o), fmt.Sprintf("KST-%d", r.IntN(9000))}
		for _, name := range columnsOfKit {
			value := truth[name](o)
			if r.Float64() < wrong {
				switch r.IntN(3) {
				case 0:
					value = ""
				case 1:
					value = truth[name](teach[r.IntN(len(teach))])
				default:
					value = "n/a"
				}
			}
			cells = append(cells, value)
		}
		_ = w.Write(cells)
	}
	w.Flush()
	return path
}
