package orders

import (
	"strings"
	"testing"
)

// TestHowTheTextIsWritten: what is written for a sheet's readers uses its delimiter,
// and has a byte order mark unless the sheet was UTF-8 without one.
func TestHowTheTextIsWritten(t *testing.T) {
	t.Parallel()
	const sheet = "po;url\nPO1001;https://portal.example/1\n"
	utf16 := func(text string) string {
		out := "\xff\xfe"
		for _, r := range text {
			out += string([]byte{byte(r), 0})
		}
		return out
	}
	for name, test := range map[string]struct {
		text, delimiter string
		mark            bool
	}{
		"UTF-8":             {sheet, ";", false},
		"with a mark":       {"\ufeff" + sheet, ";", true},
		"Windows-1252":      {strings.Replace(sheet, "url", "url;B\xfcro", 1), ";", true},
		"UTF-16":            {utf16(sheet), ";", true},
		"commas":            {strings.ReplaceAll(sheet, ";", ","), ",", false},
		"tabs":              {strings.ReplaceAll(sheet, ";", "\t"), "\t", false},
		"named by the file": {"sep=|\n" + strings.ReplaceAll(sheet, ";", "|"), "|", false},
	} {
		got, err := Read("pos.csv", strings.NewReader(test.text), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Input.Delimiter != test.delimiter || got.Input.Mark != test.mark {
			t.Errorf("%s: delimiter %q, mark %t", name, got.Input.Delimiter, got.Input.Mark)
		}
	}
}
