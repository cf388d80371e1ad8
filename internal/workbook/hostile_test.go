package workbook

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// A sheet of which something is lost must never look like a shorter one.
func TestBrokenSheets(t *testing.T) {
	t.Parallel()
	for name, xml := range map[string]string{
		"cut off":             `<worksheet><sheetData><row><c t="s"><v>0</v></c></row><row><c`,
		"cut off after a row": `<worksheet><sheetData><row><c t="s"><v>0</v></c></row>`,
		"nothing":             ` `,
		"another part":        `<styleSheet/>`,
		"no such text":        `<worksheet><sheetData><row><c t="s"><v>1</v></c></row></sheetData></worksheet>`,
		"rows backwards":      `<worksheet><sheetData><row r="2"/><row r="1"/></sheetData></worksheet>`,
		"a row too many":      `<worksheet><sheetData><row r="1048577"/></sheetData></worksheet>`,
		"a column too many":   `<worksheet><sheetData><row r="1"><c r="XFE1"><v>1</v></c></row></sheetData></worksheet>`,
		"another row's cell":  `<worksheet><sheetData><row r="1"><c r="A2"><v>1</v></c></row></sheetData></worksheet>`,
		"tags that cross":     `<worksheet></sheetData></worksheet>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := Open(handmade(t, map[string]string{sheetPart: xml}))
			if err != nil {
				t.Fatal(err)
			}
			if table, err := w.Read(w.Sheets[0]); !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), sheetPart) {
				t.Errorf("got %+v, %v", table, err)
			}
		})
	}
}

// A file of some kilobytes must not take gigabytes.
func TestBombs(t *testing.T) {
	t.Parallel()
	rowOf := func(line int) string {
		return fmt.Sprintf(`<row r="%d"><c r="XFD%d" t="b"><v>1</v></c></row>`, line, line)
	}
	for name, c := range map[string]struct {
		xml, want string
	}{
		"long":       {`<worksheet>` + strings.Repeat(" ", 2<<20) + `</worksheet>`, "unpacks to more than 1 MiB"},
		"wide":       {`<worksheet><sheetData>` + rowOf(1) + rowOf(2) + rowOf(3) + `</sheetData></worksheet>`, "more than 40000 cells"},
		"long texts": {`<worksheet><sheetData><row><c t="str"><v>` + strings.Repeat("x", 1<<20-200) + `</v></c></row></sheetData></worksheet>`, ""},
		"merged": {`<worksheet><sheetData>` + strings.Repeat(`<row><c t="b"><v>1</v></c></row>`, 500) + `</sheetData>` +
			strings.Repeat(`<mergeCell ref="A1:A1048576"/>`, 500) + `</worksheet>`, "more than 40000 rows"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := handmade(t, map[string]string{sheetPart: c.xml})
			book, err := Open(data)
			if err != nil || len(data) > 1<<16 {
				t.Fatalf("%v, %d bytes", err, len(data))
			}
			book.limits = limits{part: 1 << 20, cells: 40_000}
			if _, err := book.Read(book.Sheets[0]); (err == nil) != (c.want == "") || c.want != "" && (!errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// FuzzRead: whatever the sheet, reading it ends, with an error that says what is wrong or with
// rows in order.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" s="1"><v>45000</v></c></row><row r="7"><c t="inlineStr"><is><t>x</t></is></c></row>`,
		`<row><c><f>1</f></c></row></sheetData><mergeCells><mergeCell ref="A1:B9"/></mergeCells><sheetData>`,
		`<row hidden="1"><c t="d"><v>2024-03-01</v></c><c t="e"><v>#N/A</v></c></row>`, `<row><c t="str"><v>_x0041_`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, xml string) {
		w, err := Open(handmade(t, rows(xml)))
		if err != nil {
			t.Fatal(err)
		}
		table, err := w.Read(w.Sheets[0])
		if err != nil {
			if !errors.Is(err, ErrBroken) && !errors.Is(err, ErrTooLarge) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		last := 0
		for _, row := range table.Rows {
			if row.Line <= last || len(row.Cells) == 0 || len(row.Cells) != len(row.Kinds) {
				t.Errorf("after line %d comes %+v", last, row)
			}
			last = row.Line
		}
	})
}

// FuzzOpen: whatever the file, opening it ends.
func FuzzOpen(f *testing.F) {
	f.Add(handmade(f, rows(`<row><c t="s"><v>0</v></c></row>`)))
	f.Add(written(f, func(w *excelize.File) error { return w.SetCellValue("Sheet1", "A1", "po") }))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := Open(data)
		if err != nil {
			if !errors.Is(err, ErrOther) && !errors.Is(err, ErrBroken) && !errors.Is(err, ErrTooLarge) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		for _, s := range w.Sheets {
			_, _ = w.Read(s)
		}
	})
}
