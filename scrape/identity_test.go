package scrape_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
)

// identities are what shows an order's number, and what does not.
var identities = []struct {
	po, digits string
	prefixes   []string
	is, isNot  []string
}{
	{"PO1001", "1001", []string{"PO"},
		[]string{
			"PO1001", "po1001", "PO 1001", "PO-1001", "PO#1001", "PO:1001", "PO: 1001", "1001", "#1001", "(PO1001)", "ＰＯ１００１", "PO\u00a01001",
			"Order 1001", "Order #1001", "Order PO1001.", "Order PO1001, issued in May", "Order-PO1001", "PURCHASE ORDER 1001", "PurchaseOrder1001", "Purchase order PO1001",
			"No.1001", "No. 1001", "№1001", "N° 1001", "Commande n°1001", "Nr 1001", "Bestell-Nr.1001", "Bestell-Nr. 1001", "Bestellnummer: PO1001", "Zamówienie nr 1001", "Número de pedido: 1001", "Ordine n. 1001", "Inkooporder 1001", "Encomenda nº 1001",
			"PO No. 1001", "PO number 1001", "P.O. 1001", "P.O. No. 1001", "P.O.1001", "PO1001 - Widgets", "PO1001 — Widgets", "PO1001: Widgets", "PO1001\nACME", "1001 / 2026",
			"ACME PO1001", "Customer PO 1001", "Sales order PO1001", "PO1001 (replaces PO1000)", "Previous: PO1000. PO1001",
			"ACME (1001)", "ACME, 1001", "Order (1001)", "Order | 1001", "Your order is 1001", "Invoice for order 1001", "Order of ACME, 1001", "Order 1001, page 1", "Order detail page - 1001", "ACME, Tel. 030 12345, Order 1001", "Order 1001 Orders", "1001 Berlin", "Orders > 1001", "Supplier: Miller | 1001",
		},
		[]string{
			"", "PO1001A", "PO1001-2", "PO1001/2", "PO1001_A", "PO1001.pdf", "1001.pdf", "PO10012", "PO11001", "21001", "A1001", "1001A", "1001-2", "1001/2", "1.1001", "2024-1001", "v1.1001", "PO-1001-B", "PO100 1",
			"SO1001", "XPO1001", "INV-1001", "INV-PO1001", "SO 1001", "SO #1001", "SO: 1001", "SO#1001", "so 1001", "SO No. 1001", "SO-Nr.1001", "RFQ 1001", "RFQ number 1001", "Inv. 1001",
			"Invoice 1001", "Rechnung 1001", "Rechnungsnummer1001", "Facture 1001", "Sales order 1001", "Work order 1001", "PM1001", "PM 1001",
			"1001.00", "1,001", "1001,00", "€ 1001", "$1001", "1001 €", "EUR 1001", "100 1", "PO1002",
			"RFQ (1001)", "Invoice (1001)", "Invoice | 1001", "Quote, 1001", "Your RFQ is 1001", "Invoice for 1001", "Invoice — 1001", "Invoices (1001)", "Sales order (1001)", "Rechnung für 1001", "Facture (n° 1001)", "Contract · 1001", "Quote [1001]", "Delivery of the 1001",
			"Phone 1001", "Tel.: 1001", "Fax (1001)", "PO Box 1001", "Postfach 1001", "Zip code 1001", "Kd.-Nr. 1001", "Account no. 1001", "Page 1001 of 2000", "Orders, page 1001", "Orders page 1001", "Page 1 of 1001", "Seite 3 von 1001", "1001 orders", "1001 Bestellungen",
		}},
	{"1001", "1001", []string{"PO"}, []string{"1001", "PO1001", "PO 1001", "PO No. 1001", "Order 1001"}, []string{"SO1001", "SO 1001", "PM1001", "RFQ-1001", "10011"}},
	{"SO1001", "SO1001", []string{"PO"}, []string{"SO1001", "SO 1001", "so-1001", "Order SO1001"}, []string{"1001", "PO1001", "Order 1001", "SO10010"}},
	{"PM1001", "1001", []string{"PO", "PM"}, []string{"PM1001", "PM 1001", "1001"}, []string{"PO1001", "PO 1001", "PO-1001"}},
	{"PO-1001", "1001", []string{"PO"}, []string{"PO1001", "PO-1001", "1001"}, []string{"PO1001-2", "PO-10011"}},
	{"4500-A12", "4500-A12", []string{"PO"}, []string{"4500-A12", "4500-a12", "PO4500-A12", "Order 4500-A12"}, []string{"4500-A123", "14500-A12", "4500-A12-1", "SO4500-A12"}},
}

// TestIdentityIsExact: a text shows an order's number where that stands alone, and nothing
// makes it that of something else.
func TestIdentityIsExact(t *testing.T) {
	t.Parallel()
	b := newBench(t, scrape.AutoRecipe())
	pairs := 0
	for _, c := range identities {
		texts := append(append([]string{}, c.is...), c.isNot...)
		pairs += len(texts)
		got := evaluate[[]bool](t, b, `(() => { const number = %s(%s, %s); return %s.map((text) => number.shows(text)) })()`,
			scrape.Number, inJSON(t, map[string]any{"po": c.po, "digits": c.digits, "prefixes": c.prefixes}), scrape.Lexicon, inJSON(t, texts))
		for i, text := range texts {
			if want := i < len(c.is); got[i] != want {
				t.Errorf("%q shows %s: got %v, want %v", text, c.po, got[i], want)
			}
		}
	}
	if pairs < 60 {
		t.Errorf("only %d pairs", pairs)
	}
}

// TestTheNumberOfAnotherOrder: a text shows another order's number, by the same rules.
func TestTheNumberOfAnotherOrder(t *testing.T) {
	t.Parallel()
	b := newBench(t, scrape.AutoRecipe())
	for po, c := range map[string]struct{ is, isNot []string }{
		"PO1001": {
			[]string{"PO1002", "PO-1002", "po 1002", "PO\u00a01003", "for order 1002", "Order no. 1002", "Purchase order\t1002", "Your reference #1002", "PO1001-2", "PO10022", "PO1001/2 of May"},
			[]string{"", "PO1001", "order 1001", "Invoice 1002", "Invoice for 1002", "Invoice #1002", "Total 1002.00", "1002 pieces", "Order date 2026-01-05", "Orders 2026", "SO 1002", "Order total 1250", "Order 1002.50 EUR", "PO Box 12"},
		},
		"4500012345": {
			[]string{"4500099999", "Delivered on your order 4500099999", "PO 4500099999", "order 7100099999"},
			[]string{"5105600001", "Invoice 4500099999", "4006381333931", "Tel. 4500 099999", "45000123"},
		},
		"2026-01-05": {nil, []string{"2026-01-06", "Order of 2026-01-06"}},
	} {
		texts := append(append([]string{}, c.is...), c.isNot...)
		digits := strings.TrimPrefix(po, "PO")
		got := evaluate[[]string](t, b, `(() => { const number = %s(%s, %s); return %s.map((text) => number.other(text)) })()`,
			scrape.Number, inJSON(t, map[string]any{"po": po, "digits": digits, "prefixes": []string{"PO"}}), scrape.Lexicon, inJSON(t, texts))
		for i, text := range texts {
			if want := i < len(c.is); (got[i] != "") != want {
				t.Errorf("%q shows another number than %s: got %q, want %v", text, po, got[i], want)
			}
		}
	}
	for _, c := range []struct{ po, text, says string }{ // together with another one, as what that replaces, or alone
		{"1001", "Orders 1001 and 1002", "together"},
		{"1002", "Orders 1001 and 1002", "together"},
		{"1001", "Orders 1000, 1001 und 1002 von ACME", "together"},
		{"1001", "Order 1001 and order no. 1002", "together"},
		{"1001", "Merged: 1002 + 1001", "together"},
		{"PO1001", "Orders PO1001, PO1002", "together"},
		{"2026-1001", "2026-1001 & 2026-1002", "together"},
		{"1001", "Order 1001, 1002 Linz", ""},
		{"1001", "Order 1001 and 1002 pieces", ""},
		{"1001", "Order 1001 and 2026", ""},
		{"1001", "Order 1001 and SO 1002", ""},
		{"1001", "Order 1001, contract 1002", ""},
		{"1001", "Order 1002 (replaces 1001)", "replaced"},
		{"PO1001", "Order 1002, previously 1001", "replaced"},
		{"1001", "Bestellung 1002 (vormals 1001)", "replaced"},
		{"1002", "Order 1002 (replaces 1001)", ""},
		{"1001", "Order 1001 (was a draft)", ""},
	} {
		got := evaluate[string](t, b, `(() => { const number = %s(%s, %s), text = %s; return number.together(text) ? "together" : number.refers(text) && number.other(text) ? "replaced" : "" })()`,
			scrape.Number, inJSON(t, map[string]any{"po": c.po, "digits": strings.TrimPrefix(c.po, "PO"), "prefixes": []string{"PO"}}), scrape.Lexicon, inJSON(t, c.text))
		if got != c.says {
			t.Errorf("%q names %s %q, want %q", c.text, c.po, got, c.says)
		}
	}
}

// TestWhatTextsSay: a loading phrase is one only as a whole, and a label announces the
// order's number or not.
func TestWhatTextsSay(t *testing.T) {
	t.Parallel()
	b := newBench(t, scrape.AutoRecipe())
	for what, c := range map[string]struct{ is, isNot []string }{
		"loading": {
			[]string{"Loading…", "Loading...", "Loading", "LOADING", "Loading 7 more documents", "Loading documents", "Loading your documents", "Loading order details…", "Please wait", "Please wait while the page is loading",
				"Wird geladen …", "Bitte warten…", "Lade Daten…", "Dokumente werden geladen", "7 weitere Dokumente werden geladen…", "Chargement en cours", "Chargement des documents…", "Veuillez patienter s’il vous plaît",
				"Cargando documentos...", "Espere, por favor", "Caricamento in corso", "A carregar…", "Carregando", "Bezig met laden...", "Even geduld a.u.b.", "Trwa ładowanie", "Ładowanie dokumentów"},
			[]string{"", "Loading dock 3", "Port of loading", "Herunterladen", "Loading list", "Loading details", "Loading order", "Ladeliste", "Ladehafen Hamburg", "Download", "Uploading guidelines", "Waiting for approval",
				"Loading and unloading", "Loading bay", "Load 7 more documents", "Please wait for approval of the invoice", "Downloading is free", "Moment of truth", "Waiting list"},
		},
		"orderLabel": {
			[]string{"PO number", "Order", "Order number", "Purchase order", "P.O.", "PO #", "Order no.", "Order ID", "Your order", "order_number", "Bestellnummer", "Bestell-Nr.", "Auftragsnummer", "Numéro de commande", "N° de commande", "Número de pedido", "Nº pedido", "Orden de compra", "Numero ordine", "Numer zamówienia", "Inkoopordernummer", "Ordernummer"},
			[]string{"", "Order date", "Order total", "Order status", "Related order", "Previous order", "Last order", "Orders", "Number", "Status", "Supplier", "Invoice number"},
		},
	} {
		texts := append(append([]string{}, c.is...), c.isNot...)
		got := evaluate[[]bool](t, b, `%s.map((text) => %s.%s(text))`, inJSON(t, texts), scrape.Lexicon, what)
		for i, text := range texts {
			if want := i < len(c.is); got[i] != want {
				t.Errorf("%s(%q): got %v, want %v", what, text, got[i], want)
			}
		}
	}
}

// evaluate runs a script in the browser.
func evaluate[T any](t *testing.T, b *bench, format string, args ...any) T {
	t.Helper()
	var result T
	script := strings.TrimSpace(fmt.Sprintf(format, args...))
	if err := b.browser.Tab().Evaluate(t.Context(), script, &result); err != nil {
		t.Fatal(err)
	}
	return result
}

func inJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
