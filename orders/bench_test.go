package orders

import (
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
