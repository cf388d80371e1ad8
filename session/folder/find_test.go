package folder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatIsNamedInPlaceOfASessionsFolder(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for _, session := range []string{"20250101-1", "20260101-1"} {
		dir := filepath.Join(top, "poscrape-out", session)
		if err := os.MkdirAll(filepath.Join(dir, "orders", "PO1"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, LedgerName), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	newest := filepath.Join(top, "poscrape-out", "20260101-1")
	for dir, want := range map[string]string{
		top:                                    "name one below it, such as " + newest,
		filepath.Join(top, "poscrape-out"):     "name one below it, such as " + newest,
		filepath.Join(newest, "orders"):        "it lies in one, so name " + newest,
		filepath.Join(newest, "orders", "PO1"): "it lies in one, so name " + newest,
		t.TempDir():                            "as below poscrape-out",
	} {
		if _, err := Find(dir); err == nil || !strings.Contains(err.Error(), "is not the folder of a session") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", dir, err, want)
		}
	}
}
