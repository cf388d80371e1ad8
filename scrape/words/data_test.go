package words

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/words.md anew")

// languageNames are those of languages by their short names, in the order in which docs/words.md has them.
var languageNames = []struct{ short, name string }{
	{"en", "English"}, {"de", "German"}, {"fr", "French"}, {"es", "Spanish"},
	{"it", "Italian"}, {"pt", "Portuguese"}, {"nl", "Dutch"}, {"pl", "Polish"},
	{shared, "several"},
}

const shared = "shared"

// notInAll are the ideas that some languages need no words for.
var notInAll = map[string]bool{"nouns": true}

// TestListIsFresh: docs/words.md lists the words.
func TestListIsFresh(t *testing.T) {
	t.Parallel()
	const path = "../../docs/words.md"
	want := page(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Error("docs/words.md does not list what scrape/words/data has; run go test ./scrape/words -run TestListIsFresh -update")
	}
}

func page(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`# Words that poscrape knows

poscrape recognises some things on a page by words. These are the words, for each idea and
each language; those of all languages are looked for on each page. A recipe's own selectors and texts are
looked for besides them.

This page is made from ` + "`scrape/words/data`" + `.

Neither case nor accents matter, and no letter or digit may touch a phrase. What stands in brackets may be missing,
or is one of several. A phrase that is marked *alone* counts only where it is all that a title, a heading or an alert
says.
`)
	for _, idea := range read().ideas {
		fmt.Fprintf(&b, "\n## `%s`\n\n%s Its phrases are %s.", idea.Name, idea.About, matches[idea.Match])
		if len(idea.With) > 0 {
			fmt.Fprintf(&b, " Those of `%s` are among them.", strings.Join(idea.With, "`, `"))
		}
		b.WriteString("\n")
		head := "\n| language | words |\n|---|---|\n"
		for _, language := range languageNames {
			phrases := written(t, language.short)[idea.Name]
			for i, phrase := range phrases {
				if isAlone(phrase) {
					phrases[i] = phrase[1:] + " (*alone*)"
				}
			}
			if len(phrases) > 0 {
				fmt.Fprintf(&b, "%s| %s | %s |\n", head, language.name, strings.ReplaceAll(strings.Join(phrases, ", "), "|", `\|`))
				head = ""
			}
		}
	}
	return b.String()
}

// written returns the phrases of a language's file as they stand there.
func written(t *testing.T, language string) map[string][]string {
	t.Helper()
	text, err := data.ReadFile("data/" + language + ".json")
	if err != nil {
		t.Fatal(err)
	}
	ideas := map[string][]string{}
	if err := json.Unmarshal(text, &ideas); err != nil {
		t.Fatal(err)
	}
	return ideas
}

// TestDataIsSound: each idea is explained, has words in each language, and has each phrase once there, and
// none of those that it is with.
func TestDataIsSound(t *testing.T) {
	t.Parallel()
	if got, want := len(languages()), len(languageNames); got != want {
		t.Errorf("there are files of %d languages, and names of %d", got, want)
	}
	begin := regexp.MustCompile(`^=?[\p{L}\p{N}]`)
	total := 0
	for i, idea := range read().ideas {
		if matches[idea.Match] == "" || !strings.HasSuffix(idea.About, ".") {
			t.Errorf("%s is not explained: %+v", idea.Name, idea)
		}
		if slices.Contains(names()[:i], idea.Name) {
			t.Errorf("%s is there twice", idea.Name)
		}
		for _, language := range languageNames {
			total += len(written(t, language.short)[idea.Name])
			phrases, others := read().phrases[language.short][idea.Name], read().phrases[shared][idea.Name]
			if len(of([]string{language.short, shared}, idea.Name)) == 0 && language.short != shared && !notInAll[idea.Name] {
				t.Errorf("%s has no words in %s", idea.Name, language.name)
			}
			repeated := of(languages(), idea.With...)
			for j, phrase := range phrases {
				if slices.Contains(repeated, phrase) {
					t.Errorf("%s has %q in %s, which %v have", idea.Name, phrase, language.name, idea.With)
				}
				if slices.Contains(phrases[:j], phrase) || language.short != shared && slices.Contains(others, phrase) {
					t.Errorf("%s has %q again in %s", idea.Name, phrase, language.name)
				}
				if !begin.MatchString(phrase) || strings.Contains(phrase, "|") {
					t.Errorf("%s has %q in %s, which is not found", idea.Name, phrase, language.name)
				}
			}
		}
	}
	if total > mostEntries {
		t.Errorf("there are %d entries, more than %d", total, mostEntries)
	}
}

// mostEntries is how many entries there may be: a new one needs a better reason than a page that it was missing on.
const mostEntries = 2927

// TestNothingElseIsInTheFiles: a language's file has each idea once, and none that ideas.json does not have.
func TestNothingElseIsInTheFiles(t *testing.T) {
	t.Parallel()
	for _, language := range languages() {
		text, err := data.ReadFile("data/" + language + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		for d := json.NewDecoder(bytes.NewReader(text)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			name, is := token.(string)
			if !is {
				continue
			}
			if slices.Contains(seen, name) || !slices.Contains(names(), name) {
				t.Errorf("%s.json has %q again, or for no idea", language, name)
			}
			seen = append(seen, name)
			var phrases []string
			if err := d.Decode(&phrases); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestEachIdeaIsUsed: a script or a Go file of package scrape asks for it by its name, or another idea is with it.
func TestEachIdeaIsUsed(t *testing.T) {
	t.Parallel()
	var sources strings.Builder
	for _, pattern := range []string{"../*.go", "../page/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(file, "_test.go") {
				sources.Write(text)
			}
		}
	}
	for _, one := range read().ideas {
		part := slices.ContainsFunc(read().ideas, func(other idea) bool { return slices.Contains(other.With, one.Name) })
		if !part && !strings.Contains(sources.String(), `"`+one.Name+`"`) {
			t.Errorf("nothing asks for %s", one.Name)
		}
	}
}
