package orders

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func readSample(t *testing.T, name string, o Options) *Sheet {
	t.Helper()
	file, err := os.Open(filepath.Join(sheets, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sheet, err := Read(name, file, o)
	if err != nil {
		t.Fatal(err)
	}
	return sheet
}

func mustRead(t *testing.T, text string, o Options) *Sheet {
	t.Helper()
	sheet, err := Read("pos.csv", strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return sheet
}

func asError[E error](err error, target *E) bool { return errors.As(err, target) }

// checkInvariants checks what holds for every sheet: each row is in exactly one
// spec, and keys and directories are unique.
func checkInvariants(t *testing.T, sheet *Sheet) {
	t.Helper()
	rows, last := 0, 0
	lines, keys, dirs := map[int]bool{}, map[string]bool{}, map[string]bool{}
	for _, spec := range sheet.Specs() {
		dir := strings.ToLower(spec.Dir)
		if len(spec.Rows) == 0 || keys[spec.Key] || dirs[dir] || dir == "" || spec.PO == "" && spec.Invalid == nil && spec.Skipped == "" || spec.PO != "" && spec.Invalid != nil {
			t.Errorf("bad spec %+v", spec)
			continue
		}
		keys[spec.Key], dirs[dir] = true, true
		if spec.Rows[0].Line <= last {
			t.Errorf("the spec of line %d comes after that of line %d", spec.Rows[0].Line, last)
		}
		last = spec.Rows[0].Line
		for _, row := range spec.Rows {
			if lines[row.Line] {
				t.Errorf("line %d is in two specs", row.Line)
			}
			lines[row.Line] = true
			rows++
		}
	}
	if rows != sheet.Input.Rows {
		t.Errorf("%d rows are in specs, the sheet has %d", rows, sheet.Input.Rows)
	}
}

// checkReadAgain writes all rows with encoding/csv and reads them again.
func checkReadAgain(t *testing.T, first *Sheet, o Options) {
	t.Helper()
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.WriteAll(append([][]string{first.Input.Columns}, cellsInOrder(first)...))
	second, err := Read("failed.csv", &out, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if !slices.Equal(first.Input.Columns, second.Input.Columns) || !reflect.DeepEqual(cellsInOrder(first), cellsInOrder(second)) {
		t.Errorf("first  %q\nsecond %q", cellsInOrder(first), cellsInOrder(second))
	}
	var firstOrders, secondOrders []string
	for i, sheet := range []*Sheet{first, second} {
		for _, order := range sheet.Orders {
			list := []*[]string{&firstOrders, &secondOrders}[i]
			*list = append(*list, order.Spec().Key+" "+order.Dir)
		}
	}
	if !slices.Equal(firstOrders, secondOrders) {
		t.Errorf("first  %q\nsecond %q", firstOrders, secondOrders)
	}
}

func cellsInOrder(sheet *Sheet) [][]string {
	var rows []tasks.Row
	for _, spec := range sheet.Specs() {
		rows = append(rows, spec.Rows...)
	}
	slices.SortFunc(rows, func(a, b tasks.Row) int { return a.Line - b.Line })
	var cells [][]string
	for _, row := range rows {
		cells = append(cells, row.Cells)
	}
	return cells
}
