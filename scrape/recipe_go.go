package scrape

import "github.com/goccy/go-yaml/ast"

// goStep reads where the address is of the page that a step opens.
func (rd *recipeReader) goStep(n ast.Node, path string, step *Step, signIn bool) {
	rule := &GoRule{}
	step.Go = rule
	if signIn {
		rd.problem(n, path, "is for open.steps; a sign-in begins at login.start_url, and clicks")
	}
	if _, is := n.(*ast.MappingNode); !is {
		rd.plainStep(n, path, step)
		return
	}
	seen := rd.keys(n, path, nil, rd.target(step, recipeKeys{
		"attr": one(rd, &rule.Attr, parseText), "match": one(rd, &rule.Match, parsePattern), "url": one(rd, &rule.URL, parseText),
		"json": one(rd, &rule.Data.Answer, checkedText(checkAnswer)), "get": rd.get(&rule.Data.Get), "headers": rd.headers(&rule.Data.Headers),
		"path": one(rd, &rule.Path, parsePathOfOrder), "to": rd.to(&rule.To),
	}))
	rd.made(n, path)
	if rule.Attr == "href" {
		rule.Attr = ""
	}
	rd.oneOf(n, path, seen, "selector", "json", "get")
	if at := seen["path"]; at != nil && seen["json"] == nil && seen["get"] == nil {
		rd.problem(at, joinPath(path, "path"), "goes with json or get, which say what JSON it is a path of")
	} else {
		rd.dataField(n, path, seen)
	}
	if at := seen["headers"]; at != nil && seen["get"] == nil {
		rd.problem(at, joinPath(path, "headers"), "goes with get; other data the page asks for itself")
	}
	if at := seen["url"]; at != nil {
		rd.madeOf(at, joinPath(path, "url"), &rule.LinkRule)
	}
	if at := seen["match"]; at != nil && rule.Match != nil && rule.URL != "" {
		rd.groupNames(at, joinPath(path, "match"), rule.Match)
	}
}
