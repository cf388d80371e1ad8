// Package words holds the words that poscrape knows on pages: phrases by idea and language, in the JSON
// files of data; shared.json has those of several languages. docs/words.md lists them. It also folds texts, so that they compare with the phrases.
package words

import (
	"cmp"
	"embed"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed data
var data embed.FS

// idea is what phrases stand for, by data/ideas.json.
type idea struct {
	Name string `json:"name"`
	// Match says how its phrases are looked for, see matches.
	Match string `json:"match"`
	// With are other ideas whose phrases are its own, too.
	With []string `json:"with"`
	// About says what it is.
	About string `json:"about"`
}

// matches are the ways in which phrases are looked for, and what docs/words.md says of each.
var matches = map[string]string{
	"anywhere": "found anywhere in a text",
	"whole":    "all that a text or a part of it says",
	"words":    "compared with a text's single words, or left out of a text",
	"number":   "found beside a number",
	begins:     "found where a label begins, or ends in German and Dutch",
}

const begins = "begins"

// verbsLast are the languages in which a label's verb is its last word.
var verbsLast = []string{"de", "nl"}

// all is what the files hold.
type all struct {
	ideas []idea
	// phrases are those that the entries stand for, folded, by language and idea.
	phrases map[string]map[string][]string
}

var read = sync.OnceValue(func() all {
	a := all{phrases: map[string]map[string][]string{}}
	decode("ideas.json", &a.ideas)
	for _, language := range languages() {
		ideas := map[string][]string{}
		decode(language+".json", &ideas)
		for idea, entries := range ideas {
			ideas[idea] = nil
			for _, entry := range entries {
				ideas[idea] = append(ideas[idea], expand(entry)...)
			}
		}
		a.phrases[language] = ideas
	}
	return a
})

var bracket = regexp.MustCompile(`\(([^()]*)\)`)

// expand returns the phrases that an entry stands for, folded: what stands in brackets may be missing, as in
// "document(s)", or is one of several, as in "account (is|was) locked".
func expand(entry string) (phrases []string) {
	at := bracket.FindStringSubmatchIndex(entry)
	if at == nil {
		return []string{Fold(entry)}
	}
	ways := strings.Split(entry[at[2]:at[3]], "|")
	if len(ways) == 1 {
		ways = append(ways, "")
	}
	for _, way := range ways {
		phrases = append(phrases, expand(entry[:at[0]]+way+entry[at[1]:])...)
	}
	return phrases
}

func decode(file string, value any) {
	text, err := data.ReadFile("data/" + file)
	if err == nil {
		err = json.Unmarshal(text, value)
	}
	if err != nil {
		panic("data/" + file + ": " + err.Error()) // a file of this package's own
	}
}

// languages returns the short names of those that have a file.
func languages() (all []string) {
	files, err := data.ReadDir("data")
	if err != nil {
		panic(err) // it is embedded
	}
	for _, file := range files {
		if name := strings.TrimSuffix(file.Name(), path.Ext(file.Name())); name != "ideas" {
			all = append(all, name)
		}
	}
	return all
}

// names returns those of all ideas.
func names() (all []string) {
	for _, idea := range read().ideas {
		all = append(all, idea.Name)
	}
	return all
}

// named returns the idea of a name.
func named(name string) idea {
	at := slices.IndexFunc(read().ideas, func(i idea) bool { return i.Name == name })
	if at < 0 {
		panic("words has no idea " + name)
	}
	return read().ideas[at]
}

// Of returns the phrases of ideas in all languages, folded, the longest first. Those that count only
// where nothing else is said are not among them.
func Of(ideas ...string) []string {
	return slices.DeleteFunc(of(languages(), ideas...), isAlone)
}

// Alone returns the phrases of ideas that count only where nothing else is said, folded.
func Alone(ideas ...string) (phrases []string) {
	for _, phrase := range of(languages(), ideas...) {
		if isAlone(phrase) {
			phrases = append(phrases, phrase[1:])
		}
	}
	return phrases
}

// isAlone reports whether a phrase counts only where nothing else is said.
func isAlone(phrase string) bool { return strings.HasPrefix(phrase, "=") }

func of(tongues []string, ideas ...string) (phrases []string) {
	for _, name := range ideas {
		for _, language := range tongues {
			phrases = append(phrases, read().phrases[language][name]...)
		}
		phrases = append(phrases, of(tongues, named(name).With...)...)
	}
	slices.SortFunc(phrases, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return slices.Compact(phrases)
}

// Script returns the phrases as an expression for lexicon.js: of each idea as one text, which costs a page
// little that never looks for them.
var Script = sync.OnceValue(func() string {
	var book struct {
		Phrases map[string]string `json:"phrases"`
		Alone   map[string]string `json:"alone"`
		Last    map[string]string `json:"last"`
		First   string            `json:"first"`
	}
	book.Phrases, book.Alone, book.Last = map[string]string{}, map[string]string{}, map[string]string{}
	var first []string
	for _, idea := range read().ideas {
		phrases, alone := Of(idea.Name), Alone(idea.Name)
		book.Phrases[idea.Name] = strings.Join(phrases, "|")
		if len(alone) > 0 {
			book.Alone[idea.Name] = strings.Join(alone, "|")
		}
		for _, phrase := range phrases {
			first = append(first, strings.Fields(Sequence(phrase))[0])
		}
		if idea.Match == begins {
			book.Last[idea.Name] = strings.Join(of(verbsLast, idea.Name), "|")
		}
	}
	slices.Sort(first)
	book.First = strings.Join(slices.Compact(first), "|")
	text, err := json.Marshal(book)
	if err != nil {
		panic(err) // it has nothing but texts
	}
	return string(text)
})

var (
	quotes = strings.NewReplacer("\u2018", "'", "\u2019", "'", "`", "'", "\u00b4", "'")
	plain  = strings.NewReplacer("\u0142", "l", "\u00df", "ss")
)

// valueOf returns a digit of another script as ours; each script has its ten in a row.
func valueOf(digit rune) rune {
	value := '0'
	for r := digit - 1; value < '9' && unicode.IsDigit(r); r-- {
		value++
	}
	return value
}

// Fold writes a text as the phrases are compared: in small plain letters without accents, with single
// spaces, with digits of ours. lexicon.js does the same.
func Fold(text string) string {
	text = norm.NFKD.String(quotes.Replace(text))
	text = strings.Map(func(r rune) rune {
		switch {
		case r >= 0x300 && r <= 0x36f, unicode.Is(unicode.Cf, r):
			return -1
		case r > unicode.MaxASCII && unicode.IsDigit(r):
			return valueOf(r)
		}
		return r
	}, text)
	return strings.Join(strings.Fields(plain.Replace(strings.ToLower(text))), " ")
}
