package scrape

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateWords = flag.Bool("update-words", false, "write docs/words.md anew")

// TestWordsAreListed: docs/words.md lists the words of words.js and listing_words.js, all of
// them, and each idea has words in each language.
func TestWordsAreListed(t *testing.T) {
	t.Parallel()
	want := listWords(t)
	const path = "../docs/words.md"
	if *updateWords {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Error("docs/words.md does not list what scrape/page/words.js and listing_words.js have; run go test ./scrape -run TestWordsAreListed -update-words")
	}
}

// languages by their short names, in the order in which the lists have them.
var languages = []struct{ short, name string }{
	{"en", "English"}, {"de", "German"}, {"fr", "French"}, {"es", "Spanish"},
	{"it", "Italian"}, {"pt", "Portuguese"}, {"nl", "Dutch"}, {"pl", "Polish"},
}

// titles are those of ideas about which the list itself says nothing.
var titles = map[string]string{
	"more":     "What says that there is more, or a next page",
	"all":      "What says that it is all of them",
	"show":     "What a control says that shows something",
	"download": "What a control says that brings a document",
	"page":     "What counts pages",
	"of":       `What stands between a part and the whole, as in "1-25 of 92"`,
	"to":       `What stands between the first and the last, as in "1 to 25"`,
	"order":    "What makes a control one of the order and of no document",
}

// notInAll are the ideas that some languages need no words for.
var notInAll = map[string]bool{"nouns": true}

var (
	ideaBlock = regexp.MustCompile(`(?m)((?:^  //[^\n]*\n)*)^  (\w+): \{([^}]*)\}`)
	wordArray = regexp.MustCompile(`(\w\w): (\[[^\]]*\])`)
)

// listWords makes a page of the words.
func listWords(t *testing.T) string {
	t.Helper()
	var page strings.Builder
	page.WriteString(`# Words that poscrape knows

poscrape recognises some things on a page by words. These are the words, for each idea and
each language. A recipe's own selectors and texts are looked for besides them.

This page is made from ` + "`scrape/page/words.js` and `scrape/page/listing_words.js`" + `.

## What a page is

Case does not matter here. A word counts only where no letter or digit touches it. One that is
marked *alone* counts only where it is all that a title, a heading or an alert says.
`)
	listIdeas(t, &page, wordsSource)
	page.WriteString(`
## What a page lists

Neither case nor accents matter here.
`)
	listIdeas(t, &page, listingWordsSource)
	return page.String()
}

// listIdeas writes a section for each idea of a list of words.
func listIdeas(t *testing.T, page *strings.Builder, source string) {
	t.Helper()
	source = strings.ReplaceAll(source, "\r\n", "\n")
	ideas := ideaBlock.FindAllStringSubmatch(source, -1)
	if all := regexp.MustCompile(`(?m)^  \w+: \{`).FindAllString(source, -1); len(ideas) != len(all) || len(all) == 0 {
		t.Fatalf("%d ideas were read of %d", len(ideas), len(all))
	}
	for _, m := range ideas {
		about, idea := strings.Join(strings.Fields(strings.ReplaceAll(m[1], "//", "")), " "), m[2]
		title, more, _ := strings.Cut(cmp.Or(about, titles[idea]), ". ")
		if title == "" {
			t.Errorf("nothing says what %s means", idea)
		}
		fmt.Fprintf(page, "\n### %s\n\n", strings.TrimSuffix(title, "."))
		if more != "" {
			fmt.Fprintf(page, "%s\n\n", more)
		}
		fmt.Fprint(page, "| language | words |\n|---|---|\n")
		arrays := map[string]string{}
		for _, in := range wordArray.FindAllStringSubmatch(m[3], -1) {
			arrays[in[1]] = in[2]
		}
		listed := 0
		for _, language := range languages {
			if arrays[language.short] == "" {
				if !notInAll[idea] {
					t.Errorf("%s has no words in %s", idea, language.name)
				}
				continue
			}
			listed++
			fmt.Fprintf(page, "| %s | %s |\n", language.name, strings.Join(wordsOf(t, idea, arrays[language.short]), ", "))
		}
		if listed != len(arrays) {
			t.Errorf("%s has words in a language that is not known here: %v", idea, slices.Sorted(maps.Keys(arrays)))
		}
	}
}

// wordsOf returns the words of an array, as people read them.
func wordsOf(t *testing.T, idea, array string) []string {
	t.Helper()
	var words []string
	if err := json.Unmarshal([]byte(array), &words); err != nil {
		t.Fatalf("%s: %v", idea, err)
	}
	for i, word := range words {
		if alone, is := strings.CutPrefix(word, "="); is {
			words[i] = alone + " (*alone*)"
		}
	}
	return words
}
