package orders

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// grid is a sheet as it is drawn: a line for each row, | between its cells.
type grid string

func (g grid) rows() (rows [][]string) {
	for line := range strings.SplitSeq(strings.Trim(string(g), "\n"), "\n") {
		var cells []string
		for cell := range strings.SplitSeq(line, "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		rows = append(rows, cells)
	}
	return rows
}

// text returns the sheet as a CSV file, and book as a workbook.
func (g grid) text(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := w.WriteAll(g.rows()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (g grid) book(t testing.TB) []byte {
	t.Helper()
	var rows strings.Builder
	for i, row := range g.rows() {
		fmt.Fprintf(&rows, `<row r="%d">`, i+1)
		for _, cell := range row {
			fmt.Fprintf(&rows, `<c t="inlineStr"><is><t>%s</t></is></c>`, cell)
		}
		rows.WriteString("</row>")
	}
	return smallBook(t, rows.String())
}

func bookBytes(t testing.TB, f *excelize.File) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// smallBook returns a workbook with these rows.
func smallBook(t testing.TB, rows string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	var problems []error
	for name, text := range map[string]string{
		"_rels/.rels":                `<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook xmlns:r="r"><sheets><sheet name="Sheet1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
	} {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		problems = append(problems, err)
	}
	if err := errors.Join(append(problems, z.Close())...); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRowsThatAreNoOrders(t *testing.T) {
	t.Parallel()
	options := Options{URL: "https://h.example/{po}"}
	for name, c := range map[string]struct {
		sheet grid
		// header is its line, orders their numbers, skipped and unusable lines.
		header            int
		orders            string
		skipped, unusable map[int]string
	}{
		"title rows above the header": {sheet: `
			Orders of March |      |
			Printed by      | Anna |
			                |      |
			PO | Supplier | Amount
			PO1 | Acme | 1.00`, header: 4, orders: "PO1"},
		"a title that names an order": {sheet: `
			Orders
			PO
			PO1
			PO2`, header: 2, orders: "PO1 PO2"},
		"a total by word": {sheet: `
			PO | Supplier | Amount
			PO1 | Acme | 10.00
			PO2 | Acme | 20.00
			Total | | 31.00
			Summe EUR: | | `, header: 1, orders: "PO1 PO2", skipped: map[int]string{4: "total", 5: "total"}},
		"totals by other words": {sheet: `
			Nr | Bestellung | Betrag
			1 | PO1 | 10,00
			2 | PO2 | 20,50
			Zwischensumme | | 30,50
			3 | PO3 | 1,00
			Gesamtsumme | | 31,50
			Total: 3 orders | | 31,50`, header: 1, orders: "PO1 PO2 PO3", skipped: map[int]string{4: "total", 6: "total"}, unusable: map[int]string{7: "no order number"}},
		"a total without a word": {sheet: `
			PO | Supplier | Amount
			PO1 | Acme | 1,010.00
			PO2 | Acme | 20.00
			 | | 1,030.00
			PO3 | Acme | 5.00
			 | | 1,035.00`, header: 1, orders: "PO1 PO2 PO3", skipped: map[int]string{4: "total", 6: "total"}},
		"a total with a text": {sheet: `
			PO | Supplier | Note
			PO1 | Acme | x
			Total | | 1 order
			Total | 3M | 1 order
			Sum | | of all
			PO2 | Acme |`, header: 1, orders: "PO1 PO2", skipped: map[int]string{3: "total"}, unusable: map[int]string{4: "no digit", 5: "no digit"}},
		"a total with a count": {sheet: `
			PO | Supplier | Amount
			PO1 | Acme | 10.00
			PO2 | Acme | 20.00
			Total (2 orders) | | 30.00`, header: 1, orders: "PO1 PO2", skipped: map[int]string{4: "total"}},
		"a number that is missing is no total": {sheet: `
			PO | Supplier | Amount
			PO1 | Acme | 10.00
			 | | 10.00
			 | Acme | 20.00
			 | Total | 7.00
			Total | Acme | 7.00
			Totalenergies | |
			PO2 | Total | 3.00`, header: 1, orders: "PO1 PO2", unusable: map[int]string{3: "no order number", 4: "no order number", 5: "no order number", 6: "no digit", 7: "no digit"}},
		"a total in the supplier's column": {sheet: `
			PO | Supplier | Amount
			PO1 | Acme | 10.00
			PO2 | Total | 20.00
			 | Total | 30.00`, header: 1, orders: "PO1 PO2", skipped: map[int]string{4: "total"}},
		"numbers that begin like a total": {sheet: `
			PO | Amount
			SUM-1 | 5.00
			TOTAL 2024 | 5.00
			Total: 7 | 3.00`, header: 1, orders: "SUM-1 TOTAL2024 TOTAL:7"},
		"repeated headers": {sheet: `
			PO Number | Supplier | Amount
			PO1 | Acme | 1.00
			po_number | SUPPLIER | amount
			PO2 | Acme | 2.00
			PO Number | |
			Order | |
			PO3 | |`, header: 1, orders: "PO1 PO2 PO3", skipped: map[int]string{3: "repeats the header of line 1", 5: "repeats", 6: "repeats"}},
		"files that were joined": {sheet: `
			PO | Supplier
			PO1 | Acme
			sep= |
			PO | Supplier
			PO2 | Acme`, header: 1, orders: "PO1 PO2", skipped: map[int]string{3: "Excel's line", 4: "repeats the header"}},
		"notes below the last order": {sheet: `
			PO | Supplier
			Region North |
			PO1 | Acme
			PO2 |

			Prices without tax |
			Printed on 1 March 2024 |
			 | Page 1
			Date: 1.3.2024 |
			See | there`, header: 1, orders: "PO1 PO2",
			skipped:  map[int]string{6: "a note", 7: "a note", 8: "a note", 9: "a note"},
			unusable: map[int]string{2: "no digit", 10: "no digit"}},
		"a sheet of notes": {sheet: `
			PO
			Order 4711
			Bestellung: 4712
			4713 b`, header: 1, orders: "ORDER4711 BESTELLUNG:4712 4713B"},
	} {
		for kind, data := range map[string][]byte{"pos.csv": c.sheet.text(t), "pos.xlsx": c.sheet.book(t)} {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				sheet, err := Read(kind, bytes.NewReader(data), options)
				if err != nil {
					t.Fatal(err)
				}
				checkInvariants(t, sheet)
				var numbers []string
				for _, o := range sheet.Orders {
					numbers = append(numbers, o.Number)
				}
				skipped, unusable := map[int]string{}, map[int]string{}
				for _, row := range sheet.Skipped {
					skipped[row.Row.Line] = row.Reason
				}
				for _, row := range sheet.Unusable {
					unusable[row.Row.Line] = row.Problem.Message
				}
				if got := strings.Join(numbers, " "); got != c.orders || !saysEach(skipped, c.skipped) || !saysEach(unusable, c.unusable) {
					t.Errorf("orders %s, want %s\nskipped %v\nwant %v\nunusable %v\nwant %v", got, c.orders, skipped, c.skipped, unusable, c.unusable)
				}
				if note := fmt.Sprintf("the header is in line %d", c.header); (c.header > 1) != strings.Contains(strings.Join(sheet.Notes, "\n"), note) {
					t.Errorf("the notes are %q", sheet.Notes)
				}
			})
		}
	}
}

// saysEach reports whether the messages are about the same lines, and say what is wanted.
func saysEach(got, want map[int]string) bool {
	lines := slices.Sorted(maps.Keys(got))
	return slices.Equal(lines, slices.Sorted(maps.Keys(want))) &&
		!slices.ContainsFunc(lines, func(line int) bool { return !strings.Contains(got[line], want[line]) })
}

func TestAnotherTableIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sheet grid
		want  []string
	}{
		"more columns": {`
			PO | Supplier
			PO1 | Acme
			PO | Supplier | Amount
			PO2 | Acme | 5`, []string{":3: another table begins here", `"Amount"`, "from line 1"}},
		"other columns, early and better": {`
			PO
			PO1
			PO Number | Supplier | Amount | Currency
			PO2 | Acme | 5 | EUR`, []string{":3: another table", "from line 1"}},
		"the number elsewhere": {`
			Supplier | PO
			Acme | PO1

			PO | Supplier
			PO2 | Acme`, []string{":4: another table", "from line 1"}},
		"no order numbers": {`
			PO | Supplier | Amount
			PO1 | Acme | 5
			Invoice | Supplier | Amount
			R1 | Acme | 5`, []string{":3: another table"}},
		"few known names, below a gap": {`
			PO | Supplier | Amount
			PO1 | Acme | 5

			Invoice | Date | Amount
			R1 | Acme | 5`, []string{":4: another table", `"Invoice", "Date", "Amount"`}},
		"order numbers in another column, below a gap": {`
			PO | Amount
			PO1 | 5

			Invoice | PO | Paid
			I9 | PO1 | yes`, []string{":4: another table", `"Invoice", "PO", "Paid"`}},
	} {
		for kind, data := range map[string][]byte{"pos.csv": c.sheet.text(t), "pos.xlsx": c.sheet.book(t)} {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				_, err := Read(kind, bytes.NewReader(data), Options{URL: "https://h.example/{po}"})
				var file *FileError
				if !asError(err, &file) {
					t.Fatalf("the error is %v", err)
				}
				for _, want := range c.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%q is not in %q", want, err)
					}
				}
			})
		}
	}
}

func TestWhereTheHeaderIs(t *testing.T) {
	t.Parallel()
	title := strings.Repeat("Report | of |\n", headRows-1)
	for name, c := range map[string]struct {
		sheet   grid
		columns map[string]string
		want    string
	}{
		"row 20":                  {grid(title + "PO | Supplier\nPO1 | Acme"), nil, ""},
		"row 21":                  {grid(title + "Report | of\nPO | Supplier\nPO1 | Acme"), nil, "no column is named as one of order numbers"},
		"the one with numbers":    {"Beleg | Datum | Firma\n1701 | 2026-01-02 | Acme\n1702 | 2026-01-03 | Acme\n1703 | 2026-01-04 | Bolt", nil, `only the cells of "Beleg" are all different numbers (--column po=Beleg)`},
		"by the named column":     {"Liste | Orders\nBeleg | Firma\n17 | Acme", map[string]string{"po": "Beleg"}, ""},
		"a named column is wrong": {"Liste\nPO | Firma\n17 | Acme", map[string]string{"po": "Beleg"}, `there is no such column; the columns are "PO", "Firma"`},
		"by two named columns":    {"PO | Orders\nPO | Firma\n17 | Acme", map[string]string{"supplier": "Firma"}, ""},
		"a header of two rows":    {"Order | | Firma\nNumber | Datum | Supplier\n17 | heute | Acme", nil, ""},
		"delimiters in a title":   {"Orders, of March; 2024\nPO | Firma\n17 | Acme", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sheet, err := Read("pos.csv", bytes.NewReader(c.sheet.text(t)), Options{URL: "https://h.example/{po}", Columns: c.columns})
			switch {
			case c.want == "" && (err != nil || len(sheet.Orders) != 1 || len(sheet.Unusable) != 0):
				t.Errorf("%+v, %v", sheet, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
