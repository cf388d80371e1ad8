package number_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/poscrape/poscrape/scrape/number"
)

// TestGoldenTable: addresses, file names and data show an order's number as the table says. Tests of package
// scrape say the same of pages.
func TestGoldenTable(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var orders []struct {
		PO, Digits string
		Texts      []struct {
			Text string
			Data bool
		}
	}
	if err := json.Unmarshal(content, &orders); err != nil {
		t.Fatal(err)
	}
	for _, order := range orders {
		n := number.Of(order.PO, order.Digits)
		for _, c := range order.Texts {
			if got := n.Names(c.Text); got != c.Data {
				t.Errorf("%q names %s: got %v", c.Text, order.PO, got)
			}
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	n := number.Of("PO1001", "1001")
	for text, want := range map[string]bool{
		"/API/ORDERS/1001": true, "/orders/PO%2D1001": true, "/orders/%EF%BC%91%EF%BC%90%EF%BC%90%EF%BC%91": true, "ID=1001&X": true, "11001 AND 1001": true,
		"1001.50 or 1001": true, "1001.5.pdf": false, "total=1001.50": false, "1001.500": true,
		"/ORDERS/11001": false, "/ORDERS/10011": false, "A1001": false, "1001Ä": false, "": false,
	} {
		if got := n.Names(text); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
	if number.Of("42", "42").Is("4 2") || !number.Of("42", "42").Is(" 42 ") || !n.Is("po1001") || !n.Is("1001") || n.Is("1001.00") {
		t.Error("what is nothing but the number")
	}
	if (number.Number{}).Names("anything") || (number.Number{}).Other("PO1001") != "" {
		t.Error("no number is shown somewhere")
	}
}

func TestOther(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ po, digits, text, other string }{
		{"PO1001", "1001", "PO1002", "PO1002"},
		{"PO1001", "1001", "po-1002.pdf", "PO-1002"},
		{"PO1001", "1001", "PO1001-PO1002.pdf", "PO1002"},
		{"PO1001", "1001", "see PO 1002", "PO 1002"},
		{"PO1001", "1001", "注文PO1002", "PO1002"},
		{"PO1001", "1001", "PO10022", "PO10022"},
		{"PO1001", "1001", "PO1001, PO 12, 1002, SO1002, PO Box 1002", ""},
		{"PO1001", "1001", "PO_12345", ""},
		{"A1001", "1001", "a 2024 model", ""},
		{"A1001", "1001", "A-2024", "A-2024"},
		{"PO-1001", "1001", "PO1002", "PO1002"},
		{"ЗП1001", "1001", "ЗП1002.pdf", "ЗП1002"},
		{"4500012345", "4500012345", "4500012346", ""},
	} {
		n := number.Of(c.po, c.digits)
		if got := n.Other(c.text); got != c.other {
			t.Errorf("%s in %q: got %q, want %q", c.po, c.text, got, c.other)
		}
		if twin := n.OtherTwin(c.text); (twin != "") != (c.other != "" && c.other != "PO10022") {
			t.Errorf("%s in %q: got %q of as many digits", c.po, c.text, twin)
		}
		if alone := n.Names(c.text) && c.other == ""; n.Alone(c.text) != alone {
			t.Errorf("%s in %q: it stands alone, or not", c.po, c.text)
		}
	}
}

func TestSameForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ number, text, other string }{
		{"INV-77/24", "inv-78/24 and more", "INV-78/24"},
		{"INV-77/24", "INV-77/24 INV-79/24", "INV-79/24"},
		{"INV-77/24", "INV-77/24, INV-7/24, XINV-78/24", ""},
		{"7724", "7725", ""},
	} {
		if got := number.SameForm(c.text, c.number); got != c.other {
			t.Errorf("%s in %q: got %q, want %q", c.number, c.text, got, c.other)
		}
	}
}

func TestTwinAndLike(t *testing.T) {
	t.Parallel()
	n := number.Of("PO1001", "1001")
	for text, want := range map[string][3]bool{ // a twin, alike with the prefix, and without
		"PO1002": {true, true, false}, "1002": {true, false, true}, "PO-1002": {false, true, false}, "PO10017": {false, true, false},
		"10017": {false, false, true}, "PO1001": {}, "1001": {}, "SO1002": {}, "12": {}, "PO12": {}, "": {},
	} {
		prefixed, bare := n.Like(text)
		if got := [3]bool{n.Twin(text), prefixed, bare}; got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
