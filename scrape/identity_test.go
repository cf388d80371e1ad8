package scrape_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
)

// TestIdentityIsExact: a text of a page shows an order's number where that stands alone, and nothing
// makes it that of something else.
func TestIdentityIsExact(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("number/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var orders []struct {
		PO       string          `json:"po"`
		Digits   string          `json:"digits"`
		Prefixes []string        `json:"prefixes"`
		Texts    json.RawMessage `json:"texts"`
	}
	if err := json.Unmarshal(content, &orders); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, scrape.AutoRecipe())
	for _, order := range orders {
		wrong := evaluate[[]string](t, b, `(() => { const number = %s(%s, %s); return %s.filter(({ text, page }) => number.shows(text) !== page).map(({ text }) => text) })()`,
			scrape.Number, inJSON(t, order), scrape.Lexicon, order.Texts)
		for _, text := range wrong {
			t.Errorf("%q shows %s, or not", text, order.PO)
		}
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
		"2024-00017": {
			[]string{"Order 2024-00018", "Purchase order no. 2024-00018", "PO #2024-00018"},
			[]string{"", "2024-00018", "Order 2024-00017", "Invoice 2024-00018", "Order 2024", "Order of 2024-05-06"},
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
	for po, held := range map[string]bool{"2024-00017": true, "PO-24-017": true, "12345678": false} {
		got := evaluate[bool](t, b, `%s(%s, %s).holds("Order 2024-00018")`, scrape.Number,
			inJSON(t, map[string]any{"po": po, "digits": strings.TrimPrefix(po, "PO-"), "prefixes": []string{"PO"}}), scrape.Lexicon)
		if got != held {
			t.Errorf("a number as long as %s stands in it: got %v", po, got)
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
