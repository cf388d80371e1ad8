package scrape_test

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
)

// TestReadRecipeNestedDeeply: a recipe that is nested more deeply than people write is refused before
// it takes memory.
func TestReadRecipeNestedDeeply(t *testing.T) {
	t.Parallel()
	for _, nested := range []string{"[", "{a: ", "&a ", "!a ", "- "} {
		_, err := scrape.ReadRecipe("deep.yaml", strings.NewReader("version: 1\nfields:\n  "+strings.Repeat(nested, 80_000/len(nested))+"\n"))
		if err == nil || !strings.Contains(err.Error(), ": lists and mappings are nested more than 100 deep") || len(err.Error()) > 200 {
			t.Errorf("%.10q: %.200v", nested, err)
		}
	}
}
