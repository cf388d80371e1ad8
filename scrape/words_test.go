package scrape_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/scrape/words"
)

// TestGoldenWords: lexicon.js folds texts as package words does, and finds in them what that finds.
func TestGoldenWords(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("words/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var table []struct {
		Idea, Language, Text string
		Says                 bool
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	got := evaluate[[]struct {
		Says   bool
		Folded string
	}](t, newBench(t, scrape.AutoRecipe()), `(() => { const lexicon = %s; return %s.map(({ idea, text }) =>
		({ says: lexicon.says(idea, text), folded: lexicon.fold(text).toLowerCase() })) })()`, scrape.Lexicon, text)
	for i, c := range table {
		if got[i].Says != c.Says {
			t.Errorf("%s: %q says %s is %v, want %v", c.Language, c.Text, c.Idea, got[i].Says, c.Says)
		}
		if want := words.Fold(c.Text); got[i].Folded != want {
			t.Errorf("%q is folded to %q, want %q", c.Text, got[i].Folded, want)
		}
	}
}
