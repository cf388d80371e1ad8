package workbook

import (
	"archive/zip"
	"bytes"
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
			book.limits.part, book.limits.cells = 1<<20, 40_000
			if _, err := book.Read(book.Sheets[0]); (err == nil) != (c.want == "") || c.want != "" && (!errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// Nor by counts and by what is repeated; and no such file takes long.
func TestBombsByCounts(t *testing.T) {
	t.Parallel()
	const shared = `<c t="s"><v>0</v></c>`
	sst := func(text string) string { return `<sst><si><t>` + text + `</t></si></sst>` }
	sheet := func(rows string) string { return `<worksheet><sheetData>` + rows + `</sheetData></worksheet>` }
	var far strings.Builder
	for line := 1; line < 20; line++ {
		fmt.Fprintf(&far, `<row r="%d"><c r="XFD%d" t="b"><v>1</v></c></row>`, line, line)
	}
	for name, c := range map[string]struct {
		parts map[string]string
		want  string
	}{
		"one text in 40 cells":   {map[string]string{sheetPart: sheet(`<row>` + strings.Repeat(shared, 40) + `</row>`), "xl/sharedStrings.xml": sst(strings.Repeat("x", 1_000_000))}, "MiB of text"},
		"one text, merged":       {map[string]string{sheetPart: `<worksheet><sheetData><row>` + shared + `</row>` + strings.Repeat(`<row><c/><c t="b"><v>1</v></c></row>`, 40) + `</sheetData><mergeCell ref="A1:A41"/></worksheet>`, "xl/sharedStrings.xml": sst(strings.Repeat("x", 1_000_000))}, "MiB of text"},
		"one link for all":       {map[string]string{sheetPart: `<worksheet><sheetData>` + strings.Repeat(`<row><c t="b"><v>1</v></c></row>`, 1100) + `</sheetData><hyperlink ref="A1:A1100" id="r"/></worksheet>`, "xl/worksheets/_rels/sheet1.xml.rels": `<Relationships><Relationship Id="r" TargetMode="External" Target=""/></Relationships>`}, "cells are linked"},
		"empty shared texts":     {map[string]string{"xl/sharedStrings.xml": `<sst>` + strings.Repeat(`<si/>`, 2*freeShared) + `</sst>`}, "shared texts"},
		"sheets":                 {map[string]string{"xl/workbook.xml": `<workbook><sheets>` + strings.Repeat(`<sheet a=""/>`, maxElements+1) + `</sheets></workbook>`}, "elements"},
		"attributes":             {map[string]string{"xl/workbook.xml": `<workbook><sheets><sheet a="` + strings.Repeat("a", 2*maxElement) + `"/></sheets></workbook>`}, "an element has more"},
		"attributes of a cell":   {map[string]string{sheetPart: sheet(`<row><c a="` + strings.Repeat("a", 2*maxElement) + `"/></row>`)}, "an element has more"},
		"columns, over and over": {map[string]string{sheetPart: `<worksheet>` + strings.Repeat(`<col min="1" max="16" hidden="1"/>`, maxColumns+1) + `</worksheet>`}, "columns"},
		"empty cells":            {map[string]string{sheetPart: sheet(far.String())}, "empty cells"},
		"a long format":          {map[string]string{sheetPart: sheet(""), "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="` + strings.Repeat("#", maxElement/2) + `"/></numFmts></styleSheet>`}, ""},
		"a text in many rows":    {map[string]string{sheetPart: sheet(strings.Repeat(`<row>`+strings.Repeat(shared, 20)+`</row>`, 500)), "xl/sharedStrings.xml": sst(strings.Repeat("Delivery free house. ", 3))}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			book, err := Open(handmade(t, c.parts))
			if err == nil {
				book.limits.areas, book.limits.empty = 1000, 200_000
				_, err = book.Read(book.Sheets[0])
			}
			if (err == nil) != (c.want == "") || c.want != "" && (!errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	var names bytes.Buffer
	z := zip.NewWriter(&names)
	for i := range maxParts + 1 {
		if _, err := z.Create(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(names.Bytes()); !errors.Is(err, ErrTooLarge) {
		t.Errorf("many parts: %v", err)
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
