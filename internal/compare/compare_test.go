package compare

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func text(value string) tasks.Field { return tasks.Field{Raw: value, Value: value, Type: "text"} }

func amountOf(raw, value string) tasks.Field {
	return tasks.Field{Raw: raw, Value: value, Type: "amount"}
}

func date(value string) tasks.Field { return tasks.Field{Raw: value, Value: value, Type: "date"} }

// differences compares one order, whose rows are the first of all.
func differences(input tasks.Input, rows [][]string, of int, fields map[string]tasks.Field) []string {
	c := New(input)
	var order []tasks.Row
	for i, cells := range rows {
		c.See(cells)
		if i < of {
			order = append(order, tasks.Row{Line: i + 2, Cells: cells})
		}
	}
	var list []string
	for _, d := range c.Order(order, fields) {
		list = append(list, fmt.Sprintf("%d %s %s: %s | %s", d.Row, d.Field, d.Column, d.Sheet, d.Portal))
	}
	return list
}

func TestOrder(t *testing.T) {
	t.Parallel()
	type fields = map[string]tasks.Field
	input := tasks.Input{Columns: []string{"PO", "Vendor", "Betrag", "Currency", "Issued", "Ref", "Contract"},
		Roles: map[string]int{"po": 0, "supplier": 1, "amount": 2, "currency": 3}}
	others := [][]string{{"2", "B", "7,50", "EUR", "28.02.2025", "A-1"}, {"3", "C", "", "", "", ""}}
	for name, test := range map[string]struct {
		row    []string
		fields fields
		want   []string
	}{
		"all the same": {[]string{"1", "Müller  & Söhne, GmbH", "1.234,5", "EUR", "14.03.2025", "x/1"},
			fields{"supplier": text("MÜLLER & SÖHNE GMBH"), "total": amountOf("EUR 1,234.50", "1234.50"), "currency": text("€"), "issued": date("2025-03-14"), "ref": text("X 1")}, nil},
		"a name turned round":   {[]string{"1", "O'Shea, Daniel"}, fields{"supplier": text("Daniel O'Shea")}, nil},
		"turned in the portal":  {[]string{"1", "Dana Meyer"}, fields{"supplier": text("MEYER, Dana")}, nil},
		"another first name":    {[]string{"1", "Meyer, Dan"}, fields{"supplier": text("Dana Meyer")}, []string{"2 supplier Vendor: Meyer, Dan | Dana Meyer"}},
		"nothing but a dash":    {[]string{"1", "Meyer"}, fields{"supplier": text("—")}, []string{"2 supplier Vendor: Meyer | —"}},
		"another supplier":      {[]string{"1", "Acme"}, fields{"supplier": text("Acme Holding")}, []string{"2 supplier Vendor: Acme | Acme Holding"}},
		"vendor has the column": {[]string{"1", "Acme"}, fields{"supplier": text("Other"), "vendor": text("acme")}, nil},
		"another amount":        {[]string{"1", "", "1.234,50"}, fields{"total": amountOf("1,234.05", "1234.05")}, []string{"2 total Betrag: 1.234,50 | 1234.05"}},
		"a point that groups":   {[]string{"1", "", "1.234"}, fields{"total": amountOf("1.234", "1.234")}, []string{"2 total Betrag: 1.234 | 1.234"}},
		"an amount as text":     {[]string{"1", "", "1.234,50"}, fields{"total": text("USD 1,234.50")}, nil},
		"no number in the cell": {[]string{"1", "", "n/a"}, fields{"total": amountOf("1", "1")}, []string{"2 total Betrag: n/a | 1"}},
		"unreadable amount":     {[]string{"1", "", "5"}, fields{"total": {Raw: "on request", Type: "amount", Error: "not an amount"}}, nil},
		"amount before total":   {[]string{"1", "", "5"}, fields{"amount": amountOf("5", "5"), "total": amountOf("6", "6")}, nil},
		"empty cell":            {[]string{"1", " ", ""}, fields{"supplier": text("Acme"), "total": amountOf("1", "1")}, nil},
		"short row":             {[]string{"1"}, fields{"supplier": text("Acme")}, nil},
		"another currency":      {[]string{"1", "", "", "EUR"}, fields{"currency": text("$")}, []string{"2 currency Currency: EUR | $"}},
		"another day":           {[]string{"1", "", "", "", "03.04.2025"}, fields{"issued": date("2025-03-04")}, []string{"2 issued Issued: 03.04.2025 | 2025-03-04"}},
		"days, as texts":        {[]string{"1", "", "", "", "14.03.2025"}, fields{"issued": text("March 14, 2025")}, nil},
		"zeros of a code":       {[]string{"1", "", "", "", "", "", "0012"}, fields{"contract": text("12")}, []string{"2 contract Contract: 0012 | 12"}},
		"a number as text":      {[]string{"1", "", "", "", "", "", "12.0"}, fields{"contract": text("12")}, nil},
		"a cell that is no day": {[]string{"1", "", "", "", "soon"}, fields{"issued": date("2025-03-14")}, []string{"2 issued Issued: soon | 2025-03-14"}},
		"the order's number":    {[]string{"1"}, fields{"po": text("PO 1")}, nil},
		"no such column":        {[]string{"1", "Acme"}, fields{"buyer": text("Somebody")}, nil},
	} {
		if got := differences(input, append([][]string{test.row}, others...), 1, test.fields); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestSeveralRows(t *testing.T) {
	t.Parallel()
	input := tasks.Input{Columns: []string{"PO", "Amount", "Buyer"}, Roles: map[string]int{"po": 0, "amount": 1}}
	rows := [][]string{{"1", "10.50", "Ann"}, {"1", "4.50", "Bob"}, {"2", "1,000.00", ""}}
	for name, test := range map[string]struct {
		fields map[string]tasks.Field
		want   []string
	}{
		"their sum":    {map[string]tasks.Field{"amount": amountOf("15", "15.00")}, nil},
		"one of them":  {map[string]tasks.Field{"amount": amountOf("10.5", "10.5")}, []string{"3 amount Amount: 4.50 | 10.5"}},
		"neither":      {map[string]tasks.Field{"amount": amountOf("14", "14")}, []string{"2 amount Amount: 10.50 | 14", "3 amount Amount: 4.50 | 14"}},
		"text, by row": {map[string]tasks.Field{"buyer": text("ann")}, []string{"3 buyer Buyer: Bob | ann"}},
	} {
		if got := differences(input, rows, 2, test.fields); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestOverruled(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"1", "10", "20"}, {"2", "30", "40"}}
	fields := map[string]tasks.Field{"net_amount": amountOf("20", "20"), "total": amountOf("11", "11")}
	for name, test := range map[string]struct {
		compare map[string]string
		want    []string
	}{
		"by role":     {nil, []string{"2 total Amount: 10 | 11"}},
		"another":     {map[string]string{"Net amount": "second", "total": Off}, nil},
		"all off":     {map[string]string{All: Off}, nil},
		"old session": {nil, nil},
		"column used": {map[string]string{"net_amount": "Amount"}, []string{"2 net_amount Amount: 10 | 20"}},
	} {
		input := tasks.Input{Columns: []string{"PO", "Amount", "Second"}, Roles: map[string]int{"po": 0, "amount": 1}, Compare: test.compare}
		if name == "old session" {
			input.Roles = nil
		}
		if got := differences(input, rows, 1, fields); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func BenchmarkSee(b *testing.B) {
	cells := []string{"PO 4500017", "https://portal.example/orders/4500017", "Müller & Söhne GmbH", "1.250,00", "EUR", "14.03.2025", "3", "Ann"}
	c := New(tasks.Input{Columns: cells, Roles: map[string]int{"po": 0}})
	for b.Loop() {
		c.See(cells)
	}
}

// TestEarlierResults: what an earlier run has written beside a sheet is no word of the sheet.
func TestEarlierResults(t *testing.T) {
	t.Parallel()
	header := []string{"PO", "Total", "outcome", "url", "attachments_found", "attachments_downloaded", "buyer", "poscrape_total"}
	input := tasks.Input{Columns: header, Roles: map[string]int{"po": 0, "url": 3}, Compare: map[string]string{"seen": "poscrape_total"}}
	row := tasks.Row{Line: 2, Cells: []string{"1", "5.00", "done", "https://portal.example/1", "0", "0", "Ann", "7.00"}}
	c := New(input)
	c.See(row.Cells)
	got := c.Order([]tasks.Row{row}, map[string]tasks.Field{"total": amountOf("6.00", "6.00"), "buyer": text("Bob"), "seen": amountOf("8.00", "8.00")})
	want := []Difference{{Row: 2, Field: "seen", Column: "poscrape_total", Sheet: "7.00", Portal: "8.00"}, {Row: 2, Field: "total", Column: "Total", Sheet: "5.00", Portal: "6.00"}}
	if !slices.Equal(got, want) {
		t.Errorf("the differences are %+v", got)
	}
}

// TestCompared counts what came of each column, and names those with a role that nothing was held against.
func TestCompared(t *testing.T) {
	t.Parallel()
	input := tasks.Input{Columns: []string{"PO", "Vendor", "Betrag", "Currency", "Ref"}, Roles: map[string]int{"po": 0, "supplier": 1, "amount": 2, "currency": 3}}
	for compared, want := range map[string][]Compared{
		"":                        {{"Vendor", "supplier", 2, 1}, {"Betrag", "amount", 0, 0}, {"Ref", "", 1, 0}},
		"total=none":              {{"Vendor", "supplier", 2, 1}, {"Ref", "", 1, 0}},
		"betrag=none":             {{"Vendor", "supplier", 2, 1}, {"Ref", "", 1, 0}},
		"po_total=Betrag":         {{"Vendor", "supplier", 2, 1}, {"Betrag", "amount", 1, 0}, {"Ref", "", 1, 0}},
		"supplier=none, ref=none": {{"Betrag", "amount", 0, 0}},
		"=none":                   {},
	} {
		input.Compare = map[string]string{}
		for _, pair := range strings.Split(compared, ", ") {
			if field, column, is := strings.Cut(pair, "="); is {
				input.Compare[field] = column
			}
		}
		c := New(input)
		rows := [][]string{{"1", "Acme", "5", "", "R"}, {"2", "Beta", "", "", ""}}
		for _, cells := range rows {
			c.See(cells)
		}
		c.Order([]tasks.Row{{Cells: rows[0]}}, map[string]tasks.Field{"supplier": text("ACME"), "po_total": amountOf("5", "5"), "ref": text("r")})
		c.Order([]tasks.Row{{Cells: rows[1]}}, map[string]tasks.Field{"supplier": text("Gamma"), "po_total": amountOf("5", "5"), "ref": text("r")})
		if got := c.Compared(); !slices.Equal(got, want) {
			t.Errorf("%q: got %+v, want %+v", compared, got, want)
		}
	}
}

// TestDocuments compares what the sheet says of how many documents an order has with how many are listed.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cells   []string
		compare map[string]string
		want    string
	}{
		"equal":               {[]string{"2"}, nil, ""},
		"fewer are listed":    {[]string{"3"}, nil, "2 documents Documents: 3 | 2"},
		"more are listed":     {[]string{"1"}, nil, "2 documents Documents: 1 | 2"},
		"a silent cell":       {[]string{""}, nil, ""},
		"no number":           {[]string{"many"}, nil, ""},
		"two rows, their sum": {[]string{"1", "1"}, nil, ""},
		"two rows, one each":  {[]string{"2", "3"}, nil, "3 documents Documents: 3 | 2"},
		"switched off":        {[]string{"3"}, map[string]string{"documents": Off}, ""},
		"all switched off":    {[]string{"3"}, map[string]string{All: Off}, ""},
	} {
		comparison := New(tasks.Input{Columns: []string{"PO", "Documents"}, Roles: map[string]int{"po": 0, "documents": 1}, Compare: c.compare})
		var rows []tasks.Row
		for i, cell := range c.cells {
			rows = append(rows, tasks.Row{Line: i + 2, Cells: []string{"PO1", cell}})
		}
		var got []string
		for _, d := range comparison.Documents(rows, 2) {
			got = append(got, fmt.Sprintf("%d %s %s: %s | %s", d.Row, d.Field, d.Column, d.Sheet, d.Portal))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
