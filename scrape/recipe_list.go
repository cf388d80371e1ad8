package scrape

import (
	"errors"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/calendar"
	"github.com/poscrape/poscrape/internal/compare"
)

// list reads of what list an order is a row, or an element in data.
func (rd *recipeReader) list(n ast.Node, path string) {
	rule, data := &ListRule{}, &ListData{}
	var number, next ast.Node
	seen := rd.keys(n, path, []string{"number"}, rd.request(recipeKeys{
		"row": rd.selector(&rule.Row), "frame": rd.selector(&rule.Frame),
		"json":   one(rd, &data.Answer, checkedText(checkAnswer)),
		"script": rd.selector(&data.Script),
		"items":  one(rd, &data.Items, parseListPath),
		"number": func(n ast.Node, _ string) { number = n }, // what these two are depends on the others
		"next":   func(n ast.Node, _ string) { next = n },
		"to":     rd.to(&data.To),
	}, &data.DataSource))
	rd.made(n, path)
	rd.oneOf(n, path, seen, "row", "json", "get", "post", "script")
	rd.checkRequest(path, seen, data.DataSource, nil)
	switch {
	case seen["json"] != nil || seen["get"] != nil || seen["post"] != nil || seen["script"] != nil:
		rule.Data = data
		if seen["items"] == nil {
			rd.problem(n, joinPath(path, "items"), "is missing; it says where the orders are in the JSON")
		}
		if at := seen["frame"]; at != nil {
			rd.problem(at, joinPath(path, "frame"), "is of a list in the page, and goes with row; this one is in data")
		}
	case seen["items"] != nil:
		rd.problem(seen["items"], joinPath(path, "items"), pathAlone)
	}
	if at := seen["to"]; at != nil && data.Next == nil && (next == nil || seen["get"] == nil) {
		rd.problem(at, joinPath(path, "to"), "goes with get and next: it names hosts that the next page's address may lead to")
	}
	switch {
	case next == nil:
	case isOff(next):
		rule.Single = true
	case rule.Data == nil:
		rd.selector(&rule.Next)(next, joinPath(path, "next"))
	case seen["get"] == nil:
		rd.problem(next, joinPath(path, "next"), "goes with row or get; beside anything else only off is possible, which says that no two orders have the same number")
	default:
		rd.nextInData(&data.Next)(next, joinPath(path, "next"))
	}
	if number != nil {
		rd.listNumber(number, joinPath(path, "number"), rule)
	}
	rd.recipe.List = rule
}

// listNumber reads what shows an order's number, which may be a date: a selector, or a path.
func (rd *recipeReader) listNumber(n ast.Node, path string, rule *ListRule) {
	at := new(*Path)
	if rule.Data != nil {
		at = &rule.Data.Number
	}
	if _, is := n.(*ast.MappingNode); !is {
		if rule.Data != nil {
			one(rd, at, parseListPath)(n, path)
		} else {
			rd.selector(&rule.Number)(n, path)
		}
		return
	}
	dated := &DateNumber{sheet: compare.NewColumn()}
	wanted, wrong := "selector", map[string]string{"path": pathAlone}
	if rule.Data != nil {
		const ofRow = "is of a row in the page; the order is an element of data, so write its path"
		wanted, wrong = "path", map[string]string{"selector": ofRow, "attr": ofRow}
	}
	seen := rd.keys(n, path, nil, recipeKeys{
		"selector": rd.selector(&rule.Number), "attr": one(rd, &rule.NumberAttr, parseText),
		"path":   one(rd, at, parseListPath),
		"match":  one(rd, &rule.NumberMatch, parsePattern),
		"layout": one(rd, &dated.Layout, checkedText(checkDateNumber)),
		"locale": one(rd, &dated.Locale, checkedText(calendar.CheckLocale)),
	})
	if rule.NumberAttr == "text" {
		rule.NumberAttr = ""
	}
	for key, why := range wrong {
		if seen[key] != nil {
			rd.problem(seen[key], joinPath(path, key), "%s", why)
		}
	}
	switch {
	case seen == nil:
	case seen[wanted] == nil:
		rd.problem(n, joinPath(path, wanted), "is missing")
	case seen["layout"] != nil:
		rule.Date = dated
	case seen["locale"] != nil:
		rd.problem(seen["locale"], joinPath(path, "locale"), "goes with a layout, for numbers that are dates")
	}
}

// isOff reports whether a node is the word by which something is not read.
func isOff(n ast.Node) bool {
	text, err := parseText(n)
	return err == nil && text == CountOff
}

// parseListPath reads a path into a list of orders, or into one of them.
func parseListPath(n ast.Node) (*Path, error) {
	text, err := parseText(n)
	if err != nil {
		return nil, err
	}
	if pathPlaceholder.MatchString(text) {
		return nil, errors.New("is the same for all orders; which of the elements is the order, its number shows (list.number)")
	}
	return ParsePath(text)
}

// oneDocument has documents in data that say not where they are be the order's element itself, if there is
// such a list.
func (rd *recipeReader) oneDocument(n ast.Node, path string, d *DataItems) {
	if !d.none() {
		rd.problem(n, joinPath(path, "items"), "is missing")
		return
	}
	rd.unsourced = append(rd.unsourced, placed{n, joinPath(path, "items"), "is missing"})
	d.Items, _ = ParsePath("$") // it is a path
}

// ofPage are the keys of attachments that look for something in the page.
var ofPage = []string{"item", "frame", "none", "expand", "next", "exclude"}

// checkListData sees that all of an order is in data where it is an element of that, and that what says
// nothing of its data is in such an element.
func (rd *recipeReader) checkListData(seen map[string]ast.Node) {
	r := rd.recipe
	if r.List == nil || r.List.Data == nil {
		for _, one := range rd.unsourced {
			rd.problem(one.node, one.path, "%s", one.text)
		}
		return
	}
	const noRow = "stands beside a list in data: the order is an element of that, and has no row in the page to look in"
	for _, key := range []string{"lines", "related"} {
		if seen[key] != nil {
			rd.problem(seen[key], key, noRow)
		}
	}
	fields := entriesOf(seen["fields"])
	for _, f := range r.Fields {
		if f.Path == nil && f.Selector+f.Label != "" {
			rd.problem(fields[f.Name], "fields."+f.Name, noRow+"; write its path in the element")
		}
	}
	docs := entriesOf(seen["attachments"])
	for _, key := range ofPage {
		if docs[key] != nil {
			rd.problem(docs[key], "attachments."+key, noRow+"; its documents are in json, or at a url")
		}
	}
	if docs["count"] != nil && r.Attachments.Count != CountOff {
		rd.problem(docs["count"], "attachments.count", noRow)
	}
}

// entriesOf returns the values of a mapping by their keys.
func entriesOf(n ast.Node) map[string]ast.Node {
	entries := map[string]ast.Node{}
	if m, is := n.(*ast.MappingNode); is {
		for _, entry := range m.Values {
			entries[entry.Key.GetToken().Value] = entry.Value
		}
	}
	return entries
}
