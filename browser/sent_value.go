package browser

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// A page may send several values of one header to one host: an old token and the new one, a word that asks
// for a token, the tokens of two accounts. Which of them is for an address is found out here.

// sentValue is one value of a header.
type sentValue struct {
	text string
	// first and last are the places of its requests among all, and paths where these went to.
	first, last int
	paths       []string
	// refused: the last of them was. past: it was sent by an earlier document alone.
	refused, past bool
}

// withSent returns the values of a header with the one of a request that was answered.
func withSent(values []sentValue, text string, r sentRequest, refused bool) []sentValue {
	values = slices.Clone(values)
	i := slices.IndexFunc(values, func(v sentValue) bool { return v.text == text })
	if i < 0 {
		if len(values) >= maxSentValues {
			values = slices.Delete(values, 0, 1)
		}
		i, values = len(values), append(values, sentValue{text: text, first: r.at})
	}
	v := &values[i]
	if v.first = min(v.first, r.at); v.last <= r.at {
		v.last, v.refused = r.at, refused
	}
	if len(v.paths) < maxSentPaths && !slices.Contains(v.paths, r.path) {
		v.paths = append(slices.Clip(v.paths), r.path)
	}
	return values
}

// replaced returns later values of a header, with the earlier ones as past.
func replaced(earlier, later []sentValue) []sentValue {
	all := slices.Clone(later)
	for _, v := range earlier {
		if v.past = true; len(all) < maxSentValues && !slices.ContainsFunc(all, func(l sentValue) bool { return l.text == v.text }) {
			all = append(all, v)
		}
	}
	return all
}

// isRefusal reports whether a status says that what was sent does not fit, or no longer.
func isRefusal(status int64) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden || status == 419 || status == 440
}

var (
	// noValue is what scripts send that have none.
	noValue = regexp.MustCompile(`(?i)^\s*(?:(?:bearer|basic|token|jwt)?\s*(?:undefined|null|nan|\[object object\])?)\s*$`)
	// asksForToken is what asks for a token, where one is sent otherwise, as for SAP's.
	asksForToken = regexp.MustCompile(`(?i)^\s*(?:fetch|required)\s*$`)
	// changingName is a header whose value may be another one for each request, and says nothing of who asks.
	changingName = regexp.MustCompile(`(?i)csrf|xsrf|nonce|timestamp|trace|span|request-?id|correlation|^accept|^dpop$|signature|^x-requested-with$`)
)

// choose returns the value of a header for a path. known: there is one. clear: it is told from all
// others that are in use.
func choose(name string, values []sentValue, path string) (text string, known, clear bool) {
	values = slices.DeleteFunc(slices.Clone(values), func(v sentValue) bool {
		return v.past || noValue.MatchString(v.text) || asksForToken.MatchString(v.text) && SaysSecret(name)
	})
	if len(values) == 0 {
		return "", false, false
	}
	slices.SortFunc(values, func(a, b sentValue) int { return a.last - b.last })
	latest := values[len(values)-1]
	live := slices.DeleteFunc(slices.Clone(values), func(v sentValue) bool {
		return v.refused || slices.ContainsFunc(values, v.replacedBy)
	})
	if len(live) == 0 {
		return latest.text, true, true
	}
	latest = live[len(live)-1]
	if changingName.MatchString(name) {
		for _, v := range slices.Backward(live) {
			if v.shares(path) > 0 {
				return v.text, true, true
			}
		}
		return latest.text, true, true
	}
	best := slices.MaxFunc(live, func(a, b sentValue) int { return a.shares(path) - b.shares(path) })
	clear = !slices.ContainsFunc(values, func(v sentValue) bool {
		if slices.ContainsFunc(live, func(l sentValue) bool { return l.text == v.text }) {
			return v.text != best.text && v.shares(path) == best.shares(path)
		}
		return !v.refused && v.shares(path) > best.shares(path) // it was replaced elsewhere, and may be in use here
	})
	return best.text, true, clear
}

// replacedBy reports whether another value was sent later, and only later, to where this one was.
func (v sentValue) replacedBy(later sentValue) bool {
	return later.first > v.last && slices.ContainsFunc(v.paths, func(path string) bool { return slices.Contains(later.paths, path) })
}

// shares returns how many parts of a path, from its beginning, a path has as well that the value was sent to.
func (v sentValue) shares(path string) (most int) {
	asked := strings.Split(strings.Trim(path, "/"), "/")
	for _, sent := range v.paths {
		parts, n := strings.Split(strings.Trim(sent, "/"), "/"), 0
		for n < len(parts) && n < len(asked) && parts[n] == asked[n] && parts[n] != "" {
			n++
		}
		most = max(most, n)
	}
	return most
}

// pathOf returns the path of an address.
func pathOf(address string) string {
	u, err := ParseURL(address)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}
