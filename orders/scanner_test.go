package orders

import (
	"encoding/csv"
	"reflect"
	"strings"
	"testing"
)

func TestScannerKeepsCellsVerbatim(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want []record
	}{
		"plain":            {"a,b\nc,d\n", rows("1 a|b", "2 c|d")},
		"no line end":      {"a,b", rows("1 a|b")},
		"CRLF":             {"a\r\nb\r\n", rows("1 a", "2 b")},
		"CR alone":         {"a\rb\r", rows("1 a", "2 b")},
		"CR CR LF":         {"a\r\r\nb", below(rows("1 a", "3 b"), 1)},
		"blank lines":      {"\n\na\n ,\n\"\"\nb", below(rows("3 a", "6 b"), 0, 1)},
		"spaces stay":      {" a , b ", rows("1  a | b ")},
		"quotes":           {`"a","b ""c"""` + "\n", rows(`1 a|b "c"`)},
		"bare quote":       {`12" pipe,b` + "\n", rows(`1 12" pipe|b`)},
		"space and quote":  {`a, "b"`, rows(`1 a| "b"`)},
		"empty cells":      {",a,\n", rows("1 |a|")},
		"delimiter inside": {`"a,b",c`, rows("1 a,b|c")},
		"LF inside":        {"\"a\nb\",c\nd", rows("1 a\nb|c", "3 d")},
		"CRLF inside":      {"\"a\r\nb\",c\r\nd", rows("1 a\r\nb|c", "3 d")},
		"CR inside":        {"\"a\rb\"\rd", rows("1 a\rb", "3 d")},
		"ends in a quote":  {`a,"b"`, rows("1 a|b")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := scanAll(t, test.text, ','); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestScannerErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text    string
		line    int
		message string
	}{
		"never closed":         {"a\nb,\"c\nd\ne", 2, "never closed"},
		"closed by another":    {"a,\"12 inch\nb,c\nd,\"Smith, Inc\"\n", 1, "in line 3"},
		"huge cell":            {"a\nb," + strings.Repeat("x", maxCellBytes+1), 2, "1 MiB"},
		"huge quoted cell":     {"a\n\"" + strings.Repeat("x", maxCellBytes+1) + "\"\n", 2, "1 MiB"},
		"cells without number": {"a\n" + strings.Repeat(",", maxCells), 2, "16384 cells"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScanner("x.csv", test.text, ',')
			for {
				_, ok, err := s.next()
				if err != nil {
					if err.Line != test.line || !strings.Contains(err.Message, test.message) {
						t.Errorf("got %v; want line %d and %q", err, test.line, test.message)
					}
					return
				}
				if !ok {
					t.Fatal("there is no error")
				}
			}
		})
	}
}

func TestScannerOddities(t *testing.T) {
	t.Parallel()
	for text, odd := range map[string]bool{
		`"a"`:                              false,
		`"12" pipe",b`:                     true,
		"\"Main Street 1\nBerlin\",b":      false,
		"\"a\nb\nc\nd\",b":                 false,
		"PO1,\"12 x\nPO2,u,x\nPO3,u,12\",": true,
	} {
		got := scanAll(t, text, ',')
		if (got[0].oddity != "") != odd {
			t.Errorf("%q: oddity %q", text, got[0].oddity)
		}
	}
}

func TestFindDelimiter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file, text string
		overrides  map[string]string
		want       byte
		line       int // of the header
	}{
		"comma":                          {text: "po,url\n", want: ','},
		"semicolon with decimal commas":  {text: "po;amount\nPO1;1,5\nPO2;2,5\nPO3;1,000,000\n", want: ';'},
		"tab":                            {text: "po\turl, of the order\n", want: '\t'},
		"pipe":                           {text: "amount|po\n", want: '|'},
		"one column":                     {text: "po\n1;2\n3;4\n", want: ','},
		"one column of a TSV file":       {file: "a.TSV", text: "po\n1,2\n", want: '\t'},
		"commas in a semicolon's header": {text: "PO;Supplier;Address: street, number, city\n", want: ';'},
		"quoted delimiters":              {text: "\"a;b;c;d;po\",url,po\n", want: ','},
		"quoted names of columns":        {text: "po,\"x;number;url;supplier\"\n", want: ','},
		"a known name beats more cells":  {text: "po;a,b,c,d\n", want: ';'},
		"the chosen column":              {text: "a,b;Beleg\n", overrides: map[string]string{"po": "beleg"}, want: ';'},
		"nothing known":                  {text: "a;b;c,d\n", want: ';'},
		"Excel's line":                   {text: "sep=;\r\npo;url\r\n", want: ';', line: 2},
		"Excel's line in quotes":         {text: "\"SEP=|\"\npo|url\n", want: '|', line: 2},
		"Excel's line with a tab":        {text: "sep=\t\rpo\turl\r", want: '\t', line: 2},
		"no line of Excel's":             {text: "sep=a\npo\n", want: ','},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, s := findDelimiter(test.file, test.text, test.overrides)
			header, _, err := s.next()
			if err != nil {
				t.Fatal(err)
			}
			if want := max(test.line, 1); got != test.want || header.line != want {
				t.Errorf("delimiter %q, header in line %d; want %q in line %d", got, header.line, test.want, want)
			}
		})
	}
}

// What encoding/csv can read, it reads alike.
func TestScannerAgreesWithEncodingCSV(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a,b\n\"c\nd\",\"e\"\"f\"\n", "a\n\nb,,\n", "\"\",x\r\n\"y\",\"z,\"\r\n"} {
		if want, ok := standardRows(text, ','); !ok || !reflect.DeepEqual(cellsOf(scanAll(t, text, ',')), want) {
			t.Errorf("%q is %q here and %q there", text, cellsOf(scanAll(t, text, ',')), want)
		}
	}
}

// rows writes records as "line cell|cell".
func rows(texts ...string) []record {
	var records []record
	for _, text := range texts {
		line, cells, _ := strings.Cut(text, " ")
		records = append(records, record{line: int(line[0] - '0'), cells: strings.Split(cells, "|")})
	}
	return records
}

func scanAll(t *testing.T, text string, delim byte) []record {
	t.Helper()
	var records []record
	s := newScanner("x.csv", text, delim)
	for {
		rec, ok, err := s.next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return records
		}
		records = append(records, rec)
	}
}

func cellsOf(records []record) [][]string {
	var cells [][]string
	for _, rec := range records {
		cells = append(cells, rec.cells)
	}
	return cells
}

// standardRows reads a text with encoding/csv, if that can read it and would
// change no line end. Blank rows are left out.
func standardRows(text string, delim rune) ([][]string, bool) {
	if strings.Contains(strings.ReplaceAll(text, "\r\n", "\n"), "\r") {
		return nil, false
	}
	r := csv.NewReader(strings.NewReader(strings.ReplaceAll(text, "\r\n", "\n")))
	r.Comma, r.FieldsPerRecord = delim, -1
	all, err := r.ReadAll()
	if err != nil {
		return nil, false
	}
	var kept [][]string
	for _, cells := range all {
		if !(record{cells: cells}).blank() {
			kept = append(kept, cells)
		}
	}
	return kept, true
}

// below has records stand below a gap.
func below(records []record, which ...int) []record {
	for _, i := range which {
		records[i].gap = true
	}
	return records
}
