package orders

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Ten thousand rows, a tenth of them again without their prefix.
func BenchmarkRead10000(b *testing.B) {
	text := tenThousandRows(func(n int) string { return fmt.Sprintf("https://portal.example/order_headers/%d", 15_000_000+n) })
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		sheet, err := Read("pos.csv", strings.NewReader(text), Options{})
		if err != nil || len(sheet.Specs()) != 9_000 {
			b.Fatalf("%v, %d orders", err, len(sheet.Orders))
		}
	}
}

// The same number in every row, each time with another URL, and no URL.
func BenchmarkReadOneNumber(b *testing.B) {
	var text strings.Builder
	text.WriteString("po,url\n")
	for n := range 5_000 {
		fmt.Fprintf(&text, "PO1,https://portal.example/%d\n1,\n", n)
	}
	for b.Loop() {
		sheet, err := Read("pos.csv", strings.NewReader(text.String()), Options{URL: "https://portal.example/t/{po}"})
		if err != nil || len(sheet.Specs()) != 5_001 {
			b.Fatalf("%v, %d orders", err, len(sheet.Orders))
		}
	}
}

func BenchmarkRead10000ByTemplate(b *testing.B) {
	text := tenThousandRows(func(int) string { return "" })
	for b.Loop() {
		sheet, err := Read("pos.csv", strings.NewReader(text), Options{URL: "https://portal.example/{column:Supplier}/{digits}"})
		if err != nil || len(sheet.Specs()) != 9_000 {
			b.Fatalf("%v, %d orders", err, len(sheet.Orders))
		}
	}
}

// Ten thousand rows in which everything is mixed that people do, as a text and as a workbook.
func BenchmarkReadMessy10000(b *testing.B) {
	rows, bad := messyRows()
	for name, data := range map[string][]byte{"pos.csv": rows.text(b), "pos.xlsx": rows.book(b)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				sheet, err := Read(name, bytes.NewReader(data), Options{})
				if err != nil || len(sheet.Unusable) != bad || len(sheet.Problems) < bad || len(sheet.Skipped) < 100 {
					b.Fatalf("%v; %d of %d bad rows", err, len(sheet.Unusable), bad)
				}
			}
		})
	}
}

// messyRows returns the rows and how many of them cannot be used.
func messyRows() (rows grid, bad int) {
	var text strings.Builder
	text.WriteString("Open orders | of March\n\nPO Number | Supplier | Amount | Currency | Priority | URL | Comment\n")
	sum := 0.0
	for n := range 10_000 {
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

func tenThousandRows(link func(n int) string) string {
	var text strings.Builder
	text.WriteString("PO Number,Supplier,Amount,Currency,Priority,URL,Comment\n")
	for n := range 10_000 {
		number := fmt.Sprintf("PO%d", 15_000_000+n)
		if n%10 == 9 {
			n--
			number = fmt.Sprint(15_000_000 + n)
		}
		fmt.Fprintf(&text, "%s,Müller & Söhne,\"1,250.00\",EUR,1,%s,\"two\nlines\"\n", number, link(n))
	}
	return text.String()
}
