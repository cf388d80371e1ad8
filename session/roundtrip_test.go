package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// The results of a run are a sheet for another: results.xlsx and results.csv lead to the same
// orders as the first sheet, and the columns of the first results keep out of those of the second.
func TestResultsAreASheet(t *testing.T) {
	t.Parallel()
	const sheet = "\ufeffPO Number;Web address;Vendor;Amount;outcome\n" +
		"PO0017;https://portal.example/o/17#a%20b;=Acme;1.250,00;open\n" +
		"4500018;https://portal.example/o/18;Größe & Maß;7,00;\n" +
		"PO 0017;https://portal.example/o/17#a%20b;;;\n" +
		"15262984.0;https://portal.example/o/19;'quoted;12,50;\n" +
		";https://portal.example/o/20;No number;1,00;\n"
	first := readOrders(t, "first.csv", sheet)
	dir := t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, "session.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = l.Enqueue(t.Context(), first.Specs()...)
	record := tasks.Session{ID: uuid.Must(uuid.NewV7()), Status: tasks.SessionInterrupted, StartedAt: time.Now(), Input: first.Input}
	if err := errors.Join(err, l.SaveSession(t.Context(), record)); err != nil {
		t.Fatal(err)
	}
	if _, err := report.WriteFiles(t.Context(), dir, l); err != nil {
		t.Fatal(err)
	}
	want := ordersOf(first)
	for _, name := range []string{report.ResultsFile, report.WorkbookFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		again := readOrders(t, name, string(text))
		if got := ordersOf(again); !slices.Equal(got, want) {
			t.Errorf("%s has the orders\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if got := again.Input.Columns; !slices.Contains(got, "poscrape_outcome") || !slices.Contains(got, "folder") {
			t.Errorf("%s has the columns %q", name, got)
		}
	}
}

func readOrders(t *testing.T, name, text string) *orders.Sheet {
	t.Helper()
	sheet, err := orders.Read(name, strings.NewReader(text), orders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sheet
}

// ordersOf returns what is asked for of a sheet.
func ordersOf(sheet *orders.Sheet) []string {
	var list []string
	for _, spec := range sheet.Specs() {
		list = append(list, strings.Join([]string{spec.Key, spec.PO, spec.URL, spec.Dir}, " | "))
	}
	return list
}
