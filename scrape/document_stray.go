package scrape

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/number"
	"github.com/poscrape/poscrape/scrape/words"
	"github.com/poscrape/poscrape/tasks"
)

// A document is astray where the order was asked for, by its number or by what the address of its page calls
// it, and the answer, by its address, one that led there, or its file name, names another order in its place. Other
// numbers, as of invoices, do not count, nor does what the page itself calls by the other order's number.

// strays returns what came in answer to a request for another order's document, for people.
func (a *attempt) strays(docs []document) []string {
	var found []string
	for i := range docs {
		doc := &docs[i]
		if doc.State != tasks.AttachmentDone {
			continue
		}
		answer := a.stray(doc.item, doc.from, doc.Original)
		for _, hop := range doc.via {
			answer = cmp.Or(answer, a.stray(doc.item, hop, ""))
		}
		if answer != "" {
			found = append(found, fmt.Sprintf("%s was asked for, and %s came", quoted(doc.Name), quoted(browser.Redact(answer))))
		}
	}
	return found
}

// stray returns the address or file name in the answer that names another order where the request
// names this one, or "". from is the address that the answer came from.
func (a *attempt) stray(it item, from, file string) string {
	if from == it.URL {
		from = ""
	}
	asked, answers := []string{placeOf(it.URL), it.Name}, []string{from, file}
	if !slices.ContainsFunc(asked, a.names) {
		if said := placeOf(from); from != "" && a.inPlace(asked[0], said) { // by what the portal itself calls the order
			return from
		}
		return ""
	}
	asked = append(asked, path.Base(pathOf(it.URL)))
	for _, answer := range answers {
		said := placeOf(answer)
		if a.names(said) {
			continue
		}
		other := cmp.Or(a.number().OtherTwin(said), a.orderCalled(said))
		if other != "" && !slices.ContainsFunc(asked, func(text string) bool { return number.StandsAlone(text, other) }) {
			return answer
		}
		if slices.ContainsFunc(asked, func(text string) bool { return a.inPlace(text, said) }) {
			return answer
		}
	}
	return ""
}

// placeOf is what a text says if it is an address, less its host: that is no order's.
func placeOf(text string) string {
	u, err := browser.ParseURL(text)
	if err != nil || u.Host == "" {
		return text
	}
	query, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		query = u.RawQuery
	}
	return u.Path + "?" + query
}

// calledOrder is a number behind a word for an order.
var calledOrder = sync.OnceValue(func() *regexp.Regexp {
	var phrases []string
	for _, phrase := range words.Of("order") {
		phrases = append(phrases, strings.ReplaceAll(regexp.QuoteMeta(phrase), " ", `[-_ .]?`))
	}
	return regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(?:` + strings.Join(phrases, "|") + `)[-_ .#]{0,2}(\d+)(?:[^\pL\pN]|$)`)
})

// orderCalled returns a number that a text calls an order's, made as the order's digits are, or "".
func (a *attempt) orderCalled(text string) string {
	for _, m := range calledOrder().FindAllStringSubmatch(words.Fold(text), -1) {
		if len(m[1]) == len(a.task.Digits) && m[1] != a.task.Digits && !a.callsOrder(m[1]) {
			return m[1]
		}
	}
	return ""
}

var (
	aYear     = regexp.MustCompile(`^(?:19|20)\d\d$`)
	digitRuns = regexp.MustCompile(`\d+`)
)

// callsOrder reports whether a word is the order's number, or what the address of the order's page calls it.
func (a *attempt) callsOrder(token string) bool {
	if len(digitRuns.FindString(token)) < 3 {
		return false
	}
	return a.names(token) || !aYear.MatchString(token) && number.StandsAlone(pathOf(a.page), token)
}

// inPlace reports whether an answer says what was asked for but for the order's number, or what the portal
// calls the order: in its place stands one that is made like it.
func (a *attempt) inPlace(asked, answer string) bool {
	own, others := number.Words(asked), number.Words(answer)
	if len(own) != len(others) {
		return false
	}
	differs := false
	for i, token := range own {
		if token == others[i] {
			continue
		}
		letters, digits, ok := number.Cut(token)
		theirs, other, like := number.Cut(others[i])
		if !a.callsOrder(token) || !ok || !like || letters != theirs || len(digits) != len(other) {
			return false
		}
		differs = true
	}
	return differs
}
