package orders

import (
	"bytes"
	"strings"
	"testing"
)

// Ten thousand rows, a tenth of them again without their prefix.
func BenchmarkRead10000(b *testing.B) {
	text := manyRows(10_000, orderLink)
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
	text := oneNumber(5_000)
	for b.Loop() {
		sheet, err := Read("pos.csv", strings.NewReader(text), Options{URL: "https://portal.example/t/{po}"})
		if err != nil || len(sheet.Specs()) != 5_001 {
			b.Fatalf("%v, %d orders", err, len(sheet.Orders))
		}
	}
}

func BenchmarkRead10000ByTemplate(b *testing.B) {
	text := manyRows(10_000, func(int) string { return "" })
	for b.Loop() {
		sheet, err := Read("pos.csv", strings.NewReader(text), Options{URL: "https://portal.example/{column:Supplier}/{digits}"})
		if err != nil || len(sheet.Specs()) != 9_000 {
			b.Fatalf("%v, %d orders", err, len(sheet.Orders))
		}
	}
}

// Ten thousand rows in which everything is mixed that people do, as a text and as a workbook.
func BenchmarkReadMessy10000(b *testing.B) {
	rows, bad := messyRows(10_000)
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
