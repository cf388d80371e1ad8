package scrape

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// Some portals never show the address of a document: it is the page's own one with ".pdf" behind it, or
// has a number in it that a script would put there. The recipe makes it, of the order's values and of
// what an item holds. That there is such an address proves nothing of what the page lists.

// LinkRule says how the address of an item's document is made of what its link holds.
type LinkRule struct {
	// Attr is what to take, as in FieldRule.Attr, "text" for the text, or empty for the address that a
	// link leads to. Match finds the part of that which counts, its first group or all of it; or nil.
	Attr  string
	Match *regexp.Regexp
	// URL is the template of the address. {value} is what was taken, and {1} or {name} a group of Match:
	// at the beginning an address, else one segment of the path or one value of the query; {+value} and
	// {+1} are several of these, as they stand. Empty is "{value}".
	URL string
	// To are the hosts that such an address may lead to besides the portal's own site; see madeOrigins.
	To []string
}

const (
	placeMade  = "attachments.url"
	madeOfLink = "attachments.link.url"
	takenName  = "value"
	valueTaken = "{" + takenName + "}"
)

// selectors returns the addresses that are made, by their places in the recipe, which begin with at.
func (docs *AttachmentsRule) madeSelectors(at string) (all []namedSelector) {
	if docs.Made != nil {
		all = append(all, namedSelector{field: at + "link.url", selector: docs.Made.template(), text: true})
	}
	for i, address := range docs.URLs {
		all = append(all, namedSelector{field: fmt.Sprintf("%surl[%d]", at, i), selector: address, text: true})
	}
	return all
}

func (l *LinkRule) template() string { return cmp.Or(l.URL, valueTaken) }

// makeAddresses gives the listed documents the addresses that the recipe makes of what they hold.
func (a *attempt) makeAddresses(p *page) {
	docs := a.recipe().Attachments
	if docs == nil || docs.Made == nil || len(p.Items) == 0 {
		return
	}
	made, of := 0, map[string]map[string]bool{}
	for i := range p.Items {
		it := &p.Items[i]
		if it.Way != "" || it.Pending {
			continue
		}
		if it.URL, it.Unmade = a.addressOf(p, docs.Made, it); it.Unmade == "" {
			made++
			if of[it.URL] == nil {
				of[it.URL] = map[string]bool{}
			}
			of[it.URL][it.Value] = true
		}
	}
	for i := range p.Items { // one address of items that hold different things is not that of each
		if it := &p.Items[i]; len(of[it.URL]) > 1 {
			values := slices.Sorted(maps.Keys(of[it.URL]))
			it.Unmade = fmt.Sprintf("attachments.link makes one address of %d different texts, such as %s and %s; have match find what tells them apart",
				len(values), quoted(browser.Redact(shortly(values[0]))), quoted(browser.Redact(shortly(values[1]))))
		}
	}
	p.look(madeOfLink, made)
}

// addressOf returns the address of an item's document, or why it cannot be made.
func (a *attempt) addressOf(p *page, l *LinkRule, it *item) (address, why string) {
	address, why = a.makeAddress(l, making{at: "attachments.link", of: "document", base: it.Source}, it.Value,
		func(name string) (string, string) { return p.told(a.recipe(), name) })
	if why == "" {
		why = a.withheld(p, l.URL, address)
	}
	return address, why
}

// making says what an address is made for: the rule's place in the recipe, what is there, and the address
// that others are relative to.
type making struct{ at, of, base string }

// makeAddress returns the address that is made of what a link holds, or why it cannot be made. told tells
// the values of fields.
func (a *attempt) makeAddress(l *LinkRule, m making, value string, told tellField) (address, why string) {
	if value = strings.TrimSpace(value); value == "" {
		return "", fmt.Sprintf("%s found no %s in it", m.at, cmp.Or(l.Attr, "href"))
	}
	said := quoted(browser.Redact(shortly(value)))
	taken := map[string]string{takenName: value}
	if l.Match != nil {
		groups := l.Match.FindStringSubmatch(value)
		if groups == nil {
			return "", fmt.Sprintf("%s.match %q finds nothing in %s", m.at, l.Match, said)
		}
		taken = groupsOf(l.Match, groups)
	}
	base, err := browser.ParseURL(m.base)
	if err != nil {
		return "", fmt.Sprintf("the address of its page cannot be read: %v", err)
	}
	name, rest := l.leading()
	beginning := ""
	if name != "" {
		u, err := browser.Resolve(base, taken[name])
		if err != nil || taken[name] == "" || u.Scheme != "http" && u.Scheme != "https" {
			return "", fmt.Sprintf("%s found %s in it, which is no address of a %s", m.at, said, m.of)
		}
		if m.of == "document" || rest != "" {
			u.Fragment, u.RawFragment = "", ""
		}
		beginning = u.String()
	}
	fill := func(asItStands func(string) string) (string, string) {
		return a.fillIn(rest, func(name string) (string, string) {
			if value, is := taken[strings.TrimPrefix(name, "+")]; is {
				return partOf(name, value, asItStands)
			}
			return told(name)
		})
	}
	filled, why := fill(func(value string) string { return value })
	if why != "" {
		return "", why
	}
	sample, _ := fill(func(string) string { return "x" })
	if want, err := base.Parse(beginning + sample); err == nil {
		if made, err := base.Parse(beginning + filled); err == nil && (made.Scheme != want.Scheme || made.Host != want.Host) {
			return "", fmt.Sprintf("it makes %s, which leads to another host than %s.url says", quoted(browser.Redact(shortly(beginning+filled))), m.at)
		}
	}
	if address, why = resolved(base, beginning+filled); why != "" {
		return "", why
	}
	return address, a.made(l, m, address)
}

// made says why an address that was made is not asked for, or returns "".
func (a *attempt) made(l *LinkRule, m making, address string) string {
	if l.makes() {
		if why := a.madeWithheld(m.at, l.To, m.base, address); why != "" {
			return why
		}
	}
	return a.tells(address)
}

// partOf returns what a placeholder of an address becomes that is taken of a link, or why it cannot.
func partOf(name, value string, asItStands func(string) string) (part, why string) {
	bare := strings.HasPrefix(name, "+")
	switch {
	case value == "" || value == "." || value == ".." || unfilledText.MatchString(value):
		return "", fmt.Sprintf("is %q, which is no part of an address", value)
	case bare && !fits(value):
		return "", fmt.Sprintf("is %s, which cannot stand in an address as it is", quoted(browser.Redact(shortly(value))))
	case bare:
		return asItStands(value), ""
	}
	return value, ""
}

// groupsOf returns what each group of a pattern has found, by its number and by its name, and by
// takenName the first one, or all.
func groupsOf(pattern *regexp.Regexp, groups []string) map[string]string {
	taken := map[string]string{}
	for i, name := range pattern.SubexpNames() {
		text := strings.TrimSpace(groups[i])
		if i == min(1, len(groups)-1) {
			taken[takenName] = text
		}
		if i > 0 {
			taken[strconv.Itoa(i)] = text
		}
		if name != "" {
			taken[name] = text
		}
	}
	return taken
}

// takes reports whether a placeholder of the address, without its "+", is what is taken of the link.
func (l *LinkRule) takes(name string) bool {
	if name == takenName || l.Match == nil {
		return name == takenName
	}
	n, err := strconv.Atoi(name)
	return err == nil && strconv.Itoa(n) == name && n > 0 && n <= l.Match.NumSubexp() || name != "" && slices.Contains(l.Match.SubexpNames(), name)
}

// leading returns the placeholder with which the address begins, if that is taken of the link and so an
// address itself, and what is behind it.
func (l *LinkRule) leading() (name, rest string) {
	rest = l.template()
	if inner, is := strings.CutPrefix(rest, "{"); is {
		name, after, closed := strings.Cut(inner, "}")
		if name = strings.TrimPrefix(name, "+"); closed && l.takes(name) {
			return name, after
		}
	}
	return "", rest
}

// fits reports whether a text can stand in an address as it is: it ends neither the path nor the query
// before its own end, and has no segment that leads up.
func fits(text string) bool {
	plain, err := url.PathUnescape(text)
	odd := func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }
	path, _, _ := strings.Cut(text, "?")
	return err == nil && !strings.ContainsAny(text, "# ") && !strings.ContainsFunc(plain, odd) && !hasDots(path)
}

// hasDots reports whether a path has a segment that leads elsewhere: "." or "..".
func hasDots(path string) bool {
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	return slices.ContainsFunc(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }), func(segment string) bool {
		return segment == "." || segment == ".."
	})
}

func shortly(text string) string {
	if runes := []rune(text); len(runes) > 80 {
		return string(runes[:80]) + "..."
	}
	return text
}

func resolved(base *url.URL, text string) (address, why string) {
	u, err := browser.Resolve(base, text)
	if err != nil {
		return "", fmt.Sprintf("%q is no address: %v", browser.Redact(text), err)
	}
	return u.String(), ""
}

// makeItems lists the documents whose addresses the recipe makes of the order's values alone. It may be
// called again, when more of the order's values are known. Where the page says that there are none, as
// the recipe has it, none is made.
func (a *attempt) makeItems(p *page) {
	docs := a.recipe().Attachments
	if docs == nil || len(docs.URLs) == 0 {
		return
	}
	p.Items, p.Met = nil, 0
	p.Looks = slices.DeleteFunc(p.Looks, func(l tasks.Look) bool { return strings.HasPrefix(l.Where, placeMade+"[") })
	if verdict.Refused(a.facts(p, nil)) || p.None && !p.NoneVague {
		return
	}
	for i, text := range docs.URLs {
		it := item{Index: i, Source: p.URL}
		filled, why := a.fillIn(text, func(name string) (string, string) { return p.told(a.recipe(), name) })
		if why == "" {
			it.URL, why = resolved(a.order(), filled)
		}
		if why == "" {
			why = a.withheld(p, text, it.URL)
		}
		it.Unmade = why
		met := 0
		if why == "" {
			met = 1
		}
		p.look(fmt.Sprintf("%s[%d]", placeMade, i), met)
		p.Items = append(p.Items, it)
	}
	p.Met = len(p.Items)
	if p.Declared != nil && p.Declared.Count <= p.Met {
		p.Declared = nil
	}
}
