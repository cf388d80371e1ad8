package main

import (
	"path/filepath"
	"testing"

	"github.com/poscrape/poscrape/bench/protocol"
)

// There is a recipe for each mode, by its name, that poscrape can read.
func TestRecipesCanBeRead(t *testing.T) {
	t.Parallel()
	for mode, downloads := range map[string]bool{protocol.ModeList: false, protocol.ModeDocuments: true} {
		recipe, err := readRecipe(filepath.Join("..", "recipes", mode+".yaml"))
		if err != nil {
			t.Errorf("%s: %v", mode, err)
			continue
		}
		if got := recipe.Attachments != nil; got != downloads {
			t.Errorf("%s: the recipe brings documents home: %t, want %t", mode, got, downloads)
		}
		if got := recipe.Lines != nil; got == downloads {
			t.Errorf("%s: the recipe lists documents as lines: %t, want %t", mode, got, !downloads)
		}
	}
}
