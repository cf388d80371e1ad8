package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestARecipeIsNotWrittenOver: neither by a link nor where there are no hard links is a file lost that somebody
// has made in the meantime.
func TestARecipeIsNotWrittenOver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "acme.yaml")
	if err := create(path, "mine"); err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func() error{
		"with links":    func() error { return recipeFile{path: path}.replace("other") },
		"without links": func() error { return create(path, "other") },
	} {
		if err := write(); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: it is %v", name, err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if err := (recipeFile{path: path, force: true}).replace("other"); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("there are %v, %v", left, err)
	}
}
