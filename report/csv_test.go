package report

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/poscrape/poscrape/tasks"
)

func TestNeutral(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"": "", "Acme": "Acme", "12.50": "12.50", "a=b": "a=b", "'=x": "'=x", " =x": " =x",
		"=cmd|'/C calc'!A0": "'=cmd|'/C calc'!A0", "+49 30 1234": "'+49 30 1234", "@SUM(A1)": "'@SUM(A1)",
		"\t=x": "'\t=x", "\r=x": "'\r=x", "-": "'-", "-x": "'-x", "--1": "'--1", "-2+3": "'-2+3", "-1-2": "'-1-2",
		"-1+cmd|'/C calc'!A0": "'-1+cmd|'/C calc'!A0", "-1e5x": "'-1e5x", "-12.50\n=x": "'-12.50\n=x", "-A1": "'-A1",
		"-12.50": "-12.50", "-5.099.154,00": "-5.099.154,00", "-5 099,00": "-5 099,00", "-.5": "-.5", "-1'000": "-1'000",
		"\n=1+1": "'\n=1+1", "\uff1d1+1": "'\uff1d1+1", "\uff201": "'\uff201", "x;=1": "x;=1", "-1.5E+07": "-1.5E+07", "-0": "-0", "-5\u00a0099": "-5\u00a0099", "-1.": "'-1.", "-1..2": "'-1..2",
	} {
		if got := neutral(cell); got != want {
			t.Errorf("neutral(%q) = %q, want %q", cell, got, want)
		}
	}
}

func TestNeutralDivided(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"Acme;=HYPERLINK(\"x\")": "Acme;'=HYPERLINK(\"x\")", "x;+1+1;y": "x;'+1+1;y", "+1;@SUM(1)": "'+1;'@SUM(1)", "Acme|=1+1": "Acme|'=1+1",
		"Acme\t=1+1": "Acme\t'=1+1", "n;=2+2": "n;'=2+2", "x;\uff0b1+1": "x;'\uff0b1+1", "a\n=1+1": "a\n'=1+1", "a\r\n@x": "a\r\n'@x", ",,=1": ",,'=1",
		"x;\"=1+1;y": "x;'\"=1+1;y", "x;-5,cmd;y": "x;'-5,cmd;y", "a,-b": "a,'-b", "\xff;=1\xff": "\xff;'=1\xff", "x;-1;-A1": "x;-1;'-A1",
		"1.234,-": "1.234,-", "1.234,--": "1.234,--", "1.234,-; 5,-": "1.234,-; 5,-", "a;-5,30;b": "a;-5,30;b", "0,-1|0,+|x": "0,'-1|0,+|x", "x;-\t1+1": "x;'-\t1+1", "x;+": "x;+", "a\n-\nb": "a\n-\nb",
		"Acme, Inc.": "Acme, Inc.", "a = b; c - d": "a = b; c - d", "x; =1": "x; =1", "me@acme.example, you@acme.example": "me@acme.example, you@acme.example",
	} {
		if got := neutralDivided(cell); got != want {
			t.Errorf("neutralDivided(%q) = %q, want %q", cell, got, want)
		}
	}
}

// FuzzNeutralDivided: however a spreadsheet divides a line of results.csv, none of its cells begins like
// a formula.
func FuzzNeutralDivided(f *testing.F) {
	for _, cell := range []string{"x;+1+1;y", "a\n\"=1", "1.234,-;=", "-1;-2,x", "\t\uff1d|@"} {
		f.Add(cell, "x")
		f.Add("x", cell)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		for _, comma := range ",;\t|" {
			var line strings.Builder
			w := csv.NewWriter(&line)
			w.Comma = comma
			if err := w.Write([]string{neutralDivided(first), neutralDivided(second)}); err != nil {
				t.Fatal(err)
			}
			w.Flush()
			for divider := range strings.SplitSeq(";,\t|", "") {
				if divider == string(comma) {
					continue
				}
				for row := range strings.FieldsFuncSeq(line.String(), func(c rune) bool { return strings.ContainsRune("\r\n", c) }) {
					for cell := range strings.SplitSeq(row, divider) {
						cell = strings.TrimRight(unquoted(cell), `"`)
						rest, _, _ := strings.Cut(cell, string(comma))
						if strings.ContainsRune(signs, firstRune(cell)) && !loneSign(cell) && !negativeNumber.MatchString(cell) && !negativeNumber.MatchString(strings.TrimRight(rest, `"`)) {
							t.Errorf("%q, %q: divided at %q, %q is a formula", first, second, divider, cell)
						}
					}
				}
			}
		}
	})
}

// unquoted returns a cell as Excel reads it: what follows its closing quote belongs to it.
func unquoted(cell string) string {
	inside, quoted := strings.CutPrefix(cell, `"`)
	if !quoted {
		return cell
	}
	var text strings.Builder
	for {
		part, rest, closed := strings.Cut(inside, `"`)
		text.WriteString(part)
		if !closed || !strings.HasPrefix(rest, `"`) {
			return text.String() + rest
		}
		text.WriteByte('"')
		inside = rest[1:]
	}
}

// loneSign reports whether nothing follows a sign, or what divides cells.
func loneSign(cell string) bool {
	_, size := utf8.DecodeRuneInString(cell)
	rest := strings.TrimLeft(cell[size:], "-\"")
	return rest == "" || strings.ContainsRune(dividers+lineBreaks, firstRune(rest))
}

func TestResultsNeverHoldAFormula(t *testing.T) {
	t.Parallel()
	m := hostile()
	m.tasks[0].URL, m.tasks[0].Result.Folder = "=HYPERLINK(1)", "@folder"
	for _, record := range records(t, written(t, build(t, m).WriteResultsCSV)) {
		for _, cell := range record {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") && cell != "-12.50" {
				t.Errorf("a spreadsheet calculates %q", cell)
			}
		}
	}
}

func TestResultsColumns(t *testing.T) {
	t.Parallel()
	plain := []string{"outcome", "url", "attachments_found", "attachments_downloaded", "folder", "error", "attempts", "seconds"}
	for name, test := range map[string]struct{ input, want []string }{
		"none taken":  {[]string{"PO", "supplier"}, plain},
		"taken":       {[]string{"URL", " Seconds "}, []string{"outcome", "poscrape_url", "attachments_found", "attachments_downloaded", "folder", "error", "attempts", "poscrape_seconds"}},
		"folded":      {[]string{"attachments found"}, []string{"outcome", "url", "poscrape_attachments_found", "attachments_downloaded", "folder", "error", "attempts", "seconds"}},
		"taken twice": {[]string{"error", "Poscrape_Error"}, []string{"outcome", "url", "attachments_found", "attachments_downloaded", "folder", "poscrape_poscrape_error", "attempts", "seconds"}},
	} {
		if got := addedNames(test.input, plain); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestResultsStayAligned(t *testing.T) {
	t.Parallel()
	m := finished()
	long, short := m.tasks[4], m.tasks[0]
	long.Rows[0].Cells = []string{"a", "b", "c", "d", "e", "f"}
	short.Rows[0].Cells = []string{"x"}
	lines := records(t, written(t, build(t, m).WriteResultsCSV))
	for i, record := range lines {
		if len(record) != 18 {
			t.Errorf("line %d has %d cells: %q", i+1, len(record), record)
		}
	}
	if got := lines[1][:5]; !slices.Equal(got, []string{"x", "", "", "", "complete"}) {
		t.Errorf("the short row is %q", got)
	}
	if got := lines[5][:5]; !slices.Equal(got, []string{"a", "b", "c", "d", "invalid_input"}) {
		t.Errorf("the long row is %q", got)
	}
}

func TestFailedRowsAreVerbatim(t *testing.T) {
	t.Parallel()
	rows := [][]string{
		{"PO Number", "=note"},
		{"=1+1", "-x", "+1", "@y"},
		{`with "quotes", and commas`, "two\nlines", " space "},
		{""},
		{"\ttab", `\.`, "größer ￥", "a;b|c"},
	}
	bad := tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "bad")
	m := &memory{session: tasks.Session{Status: tasks.SessionCompleted, Input: tasks.Input{Columns: rows[0]}}}
	// The rows come in another order than in the input.
	for _, i := range []int{3, 1, 4, 2} {
		task := newOrder(i, "", tasks.StateFailed, tasks.OutcomeInvalidInput)
		task.Failure, task.Rows = bad, []tasks.Row{{Line: i + 1, Cells: rows[i]}}
		m.tasks = append(m.tasks, task)
	}
	got := records(t, written(t, build(t, m).WriteFailedCSV))
	if !slices.EqualFunc(got, rows, slices.Equal) {
		t.Errorf("failed.csv reads as\n%q, want\n%q", got, rows)
	}
}

// A reader has to find the delimiter in the header, so that none but the commas
// may stand there without quotes.
func TestFailedQuotesWhateverCouldBeADelimiter(t *testing.T) {
	t.Parallel()
	for text, cells := range map[string][]string{
		"po,url\n":              {"po", "url"},
		"\"po;x\",url\n":        {"po;x", "url"},
		"po,\"a|b\",\"c\td\"\n": {"po", "a|b", "c\td"},
		"\"a\"\"b\",\"c,d\"\n":  {`a"b`, "c,d"},
		"\"\ufeffpo\",\" x\"\n": {"\ufeffpo", " x"},
		"\"a\rb\",\"c\r\nd\"\n": {"a\rb", "c\r\nd"},
		"\"\"\n":                {""},
		",\n":                   {"", ""},
	} {
		if got := string(appendVerbatim(nil, cells, ',')); got != text {
			t.Errorf("%q is written %q, want %q", cells, got, text)
		}
	}
	if got := string(appendVerbatim(nil, nil, ',')); got != "\"\"\n" {
		t.Errorf("no cells are written %q", got)
	}
}

func TestFailedLeavesOutWhatIsResumed(t *testing.T) {
	t.Parallel()
	if r := build(t, interrupted()); r.HasFailed() {
		t.Errorf("failed.csv would hold %q", written(t, r.WriteFailedCSV))
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	t.Parallel()
	m := hostile()
	record := records(t, written(t, build(t, m).WriteResultsCSV))[1]
	if got := record[12]; strings.ContainsAny(got, "\r\n\t\x00\x1b") || !strings.HasSuffix(got, "[31m second line") {
		t.Errorf("error is %q", got)
	}
}

// The columns of a recipe's fields, and of where these differ from the sheet, are there also
// where no page was read.
func TestResultsHaveTheFields(t *testing.T) {
	t.Parallel()
	m := finished()
	m.session.Fields = []string{"total", "buyer", "URL"}
	m.session.Input.Roles = map[string]int{"po": 0, "url": 1, "supplier": 2, "amount": 3}
	m.tasks[0].Result.Fields["buyer"] = tasks.Field{Raw: "=A1"}
	m.tasks[0].Result.Fields["supplier"] = tasks.Field{Raw: "Acme | Holding", Value: "Acme | Holding", Type: "text"}
	r := build(t, m)
	lines := records(t, written(t, r.WriteResultsCSV))
	if got, want := lines[0][12:], []string{"differences", "new_documents", "confirmed", "total", "buyer", "poscrape_poscrape_URL"}; !slices.Equal(got, want) {
		t.Errorf("the columns are %q, want %q", got, want)
	}
	if got, want := lines[1][12:], []string{"supplier: Acme GmbH | Acme | Holding", "", "yes", "1250.00", "'=A1", ""}; !slices.Equal(got, want) {
		t.Errorf("the first row has %q, want %q", got, want)
	}
	if got, want := lines[4][12:], []string{"", "", "", "", "", ""}; !slices.Equal(got, want) {
		t.Errorf("the row of an order that is not there has %q, want %q", got, want)
	}
	if r.Totals.Differences != 2 {
		t.Errorf("%d differences are counted, want one for each of its two rows", r.Totals.Differences)
	}
}
