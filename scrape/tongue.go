package scrape

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/poscrape/poscrape/scrape/words"
)

// A page that lists no document proves nothing where its words are in none of the languages of
// package words: what it says may be that there is no such order, that it is loading, or what would
// show the documents.

// words that are the same in many languages tell none from another.
const international = " artikel contact data datum dokument dokumente export import info information kontakt menu number " +
	"nummer order orders portal produkt produkte service start status support system total type version "

// english are words that hardly an English text does without, and that mean nothing in the
// languages that are not known here.
var english = regexp.MustCompile(`(?i)\b(?:the|and|this|with|your|from)\b`)

var (
	wordsOfText = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+`)
	digits      = regexp.MustCompile(`\p{N}`)
	vocabulary  = sync.OnceValue(func() map[string]bool {
		known := map[string]bool{}
		for _, idea := range words.Names() {
			if idea == "contact" { // its words are the same in many more languages
				continue
			}
			for _, word := range longWords(strings.Join(slices.Concat(words.Of(idea), words.Alone(idea)), " ")) {
				known[word] = true
			}
		}
		return known
	})
	tongues = sync.OnceValue(func() map[string]bool {
		known := map[string]bool{}
		for _, language := range words.Languages() {
			known[language] = true
		}
		return known
	})
)

// longWords returns the words of a text that have no digit, are long enough to be of one language
// rather than of many, and are not international.
func longWords(text string) (long []string) {
	for _, word := range wordsOfText.FindAllString(strings.ToLower(norm.NFKC.String(text)), -1) {
		if len([]rune(word)) >= 4 && !digits.MatchString(word) && !strings.Contains(international, " "+word+" ") {
			long = append(long, word)
		}
	}
	return long
}

// strange reports whether the text of a page, which may say what language it is in, is in none
// that is known here. Names and goods are words of no language, so few known words will do, and few
// unknown ones say nothing.
func strange(text, language string) bool { return strangeBy(text, language, 12) }

// strangeBy is strange where a known word outweighs so many unknown ones.
func strangeBy(text, language string, weight int) bool {
	seen, known, unknown, few := map[string]bool{}, 0, 0, 3
	for _, word := range longWords(text) {
		switch {
		case seen[word]:
		case vocabulary()[words.Fold(word)]:
			known++
		default:
			unknown++
			if strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII }) {
				few = 2
			}
		}
		seen[word] = true
	}
	tongue, _, _ := strings.Cut(strings.ToLower(language), "-")
	switch {
	case tongue != "" && !tongues()[tongue] && known < unknown:
		return true
	case known >= 5 || english.MatchString(text) && !foreignScript(text):
		return false
	}
	return foreignScript(text) || unknown >= few && known*weight < unknown
}

// foreignScript reports whether most of a text is not in Latin letters. A sign that stands for a
// syllable or a word counts as two.
func foreignScript(text string) bool {
	latin, other := 0, 0
	for _, word := range wordsOfText.FindAllString(text, -1) {
		if digits.MatchString(word) {
			continue
		}
		for _, r := range word {
			switch {
			case unicode.Is(unicode.Latin, r):
				latin++
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
				other += 2
			case unicode.IsLetter(r):
				other++
			}
		}
	}
	return other > latin
}
