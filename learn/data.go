package learn

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/scrape"
)

// The bounds of what is looked at in one answer.
const (
	deepest    = 6
	mostLeaves = 400
)

// addData adds the values of the data that a page has received to what is found on it.
func (s *seen) addData() {
	for _, answer := range s.Answers {
		pattern, ok := s.patternOf(answer.URL)
		if !ok {
			continue
		}
		left := mostLeaves
		s.addValue(pattern, "$", answer.Value, deepest, &left)
	}
}

// addValue adds what a value has in it; not lists, whose elements have no names.
func (s *seen) addValue(pattern, path string, value any, deep int, left *int) {
	if deep == 0 || *left == 0 {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			s.addValue(pattern, path+member(name), v[name], deep-1, left)
		}
	case string:
		s.addLeaf(pattern, path, strings.Join(strings.Fields(v), " "), false, left)
	case json.Number:
		s.addLeaf(pattern, path, v.String(), true, left)
	case float64:
		s.addLeaf(pattern, path, strings.TrimSuffix(fmt.Sprintf("%.2f", v), ".00"), true, left)
	}
}

func (s *seen) addLeaf(pattern, path, text string, number bool, left *int) {
	if text == "" || len(text) > 500 || path == "$" {
		return
	}
	*left--
	l := scrape.Locator{Kind: scrape.ByData, Answer: pattern, Path: path}
	if old := s.finds[l]; old != nil {
		old.Differ = old.Differ || old.Value != text
		return
	}
	s.finds[l] = &scrape.Find{Locator: l, Met: 1, Seen: true, Value: text, At: -1}
	if number {
		s.numbers[l] = true
	}
}

var plainMember = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func member(name string) string {
	if plainMember.MatchString(name) {
		return "." + name
	}
	return "['" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(name) + "']"
}

// patternOf returns the pattern of an answer's address, with the order's number in it where it is
// told that, and "*" for what only this page has in it. It reports false for one that no pattern can stand for.
func (s *seen) patternOf(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || strings.ContainsAny(u.Path, "{}*") {
		return "", false
	}
	pattern := s.path(u)
	if path, _, queried := strings.Cut(pattern, "?"); queried && !strings.Contains(pattern, "{") {
		return path + "*", true
	}
	return pattern, true
}

// path is an answer's address as a pattern, with its whole query.
func (s *seen) path(u *url.URL) string {
	segments := strings.Split(u.EscapedPath(), "/")
	for i, segment := range segments {
		segments[i] = s.generally(segment)
	}
	pattern := strings.Join(segments, "/")
	if page, err := url.Parse(s.Description.URL); err == nil && u.Host != page.Host {
		pattern = u.Scheme + "://" + u.Host + pattern
	}
	if u.RawQuery == "" {
		return pattern
	}
	parts := strings.Split(u.RawQuery, "&")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		switch {
		case strings.ContainsAny(name, "{}"):
			parts[i] = "*"
		case !s.common[part]:
			parts[i] = name + "=" + s.generally(value)
		}
	}
	return pattern + "?" + strings.Join(parts, "&")
}

// generally returns a part of an address as all orders have it.
func (s *seen) generally(part string) string {
	for _, value := range []struct{ text, placeholder string }{{s.PO, "{po}"}, {s.Digits, "{digits}"}} {
		if len(value.text) >= 2 && strings.Contains(part, value.text) {
			return strings.ReplaceAll(part, value.text, value.placeholder)
		}
	}
	own := s.common != nil && !s.common[part] && strings.ContainsAny(part, "0123456789")
	if own || strings.ContainsAny(part, "{}") || part == "redacted" {
		return "*"
	}
	return part
}

// commonParts are the parts of the addresses of data that several pages have, or nil for a single page.
func commonParts(pages []Page) map[string]bool {
	if len(pages) < 2 {
		return nil
	}
	on := map[string]int{}
	for _, p := range pages {
		own := map[string]bool{}
		for _, answer := range p.Answers {
			u, err := url.Parse(answer.URL)
			if err != nil {
				continue
			}
			parts := strings.Split(u.EscapedPath(), "/")
			parts = append(parts, strings.Split(u.RawQuery, "&")...)
			for _, part := range parts {
				own[part] = true
			}
		}
		for part := range own {
			on[part]++
		}
	}
	common := map[string]bool{}
	for part, n := range on {
		common[part] = n > 1
	}
	return common
}

// inData returns the candidates of data, and those of the page.
func inData(all []*candidate) (data, page []*candidate) {
	for _, one := range all {
		if one.Kind == scrape.ByData {
			data = append(data, one)
		} else {
			page = append(page, one)
		}
	}
	return data, page
}
