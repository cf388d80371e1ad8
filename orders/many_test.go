package orders

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// messyRows returns n rows in which everything is mixed that people do, and how many of them
// cannot be used.
func messyRows(n int) (rows grid, bad int) {
	var text strings.Builder
	text.WriteString("Open orders | of March\n\nPO Number | Supplier | Amount | Currency | Priority | URL | Comment\n")
	sum := 0.0
	for n := range n {
		number, amount := fmt.Sprintf("PO%d", 15_000_000+n), fmt.Sprintf("%d.50", n)
		link := fmt.Sprintf("https://portal.example/order_headers/%d", 15_000_000+n)
		switch n % 40 {
		case 1:
			number = fmt.Sprintf(" po %d", 15_000_000+n)
		case 2:
			number = fmt.Sprintf("'%d.0", 15_000_000+n)
		case 3:
			number = fmt.Sprintf("\u200bＰＯ%d\u00a0", 15_000_000+n)
		case 4: // again, without its prefix
			number, link = fmt.Sprint(15_000_000+n-4), ""
		case 5:
			number, bad = "1.5E+07", bad+1
		case 6:
			number, bad = "", bad+1
		case 7:
			link, bad = "portal.example/1", bad+1
		case 8:
			number, bad = "#N/A", bad+1
		case 9:
			number, bad = "PO1 PO2", bad+1
		case 10:
			link, bad = "https://portal.example/same", bad+1
		case 11:
			text.WriteString("\nPO NUMBER | supplier | Amount | Currency | Priority | Url | Comment\n")
		case 12:
			amount, number = "n/a", fmt.Sprintf("po-%d", 15_000_000+n)
		case 39:
			fmt.Fprintf(&text, "Total | | %.2f | EUR | | |\n", sum)
		}
		sum += float64(n) + .5
		fmt.Fprintf(&text, "%s | Müller  Söhne | %s | EUR | %d | %s | a comment, with a comma\n", number, amount, n%3, link)
	}
	text.WriteString("\nPrinted on 1 March\n")
	return grid(text.String()), bad
}

// manyRows returns n rows, a tenth of which name an order again, without its prefix.
func manyRows(n int, link func(n int) string) string {
	var text strings.Builder
	text.WriteString("PO Number,Supplier,Amount,Currency,Priority,URL,Comment\n")
	for n := range n {
		number := fmt.Sprintf("PO%d", 15_000_000+n)
		if n%10 == 9 {
			n--
			number = fmt.Sprint(15_000_000 + n)
		}
		fmt.Fprintf(&text, "%s,Müller & Söhne,\"1,250.00\",EUR,1,%s,\"two\nlines\"\n", number, link(n))
	}
	return text.String()
}

// oneNumber is the same number in every second row, each time with another URL, and without one
// and its prefix in the others.
func oneNumber(urls int) string {
	var text strings.Builder
	text.WriteString("po,url\n")
	for n := range urls {
		fmt.Fprintf(&text, "PO1,https://portal.example/%d\n1,\n", n)
	}
	return text.String()
}

// TestManyRows reads small sheets of the kinds that the benchmarks read, and counts what comes of them.
func TestManyRows(t *testing.T) {
	t.Parallel()
	const template = "https://portal.example/{column:Supplier}/{digits}"
	for name, c := range map[string]struct {
		text  string
		opt   Options
		specs int
	}{
		"orders again, without their prefix": {manyRows(500, orderLink), Options{}, 450},
		"URLs by a template":                 {manyRows(500, func(int) string { return "" }), Options{URL: template}, 450},
		"one number with many URLs":          {oneNumber(50), Options{URL: "https://portal.example/t/{po}"}, 51},
	} {
		sheet, err := Read("pos.csv", strings.NewReader(c.text), c.opt)
		if err != nil || len(sheet.Specs()) != c.specs {
			t.Errorf("%s: %v, %d orders, want %d", name, err, len(sheet.Specs()), c.specs)
		}
	}
	rows, bad := messyRows(1_000)
	for name, data := range map[string][]byte{"pos.csv": rows.text(t), "pos.xlsx": rows.book(t)} {
		sheet, err := Read(name, bytes.NewReader(data), Options{})
		if err != nil || len(sheet.Unusable) != bad || len(sheet.Problems) < bad || len(sheet.Skipped) < 25 {
			t.Errorf("%s: %v; %d of %d bad rows, %d problems, %d rows passed by", name, err, len(sheet.Unusable), bad, len(sheet.Problems), len(sheet.Skipped))
		}
	}
}

func orderLink(n int) string {
	return fmt.Sprintf("https://portal.example/order_headers/%d", 15_000_000+n)
}
