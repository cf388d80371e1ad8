package scrape

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/jsonfault"
	"github.com/poscrape/poscrape/scrape/words"
)

// An empty list with a message beside it may be empty because something could not be had, whatever else
// the answer says of errors. Only a message in known words says nothing of that kind.

// warnedName is what an order has no text of its own in, and toldName what people are told by.
var (
	warnedName = regexp.MustCompile(`^(?:(?:warn|warning|error|err|fault|alert|exception)s?(?:messages?|msgs?|texts?)?|notices?)$`)
	toldName   = regexp.MustCompile(`^(?:(?:user|display|result|return|status|response|system)?(?:messages?|msgs?)|remarks?)$`)
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
		folded := jsonfault.Folded(name)
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

// doubtful returns the longest text in a value that is neither empty, nor says that there are no documents or that
// all is well.
func doubtful(value any) (said string) {
	anyScalar(value, func(text string) bool {
		if len(text) > len(said) && text != "true" && !innocent(text) {
			said = text
		}
		return false
	})
	return said
}

// fine are the words of messages by which servers say that a request succeeded.
var fine = setOf("ok okay success successful successfully succeeded 200 request operation query call data records result results retrieved fetched loaded returned completed done")

var (
	saysNone  = sync.OnceValue(func() words.Lookup { return words.For("none") })
	documents = sync.OnceValue(func() words.Lookup { return words.For("documents") })
	inNone    = sync.OnceValue(func() words.Lookup { return words.For("none", "documents", "order", "small", "filler") })
)

// innocent reports whether a text says that there are no documents, or that all is well.
func innocent(text string) bool {
	all := words.Sequence(text)
	_, none := saysNone().Without(all)
	if _, named := documents().Without(all); none && named {
		left, _ := inNone().Without(all)
		return strings.TrimSpace(left) == ""
	}
	return jsonfault.MeansNone(text) || !slices.ContainsFunc(strings.Fields(all), func(word string) bool { return !fine[word] })
}
