package scrape

import (
	"fmt"
	"maps"
	"slices"

	"github.com/poscrape/poscrape/browser"
)

// cutOff says which request of the page to the portal had no whole answer, or
// "". What such a page shows may be less than there is.
func (a *attempt) cutOff() string {
	cut := a.browser.Tab().CutOff()
	for _, address := range slices.Sorted(maps.Keys(cut)) {
		if a.allowed(address) {
			return fmt.Sprintf("the page asked for %s and had no whole answer (%s)", browser.Redact(address), cut[address])
		}
	}
	return ""
}
