package scrape

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/poscrape/poscrape/internal/claims"
	"github.com/poscrape/poscrape/tasks"
)

func TestStrong(t *testing.T) {
	t.Parallel()
	for validators, want := range map[string]bool{
		"": false, "\"a\"\n\n12": true, "W/\"a\"\n\n12": false, "\nMon, 02 Mar 2026 09:15:00 GMT\n12": false, "a\n\n12": false,
		"\"a\"\nMon, 02 Mar 2026 09:15:00 GMT\n12": true,
	} {
		if got := strong(validators); got != want {
			t.Errorf("strong(%q) = %v", validators, got)
		}
	}
}

// TestTakeOver: what an earlier session has is a document only as the recipe of today says.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	earlier := t.TempDir()
	files := map[string]string{"quote.pdf": "%PDF-1.4\n%%EOF\n", "notes": "just some text", "page": "<!doctype html><title>Terms</title>"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(earlier, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	number := func(name, file string) string { return "1-" + file }
	for _, c := range []struct {
		path  string
		types []DocumentType
		limit int64
		saved func(name, file string) string
		want  string
	}{
		{path: "quote.pdf", want: "quote.pdf"},
		{path: "quote.pdf", saved: number, want: "1-quote.pdf"},
		{path: "quote.pdf", limit: 5},
		{path: "notes"},
		{path: "notes", types: []DocumentType{claims.DocumentText}, want: "notes.txt"},
		{path: "page", types: []DocumentType{claims.DocumentText}},
		{path: "gone.pdf"},
	} {
		recipe := AutoRecipe()
		if c.limit > 0 {
			recipe.Limits.MaxFileSize = c.limit
		}
		a := &attempt{Scraper: &Scraper{portal: &Portal{recipe: recipe}, places: Places{Update: &Update{Dir: earlier}}}}
		text := files[c.path]
		sum := sha256.Sum256([]byte(text))
		doc := &document{staging: t.TempDir(), types: c.types, saveAs: c.saved, item: item{Name: c.path}, Attachment: tasks.Attachment{Name: c.path},
			old: tasks.Attachment{Name: c.path, Path: c.path, Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:]), Validators: `"1"`}}
		taken := a.takeOver(doc)
		staged, err := os.ReadDir(doc.staging)
		if err != nil || len(staged) > 1 || taken != (len(staged) == 1) {
			t.Errorf("%s: taken over: %v, and %d files are staged, %v", c.path, taken, len(staged), err)
		}
		if taken != (c.want != "") || doc.wanted != c.want || !taken && (doc.State != "" || doc.Error != nil) {
			t.Errorf("%s: taken over: %v, as %q, want %q; %s, %v", c.path, taken, doc.wanted, c.want, doc.State, doc.Error)
		}
		if taken && (doc.SHA256 != doc.old.SHA256 || doc.Size != doc.old.Size || doc.Validators != doc.old.Validators || doc.State != tasks.AttachmentDone) {
			t.Errorf("%s: %+v", c.path, doc.Attachment)
		}
	}
}
