package scrape

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/browser"
)

// An empty list with a message beside it may be empty because something could not be had, whatever else
// the answer says of errors. Only a message in known words says nothing of that kind.

var (
	// toldName is what people are told by, and warnedName what an order has no text of its own in.
	toldName   = regexp.MustCompile(`^(?:(?:user|display|result|return|status|response|system)?(?:messages?|msgs?)|remarks?)$`)
	warnedName = regexp.MustCompile(`^(?:(?:warn|warning|error|err|fault|alert|exception)s?(?:messages?|msgs?|texts?)?|notices?)$`)
	saidWord   = regexp.MustCompile(`[\pL\pN']+`)
	// well are the words of a message that all is well, one of which is one of wellWord.
	wellWord = setOf("ok okay success successful successfully succeeded")
	well     = setOf("200 request operation query call data documents records result results retrieved fetched loaded returned found completed done was the is")
)

// doubts returns what the first of some answers in which so many documents were met says beside an empty list.
func (s *dataset) doubts(path *Path, answers []datum, met int) (said string) {
	for _, d := range answers {
		if met == 0 && said == "" {
			said = s.beside(path, d)
		}
	}
	return said
}

// beside returns what an answer says beside an empty list at a path that leaves open why that is empty,
// with its address, or an empty text.
func (s *dataset) beside(path *Path, d datum) string {
	for _, list := range path.lists(d.value) {
		for _, value := range chain(d.value, list.path) {
			object, is := value.(map[string]any)
			if !is {
				continue
			}
			own, _ := s.of.shownBy(object, false)
			if name, said := opensDoubt(object, !own, 1); said != "" {
				return fmt.Sprintf("%s has an empty list, and says beside it: %s", browser.Redact(d.from), name+" "+quoted(browser.RedactText(shortly(said))))
			}
		}
	}
	return ""
}

// opensDoubt returns a message in an object, or so many levels below it, that is not in known words, with
// its name. told: its messages are of how the request went.
func opensDoubt(object map[string]any, told bool, levels int) (name, said string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		folded := foldedName(name)
		if warnedName.MatchString(folded) || told && toldName.MatchString(folded) {
			if said := doubtful(object[name]); said != "" {
				return name, said
			}
		}
		if inner, is := object[name].(map[string]any); is && levels > 0 {
			if name, said := opensDoubt(inner, told, levels-1); said != "" {
				return name, said
			}
		}
	}
	return "", ""
}

// doubtful returns the longest text in a value that is neither empty, nor says that there are none, or that
// all is well.
func doubtful(value any) (said string) {
	anyScalar(value, func(text string) bool {
		if len(text) > len(said) && !meansNone(text) && text != "true" && !saysNone(text) && !saysWell(text) {
			said = text
		}
		return false
	})
	return said
}

// noneWords are the words of sentences that say that there are no documents, and those of them that say no.
var noneWords = sync.OnceValue(func() (words struct {
	all, no map[string]bool
	unlike  []string
}) {
	ideas := readWords(listingWordsSource)
	words.all, words.no = setOf("found available for the of"), map[string]bool{}
	for _, idea := range []string{"none", "lacks", "lacking", "documents", "order", "filler"} {
		for _, phrase := range ideas[idea] {
			for _, word := range saidWord.FindAllString(liken(phrase), -1) {
				words.all[word] = true
				words.no[word] = words.no[word] || idea == "none"
			}
		}
	}
	for _, phrase := range ideas["unlike"] {
		words.unlike = append(words.unlike, liken(phrase))
	}
	return words
})

// saysNone reports whether a text says that there are no documents, and nothing else.
func saysNone(text string) bool {
	words, text := noneWords(), liken(text)
	no := false
	for _, word := range saidWord.FindAllString(text, -1) {
		if !words.all[word] {
			return false
		}
		no = no || words.no[word]
	}
	return no && !slices.ContainsFunc(words.unlike, func(phrase string) bool { return strings.Contains(text, phrase) })
}

// saysWell reports whether a text says that a request went well, and nothing else.
func saysWell(text string) bool {
	is := false
	for _, word := range saidWord.FindAllString(strings.ToLower(text), -1) {
		if !wellWord[word] && !well[word] {
			return false
		}
		is = is || wellWord[word]
	}
	return is
}
