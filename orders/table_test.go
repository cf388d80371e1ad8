package orders

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/poscrape/poscrape/tasks"
)

// The sheet of LibreOffice has what people do to sheets: title rows, merged, hidden, formatted
// and linked cells, formulas, a total and a note.
func TestWorkbookOfLibreOffice(t *testing.T) {
	t.Parallel()
	sheet := readSample(t, "libreoffice.xlsx", Options{Sheet: " open ORDERS"})
	checkInvariants(t, sheet)
	var got []string
	for _, o := range sheet.Orders {
		got = append(got, fmt.Sprintf("%s %s %d %v", o.Number, o.URL, o.Priority, len(o.Rows)))
	}
	const at = " https://portal.example/o/"
	want := []string{"PO15262984" + at + "15262984?a=1&b=2 2 1", "15262985" + at + "15262985 0 1", "00042" + at + "00042 1 1", "PO77" + at + "77 0 2", "PO78" + at + "78 0 1", "PO79" + at + "79 0 1"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := sheet.Orders[1].Rows[0].Cells; strings.Join(got, "|") != "15262985|ACME|17.1|2024-03-02 13:30:00||https://portal.example/o/15262985" {
		t.Errorf("the cells are %q", got)
	}
	if o := sheet.Orders[0]; o.Sheet != (tasks.Sheet{Supplier: "Müller & Söhne GmbH", Amount: "1250.5"}) || o.Rows[0].Cells[6] != "line\nbreak" || o.Rows[0].Line != 5 {
		t.Errorf("the first order is %+v", o)
	}
	for i, want := range []string{`libreoffice.xlsx:12: Bestellnummer: "#N/A" is the error of a formula`, `libreoffice.xlsx:13: Bestellnummer: "2024-03-01" is a date`} {
		if len(sheet.Problems) != 2 || !strings.Contains(sheet.Problems[i].Error(), want) {
			t.Errorf("the problems are %v", sheet.Problems)
		}
	}
	notes := strings.Join(sheet.Notes, "\n")
	for _, want := range []string{"the header is in line 4", "hidden rows and columns are read as well: 1 row and 1 column", "merged cells", "2 rows skipped: line 14: it is a total; line 16: it is a note"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in %q", want, notes)
		}
	}
	if in := sheet.Input; in.Rows != 11 || in.Delimiter != "," || !in.Mark || in.Roles["amount"] != 2 {
		t.Errorf("the input is %+v", in)
	}
}

func TestWhichSheet(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	t.Cleanup(func() { f.Close() })
	for _, name := range []string{"Orders", "Archive", "Empty"} {
		if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
	}
	for cell, sheet := range map[string]string{"1": "Sheet1", "2": "Orders", "3": "Archive"} {
		if err := f.SetSheetCol(sheet, "A1", &[]any{"po", "PO" + cell}); err != nil {
			t.Fatal(err)
		}
	}
	f.SetActiveSheet(1)
	if err := f.SetSheetVisible("Sheet1", false); err != nil {
		t.Fatal(err)
	}
	if err := f.SetCellFormula("Orders", "B2", "1+1"); err != nil {
		t.Fatal(err)
	}
	data := bookBytes(t, f)
	for name, c := range map[string]struct{ sheet, po, note, problem string }{
		"the first that people see": {"", "PO2", `the sheet "Orders" is read, one of 4; --sheet NAME takes another: "Sheet1", "Archive", "Empty"`, ""},
		"a hidden one":              {"Sheet1", "PO1", "", ""},
		"whatever the case":         {"archive ", "PO3", "", ""},
		"an unknown one":            {"Archiv", "", "", `pos.xlsx: --sheet Archiv: there is no such sheet; the sheets are "Sheet1", "Orders", "Archive", "Empty"`},
		"an empty one":              {"Empty", "", "", `the sheet "Empty" is empty`},
		"formulas":                  {"Orders", "PO2", "1 formula without a stored value read as empty", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The name does not say that it is a workbook; its content does.
			sheet, err := Read("pos.xlsx", bytes.NewReader(data), Options{Sheet: c.sheet, URL: "https://h.example/{po}"})
			switch {
			case c.problem != "":
				if err == nil || !strings.Contains(err.Error(), c.problem) {
					t.Errorf("got %v, want %q", err, c.problem)
				}
			case err != nil || sheet.Orders[0].Number != c.po || !strings.Contains(strings.Join(sheet.Notes, "\n"), c.note):
				t.Errorf("%+v, %v", sheet, err)
			}
		})
	}
}

func TestCellsThatAreNoNumbers(t *testing.T) {
	t.Parallel()
	rows := `<row><c t="str"><v>po</v></c><c t="str"><v>url</v></c></row>`
	for i, cells := range []string{
		`<c><v>1.5262984E7</v></c><c t="str"><v>https://h/1</v></c>`,
		`<c t="str"><v>1.5262984E+07</v></c><c t="str"><v>https://h/2</v></c>`,
		`<c><v>1.2345678901234567E+18</v></c><c t="str"><v>https://h/3</v></c>`,
		`<c><f>A1</f><v></v></c><c t="str"><v>https://h/4</v></c>`,
		`<c><v>5</v></c><c><f>A1</f></c>`,
		`<c t="b"><v>1</v></c><c t="str"><v>https://h/6</v></c>`,
		`<c/><c/><c><f>A1</f></c>`,
		`<c><v>9</v></c><c><f>HYPERLINK("https://h/9","open")</f></c>`,
	} {
		rows += fmt.Sprintf(`<row r="%d">%s</row>`, i+2, cells)
	}
	sheet, err := Read("no-name", bytes.NewReader(smallBook(t, rows)), Options{})
	if err != nil || len(sheet.Orders) != 2 || sheet.Input.Rows != 7 || sheet.Orders[1].URL != "https://h/9" || sheet.Orders[0].Number != "15262984" {
		t.Fatalf("%+v, %v", sheet, err)
	}
	for i, want := range []string{
		`no-name:3: po: "1.5262984E+07" has lost its digits`, `no-name:4: po: "1.2345678901234568E+18" has lost its digits`,
		`no-name:5: po: the cell is a formula, and its value is not stored`, `no-name:6: url: the cell is a formula`, `no-name:7: po: "TRUE" has no digit`,
	} {
		if !strings.Contains(sheet.Problems[i].Error(), want) {
			t.Errorf("got %v, want %q", sheet.Problems[i], want)
		}
	}
}

// failed.csv of a workbook is a text, and leads to the same orders.
func TestRowsOfAWorkbookAreReadAgain(t *testing.T) {
	t.Parallel()
	first := readSample(t, "libreoffice.xlsx", Options{Sheet: "Open orders"})
	first.Unusable = nil // one is a date, which would be a number there
	checkReadAgain(t, first, Options{})
}
