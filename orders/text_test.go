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

// TestEncodings reads sheets whose encoding is asked for, seems to be one, or is several: what cannot be read is
// refused with its line, and no cell has a character that stands for one.
func TestEncodings(t *testing.T) {
	t.Parallel()
	const head = "po,supplier,url\n1001,Miller,https://portal.example/1\n1002,"
	const tail = ",https://portal.example/2\n"
	for name, test := range map[string]struct {
		text, encoding      string
		supplier, note, err string
	}{
		"Windows-1252":         {text: head + "B\xfcro" + tail, supplier: "Büro", note: "it is not UTF-8, and was read as Windows-1252, from line 3 on"},
		"mixed":                {text: head + "B\xfcro" + tail + "1003,Société,https://portal.example/3\n", supplier: "Büro", note: "it mixes encodings: line 4 is UTF-8, and line 3 is not"},
		"mixed, with a mark":   {text: "\ufeff" + head + "B\xfcro" + tail, supplier: "Büro", note: "it mixes encodings: line 1 is UTF-8, and line 3 is not"},
		"neither":              {text: head + "\x90\xbf\x8b\x81" + tail, err: "pos.csv:3: it has bytes that are neither UTF-8 nor Windows-1252: name what the file is"},
		"Shift_JIS":            {text: head + "\x90\xbf\x8b\x81" + tail, encoding: "shift_jis", supplier: "請求"},
		"GBK":                  {text: head + "\xb2\xc9\xb9\xba" + tail, encoding: "gbk", supplier: "采购"},
		"a program of DOS":     {text: head + "M\x81ller" + tail, encoding: "cp850", supplier: "Müller"},
		"UTF-8, with a mark":   {text: "\ufeff" + head + "Büro" + tail, encoding: "utf-8", supplier: "Büro"},
		"not what is asked":    {text: head + "B\xfcro" + tail, encoding: "utf-8", err: "pos.csv:3: there are bytes that are not utf-8: see whether --encoding is right"},
		"no encoding":          {text: head + tail, encoding: "klingon", err: "--encoding klingon: this is not the name of an encoding"},
		"one without programs": {text: head + tail, encoding: "iso-2022-cn", err: "--encoding iso-2022-cn: this is not the name of an encoding"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Read("pos.csv", strings.NewReader(test.text), Options{Encoding: test.encoding})
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %s", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if supplier := got.Orders[1].Sheet.Supplier; supplier != test.supplier {
				t.Errorf("the supplier is %q, want %q", supplier, test.supplier)
			}
			if notes := strings.Join(got.Notes, ""); !strings.HasPrefix(notes, test.note) || test.note == "" && notes != "" {
				t.Errorf("the notes are %q, want %q", notes, test.note)
			}
		})
	}
}
