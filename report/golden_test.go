package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sessions are the fixtures by the names of their folders in testdata/reports.
var sessions = map[string]func() *memory{
	"finished": finished, "interrupted": interrupted, "nothing": nothing, "hostile": hostile, "warned": warned,
}

func build(t testing.TB, src Source) *Report {
	t.Helper()
	r, err := Build(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func written(t testing.TB, write func(io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGoldenFiles(t *testing.T) {
	t.Parallel()
	for name, session := range sessions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden := filepath.Join("..", "testdata", "reports", name)
			above := t.TempDir()
			dir := filepath.Join(above, "march")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if _, err := WriteFiles(t.Context(), dir, session()); err != nil {
				t.Fatal(err)
			}
			if *update { // its parts come in any order, see workbook_test.go
				if err := os.Remove(filepath.Join(dir, WorkbookFile)); err != nil {
					t.Fatal(err)
				}
			}
			for _, file := range []string{JSONFile, HTMLFile, ResultsFile, FailedFile} {
				got, gotErr := os.ReadFile(filepath.Join(dir, file))
				got = bytes.ReplaceAll(got, []byte(above+string(filepath.Separator)), nil) // the page names its folder
				if *update && gotErr == nil {
					if err := os.WriteFile(filepath.Join(golden, file), got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, wantErr := os.ReadFile(filepath.Join(golden, file))
				if (gotErr == nil) != (wantErr == nil) {
					t.Errorf("%s: written: %v; golden: %v", file, gotErr, wantErr)
				} else if !bytes.Equal(got, want) {
					t.Errorf("%s differs from its golden file at byte %d; run with -update and look at the difference", file, firstDifference(got, want))
				}
			}
		})
	}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
