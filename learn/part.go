package learn

import (
	"regexp"
	"slices"
	"strings"
)

// part is a part of a text: what a recipe's match finds.
type part struct {
	pattern string
	re      *regexp.Regexp
	// lined: it looks at the lines of the text.
	lined bool
}

// lines are those of several that may be a value, such as a supplier's name above its address.
var lines = []*part{line(`^([^\n]+)`), line(`^[^\n]+\n([^\n]+)`), line(`\n([^\n]+)$`)}

func line(pattern string) *part { return &part{pattern, regexp.MustCompile(pattern), true} }

// of returns the part of a text, which is all of it without a part, and whether there is one.
func (p *part) of(text string) (string, bool) {
	if p == nil {
		return text, true
	}
	m := p.re.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return strings.TrimSpace(m[min(1, len(m)-1)]), true
}

// cut is a text with the column's value in it.
type cut struct{ before, value, after string }

// cuts returns where in a text the words are that say what the cell says.
func (in *induction) cuts(c *column, whole string, want *cell) []cut {
	var found []cut
	if len(whole) > 300 {
		return nil
	}
	starts := wordStarts(whole)
	for _, from := range starts {
		for _, to := range wordEnds(whole, from, 8) {
			value := whole[from:to]
			if value != whole && balanced(value) && in.texts.of(value).is(c, want) {
				found = append(found, cut{whole[:from], value, whole[to:]})
			}
		}
	}
	// What is written as in the sheet is the value itself, or else the shortest: an amount may be read with its currency.
	length := func(c cut) int {
		if c.value == want.raw {
			return 0
		}
		return len(c.value)
	}
	slices.SortStableFunc(found, func(a, b cut) int { return length(a) - length(b) })
	return found
}

// balanced reports whether a text has no bracket without the other one: "(800) 460-6228" keeps its first.
func balanced(text string) bool {
	return strings.Count(text, "(") == strings.Count(text, ")") && strings.Count(text, "[") == strings.Count(text, "]")
}

const punctuation = ":;,()[]|·–—\"'"

func wordStarts(text string) (starts []int) {
	for i := range len(text) {
		if text[i] != ' ' && (i == 0 || text[i-1] == ' ') {
			starts = append(starts, i)
			for j := i; j < len(text) && strings.IndexByte("([\"'", text[j]) >= 0; j++ {
				starts = append(starts, j+1)
			}
		}
		if seam(text, i) && isLower(text[i-1]) {
			starts = append(starts, i)
		}
	}
	return starts
}

// seam reports whether a word that stands in the markup of its own may begin at i, as in "12.00Total": nothing
// but its first letter tells it from the one before.
func seam(text string, i int) bool {
	if i == 0 || text[i-1] == ' ' {
		return false
	}
	if isUpper(text[i]) {
		return !isUpper(text[i-1]) && text[i-1] != '-' && text[i-1] != '/'
	}
	return isDigit(text[i]) && isLower(text[i-1])
}

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }
func isLower(b byte) bool { return b >= 'a' && b <= 'z' }
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func wordEnds(text string, from, most int) (ends []int) {
	for i := from + 1; i <= len(text) && most > 0; i++ {
		if i < len(text) && text[i] != ' ' {
			if seam(text, i) {
				ends = append(ends, i)
			}
			continue
		}
		most--
		ends = append(ends, i)
		for end := i - 1; end > from && strings.IndexByte(punctuation+".", text[end]) >= 0; end-- {
			ends = append(ends, end)
		}
	}
	return ends
}

// partOf returns what finds the value in all of these texts, or nil.
func partOf(cuts []cut) *part {
	if len(cuts) < 2 {
		return nil
	}
	lead, ok := leadOf(cuts)
	value, tail := `(.+?)`, tailOf(cuts)
	if !slices.ContainsFunc(cuts, func(c cut) bool { return strings.Contains(c.value, " ") }) {
		value = `(\S+)`
	}
	// One word before what is the same everywhere, or at the end, such as a currency behind its amount.
	spaced := !slices.ContainsFunc(cuts, func(c cut) bool { return !strings.HasSuffix(c.before, " ") })
	if !ok && spaced && value == `(\S+)` && (tail == "$" || strings.HasPrefix(tail, " ") && letters(tail) >= 2) {
		lead, ok = `(?:^|\s)`, true
	}
	if !ok {
		return nil
	}
	if tail == "" && value == `(.+?)` {
		return nil
	}
	if tail == "" {
		if slices.ContainsFunc(cuts, func(c cut) bool { return c.after != "" && !strings.HasPrefix(c.after, " ") }) {
			return nil
		}
	}
	pattern := lead + value + tail
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	return &part{pattern: pattern, re: re}
}

// worded reports whether there are words around the part, by which people know it, too.
func (p *part) worded() bool {
	lead, tail, _ := sides(p.pattern)
	return letters(strings.NewReplacer(`(?:^|\s)`, "", `\S+`, "").Replace(lead+tail)) >= 2
}

// sides returns what of a pattern stands before its value and behind it.
func sides(pattern string) (lead, tail string, ok bool) {
	if lead, tail, ok = strings.Cut(pattern, `(.+?)`); !ok {
		lead, tail, ok = strings.Cut(pattern, `(\S+)`)
	}
	return lead, tail, ok
}

// letters counts the letters of a text.
func letters(text string) (n int) {
	for _, r := range text {
		if isLetter(r) {
			n++
		}
	}
	return n
}

// leadOf returns what stands before the values: the same everywhere, the same words at its end,
// or as many words.
func leadOf(cuts []cut) (string, bool) {
	first := cuts[0].before
	if !slices.ContainsFunc(cuts, func(c cut) bool { return c.before != first }) {
		return "^" + regexp.QuoteMeta(first), true
	}
	words := strings.Fields(first)
	common := words
	count := len(words)
	for _, c := range cuts {
		w := strings.Fields(c.before)
		if len(w) != count {
			count = -1
		}
		n := 0
		for n < len(w) && n < len(common) && w[len(w)-1-n] == common[len(common)-1-n] {
			n++
		}
		common = common[len(common)-n:]
	}
	spaced := !slices.ContainsFunc(cuts, func(c cut) bool { return !strings.HasSuffix(c.before, " ") })
	switch {
	case len(common) > 0 && spaced && strings.ContainsFunc(strings.Join(common, ""), isLetter):
		return `(?:^|\s)` + regexp.QuoteMeta(strings.Join(common, " ")) + " ", true
	case count > 0 && count <= 3 && spaced:
		return "^" + strings.Repeat(`\S+ `, count), true
	}
	return "", false
}

// tailOf returns what stands behind the values, where that is the same everywhere or begins so.
func tailOf(cuts []cut) string {
	first := cuts[0].after
	if !slices.ContainsFunc(cuts, func(c cut) bool { return c.after != first }) {
		return regexp.QuoteMeta(first) + "$"
	}
	common := first
	for _, c := range cuts {
		for !strings.HasPrefix(c.after, common) {
			common = common[:len(common)-1]
		}
	}
	if strings.TrimSpace(common) == "" {
		return ""
	}
	return regexp.QuoteMeta(strings.ToValidUTF8(common, ""))
}
