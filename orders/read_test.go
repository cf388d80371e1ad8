package orders

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/poscrape/poscrape/tasks"
)

const sheets = "../testdata/sheets"

func TestSampleSheetsInEveryForm(t *testing.T) {
	t.Parallel()
	want := readSample(t, "utf8.csv", Options{})
	for _, name := range []string{
		"utf8.csv", "utf8-bom.csv", "utf16le.csv", "utf16be.csv", "utf16le-bom.csv", "utf16be-bom.csv", "windows-1252.csv",
		"semicolon.csv", "tab.tsv", "pipe.csv", "crlf.csv", "cr.csv", "excel-sep.csv", "excel-unicode-text.txt",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := readSample(t, name, Options{})
			checkInvariants(t, got)
			data, err := os.ReadFile(filepath.Join(sheets, name))
			if err != nil {
				t.Fatal(err)
			}
			if hash := fmt.Sprintf("%x", sha256.Sum256(data)); got.Input.SHA256 != hash || got.Input.Rows != 4 {
				t.Errorf("input is %+v, want the hash %s", got.Input, hash)
			}
			if !slices.Equal(got.Input.Columns, want.Input.Columns) {
				t.Errorf("columns: %q", got.Input.Columns)
			}
			if len(got.Orders) != 4 || len(got.Problems) != 0 {
				t.Fatalf("%d orders, problems %v", len(got.Orders), got.Problems)
			}
			shift := got.Orders[0].Rows[0].Line - 2 // of Excel's first line
			for i, order := range got.Orders {
				for j := range order.Rows {
					row := &order.Rows[j]
					row.Line -= shift
					for k := range row.Cells {
						row.Cells[k] = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(row.Cells[k])
					}
				}
				if !reflect.DeepEqual(order, want.Orders[i]) {
					t.Errorf("got  %+v\nwant %+v", order, want.Orders[i])
				}
			}
		})
	}
	first, third := want.Orders[0], want.Orders[2]
	if first.Sheet.Supplier != "Müller & Söhne GmbH" || first.Sheet.Amount != "5.099.154,00" || first.Priority != 2 || third.Sheet.Supplier != `O'Neill "Pipes" Ltd` || third.Rows[0].Line != 5 {
		t.Errorf("the orders are %+v and %+v", first, third)
	}
}

func TestEncodingAndDelimiterAreNamed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"utf8-bom.csv": "UTF-8 ,", "utf16le.csv": "UTF-16LE ,", "utf16be-bom.csv": "UTF-16BE ,",
		"windows-1252.csv": "Windows-1252 ;", "tab.tsv": "UTF-8 \t", "excel-unicode-text.txt": "UTF-16LE \t",
	} {
		sheet := readSample(t, name, Options{})
		if got := sheet.Encoding + " " + string(sheet.Delimiter); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestRowsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	sheet := readSample(t, "bad-rows.csv", Options{})
	checkInvariants(t, sheet)
	if len(sheet.Orders) != 2 || len(sheet.Unusable) != 7 {
		t.Fatalf("%d orders and %d unusable rows", len(sheet.Orders), len(sheet.Unusable))
	}
	for i, want := range []string{"no order number", "lost its digits", "https://", "no host", "password", "space", "--url"} {
		row := sheet.Unusable[i]
		spec := row.Spec()
		message := fmt.Sprintf("bad-rows.csv:%d: ", i+3)
		if spec.Invalid == nil || !strings.Contains(spec.Invalid.Message, message) || !strings.Contains(spec.Invalid.Message, want) || strings.Contains(spec.Invalid.Message, "secret") {
			t.Errorf("row %d: %v; want %q and %q", i, spec.Invalid, message, want)
		}
		var problem Problem
		if !errors.As(error(spec.Invalid), &problem) || problem.Line != i+3 || problem.Warning {
			t.Errorf("row %d: problem %+v", i, problem)
		}
		if spec.PO != "" || spec.Dir != fmt.Sprintf("row-%d", i+3) || spec.Invalid.Class != tasks.ClassInvalidInput ||
			spec.Invalid.Outcome != tasks.OutcomeInvalidInput || spec.Invalid.Advice != tasks.AdvicePermanent {
			t.Errorf("row %d: %+v", i, spec)
		}
	}
}

func TestRaggedRows(t *testing.T) {
	t.Parallel()
	sheet := readSample(t, "ragged.csv", Options{})
	checkInvariants(t, sheet)
	want := []string{
		`ragged.csv:4: the row is used (it has 5 cells, the header only 3`,
		`ragged.csv:5: url: there is no URL`,
		`ragged.csv:6: url: "Smith" does not begin with https:// or http:// (it has 4 cells`,
		`ragged.csv:8: a quote is closed in the middle of a cell`,
	}
	for i, problem := range sheet.Problems {
		if i >= len(want) || !strings.Contains(problem.Error(), want[i]) {
			t.Errorf("problem %d: %v", i, problem)
		}
	}
	if len(sheet.Problems) != len(want) || len(sheet.Orders) != 5 {
		t.Errorf("%d problems, %d orders", len(sheet.Problems), len(sheet.Orders))
	}
	if short := sheet.Unusable[0].Row.Cells; len(short) != 1 {
		t.Errorf("the short row has %q", short)
	}
}

func TestBlankRowsAreNoRows(t *testing.T) {
	t.Parallel()
	sheet := readSample(t, "blank-lines.csv", Options{})
	if sheet.Input.Rows != 2 || sheet.Orders[0].Rows[0].Line != 5 || sheet.Orders[1].Rows[0].Line != 9 {
		t.Errorf("%+v", sheet)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	directory, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { directory.Close() })
	broken := errors.New("the disk is gone")
	for name, test := range map[string]struct {
		name    string
		text    string
		options Options
		message string
	}{
		"empty":                     {text: "", message: "pos.csv: the file is empty"},
		"mark only":                 {text: "\ufeff", message: "is empty"},
		"blank":                     {text: " \n\n,,\n", message: "is empty"},
		"header only":               {text: "\npo,url\n\n", message: "pos.csv:2: the file has a header but no rows"},
		"no number column":          {text: "a,b\n1,2\n", message: `"a", "b"`},
		"no header":                 {text: "PO15,https://h.example/15\n", message: "looks like data"},
		"no header, numbers":        {text: "1234567\n1234568\n", message: "looks like data"},
		"no URLs":                   {text: "po\n1\n", message: "--url"},
		"no such column":            {text: "po,url\n1,\n", options: Options{Columns: map[string]string{"url": "Adresse"}}, message: `pos.csv:1: --column url=Adresse: there is no such column; the columns are "po", "url"`},
		"template's column":         {text: "po\n1\n", options: Options{URL: "https://h.example/{column:Site}"}, message: `a column "Site" that is not there; the columns are "po"`},
		"two number columns":        {text: "order no,bestellung nr,url\n1,2,3\n", message: "--column po=NAME"},
		"quote":                     {text: "po,url,\"Free text\"\n1,https://h.example/,\"x\n", message: "pos.csv:2: Free text: a quote is opened here"},
		"quote in the header":       {text: "po,\"url\n1,2\n", message: "pos.csv:1: a quote is opened here"},
		"NUL":                       {text: "po,url\n1\x00,2\n", message: "pos.csv:2: there is a NUL byte"},
		"binary":                    {text: "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00>\x00", message: "NUL byte"},
		"half a character":          {text: "\xff\xfep\x00o\x00\n", message: "cut off"},
		"ZIP":                       {text: "PK\x03\x04rest", message: "the workbook is damaged"},
		"old workbook":              {text: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", message: "an old Excel workbook (.xls); save it as .xlsx"},
		"workbook by name":          {name: "Orders.XLSX", text: "po,url\n1,https://h.example/\n", message: "Orders.XLSX: it is named as a workbook, but is none"},
		"Excel's lock":              {name: "in/~$Orders.xlsx", text: "\x05Anna L ", message: `it is no sheet, but says that a program has one open: name "Orders.xlsx"`},
		"LibreOffice's lock":        {name: ".~lock.Orders.xlsx#", text: ",anna,pc,25.11.2026 10:00;", message: `has one open: name "Orders.xlsx"`},
		"page":                      {name: "orders.csv", text: "\n<table><tr><td>po", message: "it is a page (HTML or XML), not a sheet"},
		"page by a workbook's name": {name: "orders.xls", text: "\ufeff<html><body><table><tr><td>po", message: "it is a page (HTML or XML), not a sheet"},
		"web archive":               {name: "orders.xls", text: "From: <Saved>\r\nContent-Type: multipart/related;\r\n\tboundary=x\r\nMIME-Version: 1.0\r\n", message: "it is a page in a web archive (MHTML), not a sheet"},
		"page in UTF-16":            {name: "orders.xls", text: "\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00", message: "it is a page (HTML or XML), not a sheet"},
		"PDF":                       {name: "orders.csv", text: "%PDF-1.7\npo,url", message: "it is a PDF, not a sheet: ask for the table"},
		"picture":                   {name: "orders.xlsx", text: "\x89PNG\r\n", message: "it is a picture"},
		"JSON":                      {name: "orders.csv", text: `[{"po": "PO1"}]`, message: "it is JSON"},
		"archive":                   {name: "orders.csv", text: "\x1f\x8b\x08", message: "it is an archive"},
		"sheet of a text":           {text: "po\n1\n", options: Options{Sheet: "S"}, message: "--sheet S: it is no workbook"},
		"standard input":            {name: "-", text: "", message: "standard input: the file is empty"},
		"many columns":              {text: strings.Repeat("x,", 30) + "\n", message: "and 11 more"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.name == "" {
				test.name = "pos.csv"
			}
			_, err := Read(test.name, strings.NewReader(test.text), test.options)
			var unreadable *FileError
			if !asError(err, &unreadable) || !strings.Contains(err.Error(), test.message) {
				t.Errorf("got %v; want %q", err, test.message)
			}
		})
	}
	if _, err := Read("dir", directory, Options{}); err == nil || !strings.Contains(err.Error(), "dir: this is a directory") {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Read("pos.csv", iotest.ErrReader(broken), Options{}); !errors.Is(err, broken) {
		t.Errorf("a broken disk: %v", err)
	}
	var wrong *OptionError
	if _, err := Read("pos.csv", strings.NewReader(""), Options{URL: "x"}); !asError(err, &wrong) {
		t.Errorf("a wrong option: %v", err)
	}
}

func TestSampleFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"empty.csv", "header-only.csv", "no-header.csv", "unknown-columns.csv", "ambiguous.csv",
		"unterminated-quote.csv", "stray-quote.csv", "nul.csv", "workbook-renamed.csv",
	} {
		file, err := os.Open(filepath.Join(sheets, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		var unreadable *FileError
		if _, err = Read(name, file, Options{}); !asError(err, &unreadable) || unreadable.File != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Rows that encoding/csv has written are read again as they were.
func TestRowsWrittenDownAreReadAgain(t *testing.T) {
	t.Parallel()
	options := Options{URL: "https://h.example/{po}"}
	for _, name := range []string{"utf8.csv", "windows-1252.csv", "crlf.csv", "cr.csv", "excel-sep.csv", "ragged.csv", "duplicates.csv", "numbers.csv", "bad-rows.csv", "one-column.csv"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := readSample(t, name, options)
			checkReadAgain(t, first, options)
		})
	}
}
