package scrape

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

func TestMove(t *testing.T) {
	t.Parallel()
	content := []byte("a document's bytes")
	hash := sha256.Sum256(content)
	dir := t.TempDir()
	from, to := &browser.File{Path: filepath.Join(dir, "from"), Size: int64(len(content))}, filepath.Join(dir, "to")
	if err := os.WriteFile(from.Path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	size, sum, err := move(from, to)
	if err != nil || size != int64(len(content)) || sum != hex.EncodeToString(hash[:]) {
		t.Errorf("%d bytes, hash %s, %v", size, sum, err)
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != string(content) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := os.Stat(from.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still where it was: %v", err)
	}
	if _, _, err := move(from, to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing was moved: %v", err)
	}
}

// TestMoveElsewhere moves a document to where it cannot be renamed to.
func TestMoveElsewhere(t *testing.T) {
	t.Parallel()
	from := filepath.Join(t.TempDir(), "from")
	if err := os.WriteFile(from, []byte("bytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := move(&browser.File{Path: from, Size: 5}, filepath.Join(t.TempDir(), "gone", "to")); err == nil {
		t.Error("moved into a directory that is not there")
	}
	if _, err := os.Stat(from); err != nil {
		t.Errorf("what could not be moved is lost: %v", err)
	}
}
