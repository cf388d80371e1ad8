package workbook

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

func TestCellsHoldWhatIsStored(t *testing.T) {
	t.Parallel()
	format := func(code string) *excelize.Style { return &excelize.Style{CustomNumFmt: &code} }
	cases := []struct {
		name  string
		value any
		style *excelize.Style
		text  string
		kind  Kind
	}{
		{"text", "PO 12", nil, "PO 12", Text},
		{"number as text", "0012", nil, "0012", Text},
		{"a text like a number", "1.5E+07", nil, "1.5E+07", Text},
		{"whole number", 15262984, format("0.0E+00"), "15262984", Number},
		{"zeros of the format", 42, format("00000"), "00042", Number},
		{"zeros with a mark", 12345678, format(`000\-00\-0000`), "012345678", Number},
		{"text in the format", 42, format(`"PO 2000 "0000;-0;0`), "0042", Number},
		{"no zeros to add", 1234567, format("#,##0.00"), "1234567", Number},
		{"decimals", 12.5, format("0000.00"), "12.5", Number},
		{"percent", 0.15, format("000%"), "0.15", Number},
		{"the noise of computing", 0.1 + 0.2, nil, "0.3", Number},
		{"negative", -12.5, nil, "-12.5", Number},
		{"small", 0.000001, nil, "0.000001", Number},
		{"fifteen digits", 999999999999999, nil, "999999999999999", Number},
		{"digits lost", 1234567890123450, nil, "1.23456789012345E+15", Number},
		{"digits kept by others", int64(1234567890123456789), nil, "1234567890123456789", Number},
		{"true", true, nil, "TRUE", Text},
		{"date", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), format("dd/mm/yy"), "2024-02-29", Date},
		{"date and time", time.Date(2024, 2, 29, 13, 4, 5, 0, time.UTC), format("d. mmm yyyy hh:mm"), "2024-02-29 13:04:05", Date},
		{"built-in date", 45000, &excelize.Style{NumFmt: 14}, "2023-03-15", Date},
		{"time alone", 0.5, format("h:mm"), "12:00:00", Date},
		{"elapsed", 1.5, format("[h]:mm"), "1.5", Number},
		{"a colour is no date", 5, format("[Red]0"), "5", Number},
		{"a language is none either", 5, format("[$-409]General"), "5", Number},
		{"letters in quotes neither", 5, format(`"days: "0`), "5", Number},
		{"lines", "a\nb", nil, "a\nb", Text},
		{"emoji", "🚚 ok", nil, "🚚 ok", Text},
	}
	table := tableOf(t, written(t, func(f *excelize.File) error {
		for i, c := range cases {
			cell := fmt.Sprintf("C%d", i+1)
			err := f.SetCellValue("Sheet1", cell, c.value)
			if err == nil && c.style != nil {
				var id int
				if id, err = f.NewStyle(c.style); err == nil {
					err = f.SetCellStyle("Sheet1", cell, cell, id)
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
	for i, c := range cases {
		want := Row{Line: i + 1, Cells: []string{"", "", c.text}, Kinds: []Kind{Text, Text, c.kind}}
		if got := table.Rows[i]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
}

func TestCellsOfOtherPrograms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cell, text string
		kind       Kind
	}{
		"shared":                    {`<c t="s"><v>0</v></c>`, "zero", Text},
		"inline":                    {`<c t="inlineStr"><is><r><t>a</t></r><r><rPr/><t xml:space="preserve"> b</t></r><rPh><t>no</t></rPh></is></c>`, "a b", Text},
		"formula":                   {`<c t="str"><f>A1&amp;"x"</f><v>x</v></c>`, "x", Text},
		"formula, a number":         {`<c><f>1+1</f><v>2</v></c>`, "2", Number},
		"formula, empty":            {`<c t="str"><f>""</f><v></v></c><c><v>1</v></c>`, "", Text},
		"formula without a value":   {`<c><f>1+1</f></c>`, "", NoValue},
		"formula without a text":    {`<c t="str"><f>A1&amp;"x"</f></c>`, "", NoValue},
		"formula, openpyxl":         {`<c><f>1+1</f><v/></c>`, "", NoValue},
		"error":                     {`<c t="e"><f>NA()</f><v>#N/A</v></c>`, "#N/A", Text},
		"false":                     {`<c t="b"><v>0</v></c>`, "FALSE", Text},
		"ISO date":                  {`<c t="d"><v>2024-03-01T00:00:00</v></c>`, "2024-03-01", Date},
		"exponent":                  {`<c><v>1.5262984E7</v></c>`, "15262984", Number},
		"many digits":               {`<c><v>17.100000000000001</v></c>`, "17.1", Number},
		"escaped":                   {`<c t="str"><v>a_x000D_b</v></c>`, "a\rb", Text},
		"an unknown style":          {`<c s="99"><v>7</v></c>`, "7", Number},
		"before 1 March 1900":       {`<c s="1"><v>1</v></c>`, "1900-01-01", Date},
		"the day that never was":    {`<c s="1"><v>60</v></c>`, "1900-02-29", Date},
		"a negative number of days": {`<c s="1"><v>-1</v></c>`, "-1", Number},
		"prefixes":                  {`<x:c t="str" xmlns:x="x"><x:v>p</x:v></x:c>`, "p", Text},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row := tableOf(t, handmade(t, rows("<row>"+c.cell+"</row>"))).Rows[0]
			if row.Cells[0] != c.text || row.Kinds[0] != c.kind {
				t.Errorf("got %q (%d), want %q (%d)", row.Cells[0], row.Kinds[0], c.text, c.kind)
			}
		})
	}
}

func TestDaysSince1904(t *testing.T) {
	t.Parallel()
	parts := rows(`<row><c s="1"><v>0</v></c><c s="1"><v>43890.5</v></c></row>`)
	parts["xl/workbook.xml"] = `<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`
	if got := tableOf(t, handmade(t, parts)).Rows[0].Cells; got[0] != "1904-01-01" || got[1] != "2024-03-01 12:00:00" {
		t.Errorf("got %q", got)
	}
}

func TestMergedHiddenAndLinkedCells(t *testing.T) {
	t.Parallel()
	table := tableOf(t, written(t, func(f *excelize.File) error {
		for cell, value := range map[string]string{"A1": "po", "B1": "line", "A2": "PO1", "B2": "x", "B3": "y", "B5": "z", "A7": "title", "C7": "open"} {
			if err := f.SetCellValue("Sheet1", cell, value); err != nil {
				return err
			}
		}
		target := "https://portal.example/7"
		return errors.Join(f.MergeCell("Sheet1", "A2", "A5"), f.MergeCell("Sheet1", "A7", "B9"),
			f.SetRowVisible("Sheet1", 3, false), f.SetColVisible("Sheet1", "B", false), f.SetCellHyperLink("Sheet1", "C7", target, "External"),
			f.SetCellHyperLink("Sheet1", "A2", "https://portal.example/1", "External"))
	}))
	var got []string
	for _, row := range table.Rows {
		got = append(got, fmt.Sprint(row.Line, row.Hidden, row.Cells))
	}
	want := []string{"1 false [po line]", "2 false [PO1 x]", "3 true [PO1 y]", "5 false [PO1 z]", "7 false [title  open]"}
	if !reflect.DeepEqual(got, want) || table.Merged != 2 || !reflect.DeepEqual(table.HiddenColumns, []int{1}) {
		t.Errorf("got %q, %d merged, hidden %v", got, table.Merged, table.HiddenColumns)
	}
	if link := table.Link(7, 2); link != "https://portal.example/7" {
		t.Errorf("the link is %q", link)
	}
	for line, want := range map[int]string{2: "https://portal.example/1", 3: "https://portal.example/1", 5: "https://portal.example/1", 7: ""} {
		if link := table.Link(line, 0); link != want {
			t.Errorf("line %d of the merged cell is linked to %q, want %q", line, link, want)
		}
	}
}

func TestLinksOfFormulas(t *testing.T) {
	t.Parallel()
	cell := func(formula string) string { return `<c t="str"><f>` + formula + `</f><v>open</v></c>` }
	table := tableOf(t, handmade(t, rows("<row>"+cell(`HYPERLINK("https://h/1?a=""b""","open")`)+cell(`hyperlink( "https://h/2" )`)+cell(`HYPERLINK("https://h/"&amp;A1)`)+cell(`A1`)+"</row>")))
	for i, want := range []string{`https://h/1?a="b"`, "https://h/2", "", ""} {
		if link := table.Link(1, i); link != want || table.Rows[0].Cells[i] != "open" {
			t.Errorf("cell %d is linked to %q, want %q", i, link, want)
		}
	}
}

func TestSheets(t *testing.T) {
	t.Parallel()
	w, err := Open(handmade(t, map[string]string{
		"xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="Chart" r:id="c"/><sheet name=" Orders " r:id="r1" state="veryHidden"/>` +
			`<sheet name="2" r:id="r4" state="visible"/><sheet name="lost" r:id="r9"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="c" Type="http://x/chartsheet" Target="chartsheets/sheet1.xml"/>` +
			`<Relationship Id="r1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r4" Type="http://x/worksheet" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
		sheetPart: `<worksheet><dimension ref="A1:XFD1048576"/><sheetData/></worksheet>`,
	}))
	if err != nil || len(w.Sheets) != 2 || w.Sheets[0].Name != " Orders " || !w.Sheets[0].Hidden || w.Sheets[1].Hidden {
		t.Fatalf("%+v, %v", w, err)
	}
	if table, err := w.Read(w.Sheets[0]); err != nil || len(table.Rows) != 0 {
		t.Errorf("an empty sheet: %v, %v", table, err)
	}
	if _, err := w.Read(w.Sheets[1]); !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), "sheet2.xml is missing") {
		t.Errorf("a sheet that is not there: %v", err)
	}
}

func TestOtherFiles(t *testing.T) {
	t.Parallel()
	compound := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	encrypted := written(t, func(f *excelize.File) error { return nil })
	var protected bytes.Buffer
	f, err := excelize.OpenReader(bytes.NewReader(encrypted))
	if err == nil {
		err = f.Write(&protected, excelize.Options{Password: "secret"})
	}
	if err != nil {
		t.Fatal(err)
	}
	archive := func(names ...string) []byte {
		parts := map[string]string{"[Content_Types].xml": "", "_rels/.rels": "", "xl/workbook.xml": "", "xl/_rels/workbook.xml.rels": "", "xl/sharedStrings.xml": "", "xl/styles.xml": ""}
		for _, name := range names {
			parts[name] = "x"
		}
		return handmade(t, parts)
	}
	for name, c := range map[string]struct {
		data []byte
		kind error
		want string
	}{
		"encrypted":    {protected.Bytes(), ErrOther, "encrypted"},
		"old":          {[]byte(compound + strings.Repeat("x", 600)), ErrOther, ".xls"},
		"OpenDocument": {archive("mimetype", "content.xml"), ErrOther, ".ods"},
		"binary":       {archive("xl/workbook.bin", "[Content_Types].xml"), ErrOther, ".xlsb"},
		"Word":         {archive("word/document.xml", "[Content_Types].xml"), ErrOther, "another Office program"},
		"Numbers":      {archive("Index/Document.iwa", "Metadata/x"), ErrOther, "Numbers"},
		"ZIP":          {archive("a.txt"), ErrOther, "ZIP"},
		"cut off":      {encrypted[:len(encrypted)/2], ErrBroken, "zip"},
		"no workbook":  {archive("[Content_Types].xml"), ErrBroken, "which sheets"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !Looks(c.data) {
				t.Error("it does not look like a workbook")
			}
			if _, err := Open(c.data); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func BenchmarkRead10000(b *testing.B) {
	data := written(b, func(f *excelize.File) error {
		s, err := f.NewStreamWriter("Sheet1")
		for n := 1; n <= 10_000 && err == nil; n++ {
			err = s.SetRow(fmt.Sprintf("A%d", n), []any{fmt.Sprintf("PO%d", 15_000_000+n), "Müller & Söhne", 1250.5, "EUR", n, "https://portal.example/x", "a comment", true, 17.1, "x", "y", "z"})
		}
		return errors.Join(err, s.Flush())
	})
	for b.Loop() {
		w, err := Open(data)
		if err != nil {
			b.Fatal(err)
		}
		if table, err := w.Read(w.Sheets[0]); err != nil || len(table.Rows) != 10_000 {
			b.Fatal(err)
		}
	}
}
