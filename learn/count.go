package learn

import (
	"cmp"
	"regexp"
	"strconv"

	"github.com/poscrape/poscrape/scrape"
)

// wholeNumber are the numbers in a text.
var wholeNumber = regexp.MustCompile(`\d+`)

// enoughCounts is how many different numbers of documents have to have been right: some number on a page is equal to
// that of its documents by chance, if these are few.
const enoughCounts = 3

// theirNumber finds the portal's own number of documents: what shows it, and no other number, on every page.
func (in *induction) theirNumber(docs []map[string]bool) string {
	var best scrape.Locator
	for _, l := range in.locators {
		if l.Selector == "" || l.Frame != "" || l.Kind == scrape.ByPath {
			continue
		}
		counts := map[int]bool{}
		for i, page := range in.pages {
			f := page.at(l)
			if f == nil && len(docs[i]) == 0 {
				continue
			}
			if f == nil || !f.Seen || !counted(f.Value, len(docs[i])) {
				counts = nil
				break
			}
			counts[len(docs[i])] = true
		}
		if len(counts) >= enoughCounts && (best.Selector == "" || cmp.Or(cmp.Compare(rank(l), rank(best)), cmp.Compare(len(l.Selector), len(best.Selector))) < 0) {
			best = l
		}
	}
	return best.Selector
}

// counted reports whether a short text has that number in it, and no other.
func counted(text string, n int) bool {
	found := wholeNumber.FindAllString(text, -1)
	return len(text) <= 60 && len(found) == 1 && found[0] == strconv.Itoa(n)
}
