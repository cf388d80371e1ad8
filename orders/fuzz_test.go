package orders

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/poscrape/poscrape/internal/workbook"
)

// FuzzRead: whatever the file, Read ends with a *FileError, or every row of it
// is in exactly one spec and can be written down and read again.
func FuzzRead(f *testing.F) {
	names, err := filepath.Glob(filepath.Join(sheets, "*.*"))
	if err != nil || len(names) < 20 {
		f.Fatalf("%d sample sheets, %v", len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range []string{"po\n1\n\"", "po;url\r1;\r", "\"po\",\n\"a\"\"\",\"", "sep=|\npo|x\n1|2", "PO\t1\n\n2\t", "po,po\n1,2\n", "number\n\ufeff1\n'1\n"} {
		f.Add([]byte(text))
	}
	options := Options{URL: "https://h.example/{po}"}
	f.Fuzz(func(t *testing.T, data []byte) {
		sheet, err := Read("pos.csv", bytes.NewReader(data), options)
		if err != nil {
			var unreadable *FileError
			if !errors.As(err, &unreadable) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		checkInvariants(t, sheet)
		if workbook.Looks(data) || strings.Contains(strings.Join(sheet.Notes, "\n"), "the header is in line") {
			return // its header may be another one where what is above it is gone
		}
		checkAgainstStandard(t, data, sheet)
		if header := strings.Join(sheet.Input.Columns, ""); !strings.ContainsAny(header, ";|\t\"") && !strings.HasPrefix(header, byteOrderMark) {
			checkReadAgain(t, sheet, options)
		}
	})
}

// checkAgainstStandard compares the rows with those that encoding/csv finds in
// the same text, where it can read it.
func checkAgainstStandard(t *testing.T, data []byte, sheet *Sheet) {
	t.Helper()
	text, _, _, err := decode("pos.csv", data, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, rest, ok := cutSepLine(text); ok {
		text = rest
	}
	want, ok := standardRows(text, sheet.Delimiter)
	if !ok {
		return
	}
	got := append([][]string{sheet.Input.Columns}, cellsInOrder(sheet)...)
	for _, cells := range got {
		for i := range cells {
			cells[i] = strings.ReplaceAll(cells[i], "\r\n", "\n")
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// FuzzReadWorkbook: whatever the rows of a workbook, Read ends with a *FileError, or every row
// of it is in exactly one spec.
func FuzzReadWorkbook(f *testing.F) {
	for _, seed := range []string{
		`<row><c t="str"><v>po</v></c></row><row><c><v>1</v></c></row>`,
		`<row r="3"><c r="B3" t="str"><v>Order</v></c><c t="str"><v>Amount</v></c></row><row r="5"><c r="B5"><v>1.5E7</v></c><c><f>1</f></c></row><row><c r="B6" t="str"><v>Total</v></c></row>`,
		`<row><c t="str"><v>po</v></c></row><row><c t="e"><v>#N/A</v></c></row><row hidden="1"><c t="b"><v>1</v></c></row>`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, rows string) {
		sheet, err := Read("pos.xlsx", bytes.NewReader(smallBook(t, rows)), Options{URL: "https://h.example/{po}"})
		if err == nil {
			checkInvariants(t, sheet)
			return
		}
		var unreadable *FileError
		if !errors.As(err, &unreadable) {
			t.Errorf("%T: %v", err, err)
		}
	})
}

// FuzzNumber: a canonical number has nothing invisible in it, and is its own canonical form.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"PO15262984", "po 1526-2984", "'0012", `="0012"`, `= "0"`, "15262984.0", "1.5E+07", "\ufeffＰＯ１２", "1.000", "PO1 PO2", "#N/A", "١٢"} {
		f.Add(seed)
	}
	prefixes := Options{}.prefixes()
	f.Fuzz(func(t *testing.T, raw string) {
		first, err := parseNumber(raw, prefixes)
		if err != nil {
			return
		}
		if strings.IndexFunc(first.canonical, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.IsLower(r) && unicode.ToUpper(r) != r
		}) >= 0 ||
			first.canonical == "" || !strings.HasSuffix(first.canonical, first.digits) || (first.canonical == first.digits) == first.prefixed {
			t.Errorf("%q is %+v", raw, first)
		}
		if again, err := parseNumber(first.canonical, prefixes); err != nil || again != first {
			t.Errorf("%q is %+v, and that is %+v, %v", raw, first, again, err)
		}
	})
}
