package words_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/poscrape/poscrape/scrape/words"
)

// TestGolden: texts say an idea or do not. A test of package scrape asks lexicon.js the same.
func TestGolden(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/golden.json")
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
	for _, c := range table {
		lookup, said := words.For(c.Idea), words.Sequence(c.Text)
		if _, found := lookup.Without(said); (found || lookup.Is(said)) != c.Says {
			t.Errorf("%s: %q says %s is %v, want %v", c.Language, c.Text, c.Idea, !c.Says, c.Says)
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "",
		" Pièces\u00a0 jointes\n":        "pieces jointes",
		"Pie\u0300ces":                   "pieces",
		"ZAŁĄCZNIK Straße ẞ":             "zalacznik strasse ss",
		"it’s ‘so’ `so´":                 "it's 'so' 'so'",
		"ＰＯ １００１ №":                      "po 1001 no",
		"ses\u00adsion\u200b \ufeffends": "session ends",
		"٤٥٠ ۴۵ ४५๑ \u200e1\u2069":       "450 45 451 1",
		"İptal…":                         "iptal...",
	} {
		if got := words.Fold(text); got != want {
			t.Errorf("%q is folded to %q, want %q", text, got, want)
		}
	}
}
