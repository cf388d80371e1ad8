package scrape

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
)

// paged are the members of an answer, or of its data, that say how its list goes on.
var paged = map[string]bool{"pageinfo": true, "paging": true, "pagination": true, "page": true, "links": true, "cursor": true}

// further returns what the last of some answers says of a list that goes on in another one, with its
// address, or an empty text.
func further(answers []datum) string {
	if len(answers) == 0 {
		return ""
	}
	d := answers[len(answers)-1]
	if said := furtherIn(d.value, 3); said != "" {
		return browser.Redact(d.from) + " says that there are more (" + said + "), and only its own list was read"
	}
	return ""
}

// furtherIn looks for that in a value, and so many levels of the members below it that hold its data or
// its paging.
func furtherIn(value any, levels int) string {
	object, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		folded := foldedName(name)
		switch inner := object[name].(type) {
		case bool:
			if inner && slices.Contains([]string{"hasnextpage", "hasmore", "hasnext", "morerecords"}, folded) {
				return name + ": true"
			}
		case string:
			next := slices.Contains([]string{"nextlink", "@odata.nextlink", "next", "nextpagetoken", "nextcursor", "nextpageurl"}, strings.TrimLeft(folded, "$"))
			if next && strings.TrimSpace(inner) != "" {
				return fmt.Sprintf("%s: %s", name, quoted(browser.RedactText(shortly(inner))))
			}
		case map[string]any:
			if levels > 0 && (wrappers[folded] || paged[strings.TrimLeft(folded, "_")]) {
				if said := furtherIn(inner, levels-1); said != "" {
					return said
				}
			}
		}
	}
	return ""
}
