package tasks

import (
	"slices"
	"strings"
)

// firstResults are the first columns that results.csv adds to those of a sheet.
var firstResults = []string{"outcome", "url", "attachments_found", "attachments_downloaded"}

// ResultsURL is the place of the order's address among the columns that results.csv adds.
const ResultsURL = 1

// OwnColumns returns how many of a header's columns come before those that an earlier run has added to
// them in results.csv, which is all of them where there are no such. Names that were there already have
// "poscrape_" before them.
func OwnColumns(header []string) int {
	same := func(name, wanted string) bool {
		return strings.TrimLeft(strings.ReplaceAll(name, "poscrape_", "."), ".") == wanted
	}
	for i := range header {
		if rest := header[i:]; len(rest) >= len(firstResults) && slices.EqualFunc(rest[:len(firstResults)], firstResults, same) {
			return i
		}
	}
	return len(header)
}
