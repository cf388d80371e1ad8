package scrape

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/theory/jsonpath/spec"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/jsonfault"
)

// An answer may be one page of a list. It says so in its headers, or in an object that the list is in, or in
// what says of that how it goes on: by a word, by where the next page is, or by a count of more than it has.

// pagedHead is what the headers of an answer say of its list: the values of Link, X-Total-Count and Content-Range.
type pagedHead struct{ link, total, rng string }

var (
	// pagedName is what is called that says how a list goes on.
	pagedName = setOf("pageinfo paging pagination page pager pages links link cursor cursors navigation resultset resultinfo listinfo")
	// goesOn is true where a list goes on, isLast false.
	goesOn = regexp.MustCompile(`^(?:has|is|are)?(?:there)?(?:next|more)(?:pages?|items|results?|records?|rows|data|entries|elements|documents|files)?(?:available|exists?)?$|^(?:is)?truncated$|^incomplete(?:results)?$`)
	isLast = setOf("last islast lastpage islastpage")
	// nextName is where the next page is, or by what it is asked for; alone may be something else.
	nextName  = regexp.MustCompile(`^next(?:link|page|pages|url|uri|href|cursor|token|offset|start|skip|marker|key|continuation|records|results)+(?:token|url|uri|link|number)?$|^continuation(?:token|key)?$|^continue(?:token)$`)
	nextAlone = setOf("next nextpage")
	asNext    = regexp.MustCompile(`[/?=]|^\S{16,}$`)
	// countName is how many elements there are on all pages; vagueCount may be something else of an order,
	// such as its amount.
	countName = setOf(`totalcount totalelements totalresults totalrecords totalhits totalentries recordstotal recordsfiltered recordcount totalrecordcount
		totalitemcount totalresultcount sizetotal numfound nbhits fullcount overallcount odata.count inlinecount totaldocuments totalfiles totalattachments
		documentcount documentscount filecount filescount attachmentcount attachmentscount numberofdocuments`)
	vagueCount = setOf("total count totalitems itemcount itemscount totalrows rowcount totalsize resultcount numresults totalnumber")
	// pagingName is what else an object has that holds a list, and nothing of an order.
	pagingName = regexp.MustCompile(`^(?:pages?|current|size|per|limit|offset|start|skip|take|top|index|number|of|elements|total|count|first|last|empty|has|is|` +
		`next|more|prev|previous|self|sort(?:ed|by)?|orderby|begin|end|cursor|token|truncated|filtered|records|draw|max|results?|items|rows|url|query|q|search)+$`)
	pagingPart = setOf("embedded sort pageable search facets aggregations")
	relNext    = regexp.MustCompile(`(?i);\s*rel\s*=\s*"?[^";,]*\bnext\b`)
)

// further returns what the last of some answers says of a list at a path that goes on in another one, with
// its address, or an empty text. An answer that says how many there are is held against all of them.
func further(path *Path, answers []datum) string {
	if said := goesFurther(path, answers); said != "" {
		return said + ", and only its own list was read"
	}
	return ""
}

// goesFurther is further for answers that are all that was to be read.
func goesFurther(path *Path, answers []datum) string {
	if len(answers) == 0 {
		return ""
	}
	d, met := answers[len(answers)-1], sizes(path, answers)
	said := d.head.goesOn(met)
	if said == "" {
		said = furtherIn(d.value, "", 3)
	}
	for _, at := range slices.Sorted(maps.Keys(met)) {
		if list, is := path.lists(d.value)[at]; is && said == "" {
			said = list.goesOn(d.value, met[at])
		}
	}
	if said == "" {
		return ""
	}
	return browser.Redact(d.from) + " says that there are more (" + said + ")"
}

// sizes returns how many elements the lists at a path have in all answers together, by their places.
func sizes(path *Path, answers []datum) map[string]int {
	met := map[string]int{}
	for i, answer := range answers {
		again := slices.ContainsFunc(answers[:i], func(before datum) bool { return reflect.DeepEqual(before.value, answer.value) })
		for at, list := range path.lists(answer.value) {
			if !again {
				met[at] += list.size
			}
		}
	}
	return met
}

// goesOn says what the headers say of that, where so many elements were met in the lists of the answers.
func (h pagedHead) goesOn(met map[string]int) string {
	all := 0
	for _, n := range met {
		all += n
	}
	if n, said := h.count(); said != "" && n > all && len(met) > 0 {
		return said
	}
	if relNext.MatchString(h.link) {
		return "Link: " + quoted(browser.RedactText(shortly(h.link)))
	}
	return ""
}

// count returns how many elements the headers say that the list has, and quotes them, or an empty text.
func (h pagedHead) count() (n int, said string) {
	if n, err := strconv.Atoi(strings.TrimSpace(h.total)); err == nil {
		return n, "X-Total-Count: " + strconv.Itoa(n)
	}
	_, total, ranged := strings.Cut(h.rng, "/")
	if n, err := strconv.Atoi(strings.TrimSpace(total)); err == nil && ranged && !strings.HasPrefix(h.rng, "bytes") {
		return n, "Content-Range: " + shortly(h.rng)
	}
	return 0, ""
}

// list is a list in an answer, with how many elements it has.
type list struct {
	path spec.NormalizedPath
	size int
}

// lists returns the lists that a path takes its elements of, by their places.
func (p *Path) lists(value any) map[string]list {
	found := map[string]list{}
	add := func(path spec.NormalizedPath) {
		values := chain(value, path)
		if elements, is := values[len(values)-1].([]any); is {
			found[path.String()] = list{path, len(elements)}
		}
	}
	for _, at := range p.places(value) {
		for i := len(at.path) - 1; i >= 0; i-- {
			if _, is := at.path[i].(spec.Index); is {
				add(at.path[:i])
				break
			}
		}
	}
	empty := p.locate(value)
	if p.list != nil {
		empty = append(empty, located(p.list, value)...)
	}
	for _, at := range empty {
		add(at.path)
	}
	return found
}

// goesOn returns what the objects that a list is in say of more than so many elements, up to the one that
// is itself an element of another list, or that it goes on; or an empty text.
func (l list) goesOn(root any, met int) string {
	values := chain(root, l.path)
	counts := true
	for i := len(l.path) - 1; i >= 0; i-- {
		object, is := values[i].(map[string]any)
		if _, index := l.path[i].(spec.Index); index {
			counts = false // what is said above is of the other list
		}
		if !is {
			continue
		}
		if said := furtherIn(object, "", 1); said != "" {
			return said
		}
		if said := moreThan(object, met, holdsList(object), 1); counts && said != "" {
			return said
		}
	}
	return ""
}

// holdsList reports whether an object has nothing but lists, and what is said of them: no order's values.
func holdsList(object map[string]any) bool {
	for name, value := range object {
		if !strings.HasPrefix(name, "@") && !ofList(strings.TrimLeft(jsonfault.Folded(name), "$"), value) {
			return false
		}
	}
	return true
}

// ofList reports whether a member that is called so is a list, or says something of one.
func ofList(called string, value any) bool {
	if _, is := value.([]any); is || pagedName[called] || jsonfault.Wraps(called) {
		return true
	}
	if _, is := value.(map[string]any); is {
		return pagingPart[called]
	}
	if jsonfault.OfReport(called) {
		return true
	}
	number, is := value.(json.Number)
	return pagingName.MatchString(called) && (called != "number" || is && len(number) < 4) // not the order's
}

// moreThan returns which count in an object, or so many levels below it where that says how its list goes
// on, is of more than so many elements; alone: it has nothing else.
func moreThan(object map[string]any, met int, alone bool, levels int) string {
	for _, number := range numbersBeside(object, "", alone, levels) {
		if number.counts && number.n > met {
			return number.String()
		}
	}
	return ""
}

// besideNumber is a whole number that stands beside a list. counts: its name says that it is how many elements
// that has on all pages. at is its place, as seen from the list.
type besideNumber struct {
	at, name string
	n        int
	counts   bool
}

func (b besideNumber) String() string { return fmt.Sprintf("%s: %d", b.name, b.n) }

// numbersBeside returns those of an object, and of so many levels below it where that says how its list goes on;
// alone: it has nothing else.
func numbersBeside(object map[string]any, at string, alone bool, levels int) (found []besideNumber) {
	filtered := false
	for name := range object {
		filtered = filtered || jsonfault.Folded(name) == "recordsfiltered"
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		folded := strings.TrimLeft(jsonfault.Folded(name), "$@")
		switch value := object[name].(type) {
		case map[string]any:
			if levels > 0 && (pagedName[folded] || jsonfault.Wraps(folded)) {
				found = append(found, numbersBeside(value, at+name+".", holdsList(value), levels-1)...)
			}
		case string, json.Number:
			text, _ := scalar(value)
			counts := countName[folded] && (folded != "recordstotal" || !filtered) || vagueCount[folded] && alone
			if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
				found = append(found, besideNumber{at + name, name, n, counts})
			}
		}
	}
	return found
}

// furtherIn looks for what says that a list goes on in a value that is called so, and so many levels of the
// members below it that hold its data or its paging.
func furtherIn(value any, called string, levels int) string {
	object, _ := value.(map[string]any)
	ofPages := pagedName[called] || holdsList(object)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		folded := strings.TrimLeft(jsonfault.Folded(name), "$@")
		inner := object[name]
		if text, single := scalar(inner); single {
			text = strings.ToLower(strings.TrimSpace(text))
			if goesOn.MatchString(folded) && text == "true" || isLast[folded] && text == "false" {
				return name + ": " + text
			}
		}
		if (nextName.MatchString(strings.TrimPrefix(folded, "odata.")) || nextAlone[folded]) && leadsOn(inner, ofPages || !nextAlone[folded]) {
			return name + ": " + inWords(inner)
		}
		switch inner := inner.(type) {
		case []any:
			if link := nextLink(inner); link != nil && pagedName[folded] {
				return name + ": " + inWords(link)
			}
		case map[string]any:
			if levels > 0 && (jsonfault.Wraps(folded) || pagedName[folded]) {
				if said := furtherIn(inner, folded, levels-1); said != "" {
					return said
				}
			}
		}
	}
	return ""
}

// nextLink returns the link of a list of links that is called next, or nil.
func nextLink(links []any) any {
	for _, element := range links {
		link, _ := element.(map[string]any)
		if rel, _ := link["rel"].(string); strings.EqualFold(rel, "next") {
			return link
		}
	}
	return nil
}

// leadsOn reports whether what is called next is there. certain: it is of a list; else it must look like an
// address, or like what a server makes.
func leadsOn(value any, certain bool) bool {
	text, single := scalar(value)
	_, isBool := value.(bool)
	switch {
	case !single:
		object, is := value.(map[string]any)
		return is && !jsonfault.Blank(object) && (certain || object["href"] != nil || object["url"] != nil)
	case isBool, certain:
		return !jsonfault.MeansNone(text)
	}
	_, isNumber := value.(json.Number)
	return !jsonfault.MeansNone(text) && !isNumber && asNext.MatchString(text)
}

// inWords quotes a value.
func inWords(value any) string {
	text, single := scalar(value)
	if _, isText := value.(string); !isText && single {
		return text
	}
	if !single {
		raw, err := json.Marshal(value)
		if err != nil {
			return "..."
		}
		return browser.RedactText(shortly(string(raw)))
	}
	return quoted(browser.RedactText(shortly(text)))
}
