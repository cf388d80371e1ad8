package scrape

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// related reads where the order's other pages are.
func (rd *recipeReader) related(n ast.Node, path string) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		rd.problem(n, path, "%v", wrongKind(n, "a list"))
		return
	}
	for i, item := range list.Values {
		rule, at := RelatedRule{}, fmt.Sprintf("%s[%d]", path, i)
		seen := rd.keys(item, at, []string{"attachments"}, recipeKeys{
			"link": rd.selector(&rule.Link),
			"json": rd.relatedData(&rule.Data),
			"url": func(n ast.Node, path string) {
				one(rd, &rule.URL, parseMade)(n, path)
				rd.gets = append(rd.gets, placed{n, path, rule.URL})
			},
			"attachments": func(n ast.Node, path string) { rule.Attachments = rd.attachments(n, path) },
		})
		rd.oneOf(item, at, seen, "link", "json", "url")
		rd.recipe.Related = append(rd.recipe.Related, rule)
	}
}

// relatedData reads where addresses of pages are in data.
func (rd *recipeReader) relatedData(dst **DataItems) readNode {
	return func(n ast.Node, path string) {
		d := &DataItems{}
		seen := rd.keys(n, path, []string{"items", "link"}, rd.request(recipeKeys{
			"url":    one(rd, &d.Answer, checkedText(checkAnswer)),
			"script": rd.selector(&d.Script),
			"items":  one(rd, &d.Items, parsePathOfOrder),
			"link": func(n ast.Node, path string) {
				one(rd, &d.Link, parseDataLink)(n, path)
				if d.Link != nil {
					rd.gets = append(rd.gets, placed{n, path, d.Link.text})
				}
			},
			"where": rd.condition(&d.Where, true),
			"to":    rd.to(&d.To),
		}, &d.DataSource))
		rd.oneOf(n, path, seen, "url", "get", "post", "script")
		rd.checkRequest(path, seen, d.DataSource, d.Items)
		rd.made(n, path)
		*dst = d
	}
}
