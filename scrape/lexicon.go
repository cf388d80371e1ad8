package scrape

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// What follows prepares the words of words.js and listing_words.js for the scripts that
// look for them. The scripts are made anew for each page, and would have to do it each time.

var (
	wordIdea  = regexp.MustCompile(`(?m)^  (\w+): \{([^}]*)\}`)
	wordList  = regexp.MustCompile(`(\w\w): (\[[^\]]*\])`)
	lastComma = regexp.MustCompile(`,\s*\]$`)
)

// readWords returns the phrases of a file of words, of these languages or of all, by their
// ideas.
func readWords(source string, languages ...string) map[string][]string {
	ideas := map[string][]string{}
	for _, idea := range wordIdea.FindAllStringSubmatch(source, -1) {
		for _, array := range wordList.FindAllStringSubmatch(idea[2], -1) {
			var phrases []string
			if len(languages) > 0 && !slices.Contains(languages, array[1]) {
				continue
			}
			if err := json.Unmarshal([]byte(lastComma.ReplaceAllString(array[2], "]")), &phrases); err != nil {
				panic(fmt.Sprintf("the words of %s: %v", idea[1], err)) // a file of this package's own
			}
			ideas[idea[1]] = append(ideas[idea[1]], phrases...)
		}
	}
	return ideas
}

// phraseBook is what lexicon.js gets.
type phraseBook struct {
	Ideas map[string]phrases `json:"ideas"`
	// First are the ideas that have a phrase which begins with a word.
	First map[string][]string `json:"first"`
}

// phrases are those of one idea.
type phrases struct {
	// Any is a pattern of those that are found anywhere. Alone are those that count only
	// where nothing else is said, and List all words, as they are and run together.
	Any   string   `json:"any"`
	Alone []string `json:"alone"`
	List  []string `json:"list"`
	// Odd: one of them begins with no word.
	Odd bool `json:"odd"`
}

var (
	unseenRunes = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\ufeff", "", "\u2018", "'", "\u2019", "'")
	firstWord   = regexp.MustCompile(`^[\p{L}\p{N}]+`)
	together    = strings.NewReplacer(" ", "", ".", "")
	inPattern   = regexp.MustCompile(`[\\^$.*+?()\[\]{}|/]`)
)

// foldWords folds a phrase as lexicon.js folds a text.
func foldWords(text string) string {
	return strings.Join(strings.Fields(unseenRunes.Replace(norm.NFKC.String(text))), " ")
}

// longestFirst sorts phrases so that as much as can be is taken for one.
func longestFirst(all []string) []string {
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return slices.Compact(all)
}

// phraseBookScript returns the words of words.js as lexicon.js gets them.
var phraseBookScript = sync.OnceValue(func() string { return inScript(newPhraseBook(wordsSource)) })

func newPhraseBook(source string) phraseBook {
	book := phraseBook{map[string]phrases{}, map[string][]string{}}
	for idea, all := range readWords(source) {
		p := phrases{Alone: []string{}, List: []string{}}
		var patterns []string
		for _, phrase := range longestFirst(slices.Clone(all)) {
			folded := foldWords(phrase)
			lower := strings.ToLower(folded)
			if alone, is := strings.CutPrefix(lower, "="); is {
				p.Alone = append(p.Alone, alone)
				continue
			}
			p.List = append(p.List, lower)
			if word := together.Replace(lower); word != lower {
				p.List = append(p.List, word)
			}
			patterns = append(patterns, strings.ReplaceAll(inPattern.ReplaceAllString(folded, `\$0`), " ", `\s+`))
			first := firstWord.FindString(lower)
			p.Odd = p.Odd || first == ""
			if !slices.Contains(book.First[first], idea) {
				book.First[first] = append(book.First[first], idea)
			}
		}
		if p.Any = strings.Join(patterns, "|"); p.Any == "" {
			p.Any = "(?!)" // which is nowhere
		}
		book.Ideas[idea] = p
	}
	return book
}

// listingWords are those of one idea as labels.js gets them: as a pattern, those of languages
// whose verbs come last as another, and all words that its phrases consist of.
type listingWords struct {
	Any   string   `json:"any"`
	Last  string   `json:"last"`
	Parts []string `json:"parts"`
}

var (
	accents = regexp.MustCompile(`[\x{300}-\x{36f}]`)
	likened = strings.NewReplacer("ł", "l", "ß", "ss", "’", "'", "‘", "'", "`", "'", "´", "'")
)

// liken folds a phrase as labels.js folds a text.
func liken(text string) string {
	text = norm.NFKD.String(strings.Join(strings.Fields(text), " "))
	return likened.Replace(strings.ToLower(accents.ReplaceAllString(text, "")))
}

func newListingWords(source string) map[string]listingWords {
	all, verbsLast := map[string]listingWords{}, readWords(source, "de", "nl")
	pattern := func(list []string) string {
		var folded []string
		for _, phrase := range list {
			folded = append(folded, liken(phrase))
		}
		folded = longestFirst(folded)
		for i := range folded {
			folded[i] = inPattern.ReplaceAllString(folded[i], `\$0`)
		}
		return strings.Join(folded, "|")
	}
	for idea, list := range readWords(source) {
		w := listingWords{Any: pattern(list), Last: pattern(verbsLast[idea])}
		for _, phrase := range list {
			w.Parts = append(w.Parts, strings.Split(liken(phrase), " ")...)
		}
		slices.Sort(w.Parts)
		w.Parts = slices.Compact(w.Parts)
		all[idea] = w
	}
	return all
}

// inScript writes a value into a script.
func inScript(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it has nothing but texts
	}
	return string(text)
}
