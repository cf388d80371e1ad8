package scrape

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// A document is astray where the order's number was asked for, and the answer, by its address or its
// file name, names another order in its place. Other numbers, as of invoices, do not count, nor does
// what the page itself calls by the other order's number.

// strays returns what came in answer to a request for another order's document, for people.
func (a *attempt) strays(docs []document) []string {
	var found []string
	for i := range docs {
		doc := &docs[i]
		if doc.State != tasks.AttachmentDone {
			continue
		}
		if answer := a.stray(doc.item, doc.from, doc.Original); answer != "" {
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
	if !slices.ContainsFunc(asked, a.names) || slices.ContainsFunc(answers, func(text string) bool { return a.names(placeOf(text)) }) {
		return ""
	}
	asked = append(asked, path.Base(pathOf(it.URL)))
	for _, answer := range answers {
		said := placeOf(answer)
		other := a.otherOrder(said)
		if other != "" && !slices.ContainsFunc(asked, func(text string) bool { return standsAlone(strings.ToUpper(text), other) }) {
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
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return text
	}
	query, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		query = u.RawQuery
	}
	return u.Path + "?" + query
}

// otherOrder returns a number in a text that is made as the order's is, prefix and all, or "".
func (a *attempt) otherOrder(text string) string {
	prefix := strings.TrimRightFunc(strings.TrimSuffix(a.task.PO, a.task.Digits), func(r rune) bool { return !unicode.IsLetter(r) })
	if prefix == "" || a.task.Digits == "" {
		return ""
	}
	made := regexp.MustCompile(fmt.Sprintf(`(?:^|[^\pL\pN])(%s[-_ .#]?(\d{%d}))(?:[^\pL\pN]|$)`, regexp.QuoteMeta(strings.ToUpper(prefix)), len(a.task.Digits)))
	for _, m := range made.FindAllStringSubmatch(strings.ToUpper(text), -1) {
		if m[2] != a.task.Digits {
			return m[1]
		}
	}
	return ""
}

// inPlace reports whether an answer says what was asked for but for the order's number: in its place
// stands one that is made like it.
func (a *attempt) inPlace(asked, answer string) bool {
	if len(a.task.Digits) < 3 || !a.names(asked) {
		return false
	}
	own, others := word.FindAllString(strings.ToUpper(asked), -1), word.FindAllString(strings.ToUpper(answer), -1)
	if len(own) != len(others) {
		return false
	}
	differs := false
	for i, token := range own {
		if token == others[i] {
			continue
		}
		mine, other := numberLike.FindStringSubmatch(token), numberLike.FindStringSubmatch(others[i])
		if !a.names(token) || mine == nil || other == nil || mine[1] != other[1] || len(mine[2]) != len(other[2]) {
			return false
		}
		differs = true
	}
	return differs
}
