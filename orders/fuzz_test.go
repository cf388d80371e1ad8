package orders

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// FuzzRead: whatever the file, Read ends with a *FileError, or every row of it
// is in exactly one spec and can be written down and read again.
func FuzzRead(f *testing.F) {
	names, err := filepath.Glob(filepath.Join(sheets, "*.*"))
	if err != nil || len(names) < 20 {
		f.Fatalf("%d sample sheets, %v", len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range []string{"po\n1\n\"", "po;url\r1;\r", "\"po\",\n\"a\"\"\",\"", "sep=|\npo|x\n1|2", "PO\t1\n\n2\t", "po,po\n1,2\n", "number\n\ufeff1\n'1\n"} {
		f.Add([]byte(text))
	}
	options := Options{URL: "https://h.example/{po}"}
	f.Fuzz(func(t *testing.T, data []byte) {
		sheet, err := Read("pos.csv", bytes.NewReader(data), options)
		if err != nil {
			var unreadable *FileError
			if !errors.As(err, &unreadable) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		checkInvariants(t, sheet)
		checkAgainstStandard(t, data, sheet)
		if header := strings.Join(sheet.Input.Columns, ""); !strings.ContainsAny(header, ";|\t\"") && !strings.HasPrefix(header, byteOrderMark) {
			checkReadAgain(t, sheet, options)
		}
	})
}

// checkAgainstStandard compares the rows with those that encoding/csv finds in
// the same text, where it can read it.
func checkAgainstStandard(t *testing.T, data []byte, sheet *Sheet) {
	t.Helper()
	text, _, _, err := decode("pos.csv", data)
	if err != nil {
		t.Fatal(err)
	}
	if _, rest, ok := cutSepLine(text); ok {
		text = rest
	}
	want, ok := standardRows(text, sheet.Delimiter)
	if !ok {
		return
	}
	got := append([][]string{sheet.Input.Columns}, cellsInOrder(sheet)...)
	for _, cells := range got {
		for i := range cells {
			cells[i] = strings.ReplaceAll(cells[i], "\r\n", "\n")
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
