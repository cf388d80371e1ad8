package scrape

import (
	"maps"
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// besidePrint are the keys of attachments that may stand beside print, and notBesideOpened those of
// item that may not, where print is of the pages that items open.
var (
	besidePrint     = map[string]bool{"print": true, "save_as": true, "expand": true, "shows": true}
	notBesideOpened = []string{"then", "types", "headers"}
)

// checkPrint finds what makes no sense of documents that are pages.
func (rd *recipeReader) checkPrint(seen map[string]ast.Node, path string, rule *AttachmentsRule) {
	if at := seen["shows"]; at != nil && (seen["print"] == nil || path == "attachments" && seen["item"] == nil) {
		rd.problem(at, joinPath(path, "shows"), "is for a printed page that is not the order's own; what that shows is ready.selector")
	}
	at := seen["print"]
	switch {
	case at == nil:
		return
	case !rule.Print:
		rd.problem(at, joinPath(path, "print"), "is true, or is left out")
		return
	case seen["shows"] == nil && (seen["item"] != nil || path != "attachments"):
		rd.problem(at, joinPath(path, "shows"), "is missing; print beside it is of a page that is not the order's own, and only by what shows meets, such as the document's total, an error page in the portal's own words is told from it")
	}
	if seen["item"] != nil {
		for _, key := range notBesideOpened {
			if at := seen[key]; at != nil {
				rd.problem(at, joinPath(path, key), "is for items that bring files; with print, a click on an item opens the page that is printed")
			}
		}
		if rule.Made != nil {
			rd.problem(seen["link"], joinPath(path, "link"), "makes an address, and with print the item is clicked; write the selector of what is clicked in it")
		}
		return
	}
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		if at := seen[key]; !besidePrint[key] && key != "json" && key != "url" {
			rd.problem(at, joinPath(path, key), "is for documents that a page lists; with print alone, the page itself is the only one")
		}
	}
}

// printsWhere finds prints of pages that are not one order's own, or that are never shown.
func (rd *recipeReader) printsWhere(seen map[string]ast.Node) {
	r := rd.recipe
	if r.prints() && r.List != nil {
		rd.problem(seen["attachments"], "attachments.print", "stands beside list; the page is that of all its orders, and no document of one; with an item in the row, the page is printed that it opens")
	}
	if r.printsAny() && r.Mode == ModeFetch {
		rd.problem(seen["mode"], "mode", "is fetch, and a page that is only fetched cannot be printed (attachments.print)")
	}
}
