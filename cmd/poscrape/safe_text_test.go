package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
)

// What steers a terminal, or turns text around, however the text is cut into writes.
func TestSafeText(t *testing.T) {
	t.Parallel()
	const nasty = "é\x1b]0;x\a\u009b31m\u202e日\u2066\u200f\x7f\t\n"
	value := map[string]string{nasty: nasty}
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	testkit.Must(t, encoder.Encode(value))
	for size := 1; size < 9; size++ {
		var out bytes.Buffer
		w := (&program{stdout: &out}).jsonOutput()
		for part := plain.Bytes(); len(part) > 0; part = part[min(size, len(part)):] {
			n, err := w.Write(part[:min(size, len(part))])
			if n != min(size, len(part)) || err != nil {
				t.Fatalf("wrote %d, %v", n, err)
			}
		}
		var got map[string]string
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || got[nasty] != nasty || printable(out.String()) != out.String() || !strings.Contains(out.String(), "日") {
			t.Errorf("in writes of %d bytes: %q, %v", size, out.String(), err)
		}
	}
}

// A report says the same as JSON wherever it goes, and a file has the text as it is.
func TestReportsSteerNoTerminal(t *testing.T) {
	t.Parallel()
	dir, _ := gift(t, `"chrome":"","log_file":""`, "https://portal.example/\u009b\u202e")
	code, said := command(t, "report", dir)
	if code != exitWell || printable(said) != said || !strings.Contains(said, `\u009b\u202e`) {
		t.Errorf("exit code %d, %q", code, said)
	}
	file := filepath.Join(t.TempDir(), "r.csv")
	if code, said := command(t, "report", "-o", file, dir); code != exitWell {
		t.Fatalf("exit code %d, %s", code, said)
	}
	text, err := os.ReadFile(file)
	testkit.Must(t, err)
	if code, said = command(t, "report", "--format", "csv", dir); code != exitWell || said != string(text) || !strings.Contains(said, "\u009b\u202e") {
		t.Errorf("exit code %d, %q, and the file has %q", code, said, text)
	}
}
