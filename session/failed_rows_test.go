package session_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// The rows that did not end well are written down, and read again as they were,
// whatever their header could be taken for.
func TestFailedRowsAreReadAgain(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"plain":                "po,url,note\n1,x,n\n2,y,\n",
		"semicolon":            "po,\"url;po;amount\",url\n1,\"a;b\",x\n",
		"semicolons all over":  "\"x;po;url;amount;currency;y\",\"order no\",url\n\"a;1;2;3;4;5\",15,x\n",
		"tab":                  "po;url;\"po\turl\tsupplier\"\n1;x;a\tb\n",
		"pipe":                 "po\t\"a|po|url\"\tÜber\turl\n1\ta|b\tc\tx\n",
		"comma":                "po|url|\"a,b\"\n1|x|\"c,d\"\n",
		"quote":                "po,\"a \"\"b\"\";c\",url\n1,\"\"\"q\"\"\",x\n",
		"line breaks":          "po,\"a\r\nb;c\",url\r\n1,\"d\re\",x\r\n",
		"byte order mark":      "\"\ufeffpo\",url\n1,x\n",
		"spaces":               " po , url;x ,url\n 1 ,  , x\n",
		"short and long":       "po,url\n1\n2,x,\"more;of|it\"\n",
		"nothing in the first": "note,po,url\n,1,\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := orders.Options{URL: "https://portal.example/{po}", Columns: map[string]string{"url": "none"}}
			first, err := orders.Read("pos.csv", strings.NewReader(text), options)
			if err != nil {
				t.Fatal(err)
			}
			written := failedRows(t, first)
			second, err := orders.Read("failed.csv", strings.NewReader(written), options)
			if err != nil {
				t.Fatalf("%v\n%s", err, written)
			}
			if !slices.Equal(second.Input.Columns, first.Input.Columns) || !reflect.DeepEqual(cells(second), cells(first)) {
				t.Errorf("%q\nwas read as   %q %q\nand was first %q %q", written, second.Input.Columns, cells(second), first.Input.Columns, cells(first))
			}
		})
	}
}

// failedRows returns the failed.csv of a session with the sheet's rows.
func failedRows(t *testing.T, sheet *orders.Sheet) string {
	t.Helper()
	l, err := ledger.Open(filepath.Join(t.TempDir(), "session.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.SaveSession(t.Context(), tasks.Session{Status: tasks.SessionCompleted, Input: sheet.Input}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Enqueue(t.Context(), sheet.Specs()...); err != nil {
		t.Fatal(err)
	}
	for range sheet.Orders {
		leases, err := l.Claim(t.Context(), tasks.ClaimRequest{Worker: "worker_001"})
		if err != nil {
			t.Fatal(err)
		}
		failed := tasks.Decision{To: tasks.StateFailed, Outcome: tasks.OutcomeFailed, Failure: tasks.Permanent("", tasks.ClassPage, "it broke")}
		if err := errors.Join(l.Start(t.Context(), leases[0]), l.Record(t.Context(), leases[0], failed)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := report.Build(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := r.WriteFailedCSV(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func cells(sheet *orders.Sheet) (rows [][]string) {
	for _, spec := range sheet.Specs() {
		for _, row := range spec.Rows {
			rows = append(rows, row.Cells)
		}
	}
	return rows
}
