package scrape

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/number"
)

// An application may ask for the data of several orders: it keeps an earlier one up to date,
// or loads the next one ahead. What keeps these apart is here.

// choice are the answers in which something was met that are the order's.
type choice struct {
	picked []datum
	// several: they may have different parts of it.
	several bool
	// why says why there is none, or not all of it, and lacks what others have in its place; or
	// they are empty.
	why, lacks string
}

// pick returns the answers in which something was met that are the order's. meets returns what an
// answer has in its place, that counts as neither.
func (s *dataset) pick(meets func(datum) (met bool, instead string)) choice {
	var named, shown, rest []datum
	other, lacks := "", ""
	for _, d := range s.list {
		met, instead := meets(d)
		switch {
		case !met:
			lacks = cmp.Or(lacks, instead)
		case d.named:
			named = append(named, d)
		case d.shown:
			shown = append(shown, d)
		case d.other != "":
			other = d.other
		default:
			rest = append(rest, d)
		}
	}
	switch {
	case len(named) > 0:
		return choice{append(named, shown...), len(shown) == 0, s.why, ""}
	case len(shown) > 0:
		return choice{shown, false, s.why, ""}
	case other != "":
		return choice{why: "the answer seems to be that of another order, " + quoted(other) + nameIt}
	}
	if why := cmp.Or(s.why, s.doubt); why != "" || lacks != "" {
		return choice{why: why, lacks: lacks}
	}
	return choice{picked: rest}
}

const nameIt = "; name the order in the address, with {po}, {digits} or {column:NAME}"

// otherBeside returns the number of another order that stands in a text of a value beside the order's own, or "".
func (n orderNumber) otherBeside(value any) (other string) {
	anyScalar(value, func(text string) bool {
		if n.Names(text) {
			other = n.Other(text)
		}
		return other != ""
	})
	return other
}

func (a *attempt) names(text string) bool { return a.number().Names(text) }

// number returns what the order is called.
func (a *attempt) number() orderNumber {
	return orderNumber{Number: number.Of(a.task.PO, a.task.Digits)}
}

// asksBy reports whether a request asks for the order as for what is looked for: by a POST, or by what
// stands in the query of an address and not in its path.
func (a *attempt) asksBy(method, address string) bool {
	u, err := browser.ParseURL(address)
	return method != http.MethodGet || err == nil && !a.names(u.EscapedPath()) && a.names(u.RawQuery)
}

// foreign returns the number of another order that an answer is about whose address names this one; or "".
// search: as what is looked for.
func (a *attempt) foreign(value any, search bool) string {
	if search {
		return a.strange(value)
	}
	return a.number().stranger(value)
}

// strange returns the number of another order that a value has, without this one's; or "".
func (a *attempt) strange(value any) string {
	if anyScalar(value, a.names) {
		return ""
	}
	return a.otherIn(value)
}

// otherIn returns a text in a value that is a number made as the order's, prefix and all, and another one; or "".
func (a *attempt) otherIn(value any) (found string) {
	n := a.number()
	anyScalar(value, func(text string) bool {
		if prefixed, _ := n.Like(text); prefixed {
			found = text
		}
		return found != ""
	})
	return found
}

// otherNumber returns what a "*" of the pattern stands for in an address, if that is made as
// this order's number is and is another one; or "". It is not if the page's address has it
// too, or data that shows this order's number: then it is what the portal itself calls the
// order.
func (a *attempt) otherNumber(ctx context.Context, expr *regexp.Regexp, reply browser.Reply, others []browser.Reply) (string, error) {
	groups := expr.FindStringSubmatch(reply.URL)
	for i := 1; i < len(groups); i++ {
		for _, token := range number.Words(groups[i]) {
			if !a.number().Twin(token) || number.StandsAlone(a.page, token) {
				continue
			}
			own, err := a.callsItself(ctx, token, others)
			if err != nil || !own {
				return token, err
			}
		}
	}
	return "", nil
}

// maxOthers is how many of a page's other answers are looked into.
const maxOthers = 100

// callsItself reports whether one answer has this name beside the order's number.
func (a *attempt) callsItself(ctx context.Context, name string, others []browser.Reply) (bool, error) {
	for _, reply := range others[:min(len(others), maxOthers)] {
		if !strings.Contains(reply.MIME, "json") {
			continue
		}
		value, why, err := a.content(ctx, reply)
		if err != nil {
			return false, err
		}
		if why != "" || !anyScalar(value, a.names) {
			continue
		}
		if number.StandsAlone(reply.URL, name) || besides(value, a.names, func(text string) bool { return strings.EqualFold(text, name) }) {
			return true, nil
		}
	}
	return false, nil
}

// besides reports whether one object has a value of its own that is a, and another that is b.
func besides(value any, a, b func(string) bool) bool {
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			if besides(inner, a, b) {
				return true
			}
		}
	case map[string]any:
		hasA, hasB := false, false
		for _, inner := range v {
			if besides(inner, a, b) {
				return true
			}
			if text, single := scalar(inner); single {
				hasA, hasB = hasA || a(text), hasB || b(text)
			}
		}
		return hasA && hasB
	}
	return false
}
