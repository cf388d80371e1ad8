package nofollow_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poscrape/poscrape/internal/nofollow"
	"github.com/poscrape/poscrape/internal/testkit"
)

// TestOtherNames: what is written behind a file is not seen by its other names, and what it held is kept.
func TestOtherNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, other := testkit.Write(t, filepath.Join(dir, "one"), "first "), filepath.Join(dir, "other")
	if nofollow.Shared(one) || nofollow.Shared(other) || nofollow.Shared(dir) {
		t.Error("what has one name has several")
	}
	testkit.Must(t, os.Link(one, other))
	if !nofollow.Shared(one) || !nofollow.Shared(other) {
		t.Error("a hard link is not seen")
	}
	root, err := os.OpenRoot(dir)
	testkit.Must(t, err)
	defer root.Close()
	for _, text := range []string{"second ", "third"} {
		f, err := nofollow.Append(root, "one", 0o600)
		testkit.Must(t, err)
		_, err = f.WriteString(text)
		testkit.Must(t, err)
		testkit.Must(t, f.Close())
	}
	if got := testkit.Read(t, one); got != "first second third" {
		t.Errorf("it holds %q", got)
	}
	if got := testkit.Read(t, other); got != "first " {
		t.Errorf("its other name leads to %q", got)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("left are %v, %v", entries, err)
	}
}
