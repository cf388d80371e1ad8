package sampling

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
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
	// goesOn is the number of the order whose last document is shown by a click only, or empty.
	goesOn atomic.Value
	// asked is the language that the latest request asked for, or empty.
	asked atomic.Value
}

func (k *kitPortal) body(p page, o order) string {
	p.goesOn = k.goesOn.Load() == o.po
	return p.wrap(fmt.Sprintf("<h1>%s <span%s>%s</span></h1>", p.title, p.class("number"), o.po)) + k.show(p, p.pairs(o)) + k.lines(p, o) + p.documents(o)
}

func (k *kitPortal) lines(p page, o order) string { return p.lines(o) }

func (k *kitPortal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := k.page
	p.change = k.now
	language, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	k.asked.Store(language)
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
		fmt.Fprintf(w, "%%PDF-1.4\n%s\n1 0 obj<<>>endobj\ntrailer<<>>\nstartxref\n9\n%%%%EOF\n", r.URL.Path)
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
