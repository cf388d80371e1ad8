package report

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/poscrape/poscrape/tasks"
)

// opened returns a report's workbook, as it is read back.
func opened(t *testing.T, r *Report) *excelize.File {
	t.Helper()
	var out bytes.Buffer
	if err := r.WriteWorkbook(&out, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	return read(t, &out)
}

func read(t *testing.T, out *bytes.Buffer) *excelize.File {
	t.Helper()
	f, err := excelize.OpenReader(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func rowsOf(t *testing.T, f *excelize.File, sheet string) [][]string {
	t.Helper()
	rows, err := f.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// The first sheet says what results.csv says, cell by cell; the others have what else there is.
func TestWorkbookSaysWhatResultsSay(t *testing.T) {
	t.Parallel()
	asNumbers := map[string]string{"1.250,00": "1250.00", "7,00": "7.00"}
	for name, session := range sessions {
		r := build(t, session())
		f := opened(t, r)
		if got, want := f.GetSheetList(), []string{"Orders", "Lines", "Documents", "Summary"}; !slices.Equal(got, want) {
			t.Errorf("%s: the sheets are %q, want %q", name, got, want)
		}
		r.delimiter, r.mark = ',', false
		want, got := records(t, written(t, r.WriteResultsCSV)), rowsOf(t, f, "Orders")
		if len(got) != len(want) {
			t.Fatalf("%s: %d rows, want %d", name, len(got), len(want))
		}
		for i := range want {
			for c, cell := range want[i] {
				have := ""
				if c < len(got[i]) {
					have = got[i][c]
				}
				if clean := cmp.Or(asNumbers[cell], legible(cell)); have != clean {
					t.Errorf("%s: row %d, %s: %q, want %q", name, i+1, want[0][c], have, clean)
				}
			}
		}
		lines, documents := 0, 0
		for task, err := range r.Tasks() {
			if err != nil {
				t.Fatal(err)
			}
			lines, documents = lines+len(task.Lines), documents+len(task.Attachments)
		}
		if n := len(rowsOf(t, f, "Lines")) - 1; n != lines {
			t.Errorf("%s: %d lines, want %d", name, n, lines)
		}
		if n := len(rowsOf(t, f, "Documents")) - 1; n != documents {
			t.Errorf("%s: %d documents, want %d", name, n, documents)
		}
	}
}

// legible returns a text as a workbook can hold it.
func legible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r < ' ' && r != '\t' && r != '\n', r == '\ufffe', r == '\uffff':
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// typed returns a cell's type and what is stored of it.
func typed(t *testing.T, f *excelize.File, sheet, cell string) string {
	t.Helper()
	kind, err := f.GetCellType(sheet, cell)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := f.GetCellValue(sheet, cell, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	if kind == excelize.CellTypeUnset && raw != "" {
		return "number " + raw
	}
	return raw
}

func TestWorkbookCells(t *testing.T) {
	t.Parallel()
	columns := []string{"PO", "Code", "Amount", "Any", "Mixed", "Day", "Days", "Long", "Count", "Ref"}
	m := &memory{session: tasks.Session{Status: tasks.SessionCompleted, Fields: []string{"total", "issued", "buyer"},
		Input: tasks.Input{Columns: columns, Roles: map[string]int{"po": 0, "amount": 2}}}}
	for i, cells := range [][]string{
		{"4500017", "0012", "1.234", "1,234", "12", "14.03.2025", "3/4/2025", "1234567890123456", "7", "2025-03-14"},
		{"4500018", "1200", "12,50", "5", "A-7", "15.03.2025", "5/6/2025", "7", "-3", "1.5E+07"},
		{"0045", "7", "on request", "", "", "", "", "", "12", "20250314"},
	} {
		task := newOrder(i+1, cells[0], tasks.StateCompleted, tasks.OutcomeComplete)
		task.Rows = []tasks.Row{{Line: i + 2, Raw: cells[0], Cells: cells}}
		task.Result = &tasks.Result{Outcome: task.Outcome, Fields: map[string]tasks.Field{
			"total":  {Raw: "1.250,00", Value: "1250.00", Type: "amount"},
			"issued": {Raw: "14/03/2025", Value: "2025-03-14", Type: "date"},
			"buyer":  {Raw: "0700", Value: "0700", Type: "text"},
		}}
		m.tasks = append(m.tasks, task)
	}
	f := opened(t, build(t, m))
	for cell, want := range map[string]string{
		"A2": "4500017", "A4": "0045", // order numbers stay text
		"B2": "0012", "B3": "1200", "B4": "7", // so do codes
		"C2": "number 1234", "C3": "number 12.5", "C4": "on request", // the column's amounts have a comma
		"D2": "1,234", "D3": "number 5", // which could be two numbers
		"E2": "12", "E3": "A-7",
		"F2": "number 45730", "F3": "number 45731",
		"G2": "3/4/2025",         // which could be two days
		"H2": "1234567890123456", // has more digits than spreadsheets keep
		"I3": "number -3",
		"J2": "number 45730", "J3": "1.5E+07", "J4": "20250314",
		"U2": "no", "V2": "number 1250", "W2": "number 45730", "X2": "0700",
	} {
		if got := typed(t, f, "Orders", cell); got != want {
			t.Errorf("%s is %q, want %q", cell, got, want)
		}
	}
	differ := [][]string{{"po", "row", "column", "sheet", "portal", "portal - sheet"},
		{"4500017", "2", "Amount", "1234", "1250.00", "16.00"}, {"4500018", "3", "Amount", "12.50", "1250.00", "1237.50"}, {"0045", "4", "Amount", "on request", "1250.00"}}
	if got := rowsOf(t, f, "Differences"); !reflect.DeepEqual(got, differ) {
		t.Errorf("the differences are %q, want %q", got, differ)
	}
	if got, err := f.GetCellValue("Orders", "V2"); got != "1250.00" || err != nil {
		t.Errorf("an amount is shown as %q (%v)", got, err)
	}
	if got, err := f.GetCellValue("Orders", "W2"); got != "2025-03-14" || err != nil {
		t.Errorf("a day is shown as %q (%v)", got, err)
	}
}

func TestWorkbookNeverCalculates(t *testing.T) {
	t.Parallel()
	m := hostile()
	m.tasks[0].URL, m.tasks[0].Result.Folder = "=HYPERLINK(1)", "@folder"
	f := opened(t, build(t, m))
	for _, sheet := range f.GetSheetList() {
		for i, row := range rowsOf(t, f, sheet) {
			for c, cell := range row {
				name, err := excelize.CoordinatesToCellName(c+1, i+1)
				if err != nil {
					t.Fatal(err)
				}
				if formula, err := f.GetCellFormula(sheet, name); formula != "" || err != nil {
					t.Errorf("%s %s has the formula %q (%v)", sheet, name, formula, err)
				}
				if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") && cell != "-12.50" {
					t.Errorf("%s %s: a spreadsheet calculates %q", sheet, name, cell)
				}
				if _, link, err := f.GetCellHyperLink(sheet, name); err != nil || strings.ContainsAny(link, ":\\") {
					t.Errorf("%s %s leads to %q (%v)", sheet, name, link, err)
				}
			}
		}
	}
}

func TestCellLink(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"orders/PO1/a.pdf": "orders/PO1/a.pdf", "orders/PO 1/100 % #2.pdf": "orders/PO%201/100%20%25%20%232.pdf",
		"orders/Größe/見積.pdf": "orders/Größe/見積.pdf", `orders/"x" <y>'z'.pdf`: "orders/%22x%22%20%3Cy%3E%27z%27.pdf",
		"orders/a%20b.pdf": "orders/a%2520b.pdf", "orders/a?b:c": "orders/a%3Fb%3Ac", "": "", ".": "", "/etc/passwd": "", "../x": "", `orders\x`: "", "a\x00b": "", "a//b": "",
	} {
		got := cellLink(path)
		if got != want {
			t.Errorf("cellLink(%q) = %q, want %q", path, got, want)
		}
		if back, err := url.PathUnescape(got); got != "" && (err != nil || back != path) {
			t.Errorf("%q is read as %q (%v)", got, back, err)
		}
	}
}

func TestShorten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "abcd": "abcd", "abcde": "abc…", "äöüß": "äöüß", "ab😀c": "ab…", "a😀b": "a😀b", "😀😀😀": "😀…"} {
		if got := shorten(text, 4); got != want {
			t.Errorf("shorten(%q) = %q, want %q", text, got, want)
		}
	}
	cell := newWorkbook(&Report{}, "").text(strings.Repeat("=ä", 40_000)).(excelize.Cell).Value.(string)
	if n := len([]rune(cell)); n != maxCell || !strings.HasPrefix(cell, "'=ä") {
		t.Errorf("a cell has %d characters and begins with %q", n, cell[:8])
	}
}

// A workbook with little room goes on in further sheets, and has formulas in place of links.
func TestWorkbookLimits(t *testing.T) {
	t.Parallel()
	r := build(t, newMany(25))
	b := newWorkbook(r, t.TempDir())
	b.limits = sheetLimits{rows: 11, columns: 9, links: 4}
	if err := r.writeOrders(b); err != nil {
		t.Fatal(err)
	}
	b.limits = excelLimits
	if err := r.writeSummary(b); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := b.file.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	f := read(t, &out)
	if got, want := f.GetSheetList(), []string{"Orders", "Orders 2", "Orders 3", "Summary"}; !slices.Equal(got, want) {
		t.Fatalf("the sheets are %q, want %q", got, want)
	}
	var all []string
	for _, sheet := range f.GetSheetList()[:3] {
		rows := rowsOf(t, f, sheet)
		if len(rows[0]) != 9 || rows[0][0] != "PO Number" {
			t.Errorf("%s begins with %q", sheet, rows[0])
		}
		for i, row := range rows[1:] {
			all = append(all, row[0])
			name := fmt.Sprintf("I%d", i+2)
			linked, target, err := f.GetCellHyperLink(sheet, name)
			if err != nil {
				t.Fatal(err)
			}
			formula, err := f.GetCellFormula(sheet, name)
			if err != nil {
				t.Fatal(err)
			}
			path := "orders/" + row[0]
			if len(row) < 9 || row[7] == "0" {
				continue // it has no documents
			}
			if want := fmt.Sprintf("HYPERLINK(%q,%q)", path, path); i < 2 && (!linked || target != path) || i >= 2 && formula != want {
				t.Errorf("%s %s: linked to %q, formula %q", sheet, name, target, formula)
			}
		}
	}
	for i, po := range all {
		if want := fmt.Sprintf("PO%08d", 15_000_000+i*7); po != want {
			t.Errorf("row %d is %s, want %s", i+1, po, want)
		}
	}
	if len(all) != 25 {
		t.Errorf("%d rows, want 25", len(all))
	}
	summary := rowsOf(t, f, "Summary")
	if last := summary[len(summary)-1]; !slices.Equal(last, []string{"not in this workbook", "the last 9 columns of the sheet Orders"}) {
		t.Errorf("the summary ends with %q", last)
	}
}
