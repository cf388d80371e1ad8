package scrape

import (
	"cmp"
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/template"
)

// madeURLs reads the templates of the addresses of documents, or one.
func (rd *recipeReader) madeURLs(rule *AttachmentsRule) readNode {
	return func(n ast.Node, path string) {
		nodes := []ast.Node{n}
		if list, ok := n.(*ast.SequenceNode); ok {
			nodes = list.Values
		}
		if len(nodes) == 0 {
			rd.problem(n, path, "is empty; give it an address, or remove the key")
		}
		for _, item := range nodes {
			address := ""
			one(rd, &address, parseMade)(item, path)
			if address != "" {
				rule.URLs = append(rule.URLs, address)
				rd.gets = append(rd.gets, placed{item, path, address})
			}
		}
	}
}

func parseMade(n ast.Node) (string, error) {
	text, err := parseGet(n)
	if err == nil && !namesOrder(text) && len(fieldNames(text)) == 0 && !strings.Contains(text, "{column:") {
		err = errors.New("is the same for each order; it needs {po}, {digits}, {column:NAME} or a field")
	}
	return text, err
}

// link reads the selector of what leads to an item's document, or how its address is made.
func (rd *recipeReader) link(rule *AttachmentsRule) readNode {
	return func(n ast.Node, path string) {
		if _, is := n.(*ast.MappingNode); !is {
			rd.selector(&rule.Link)(n, path)
			return
		}
		made := &LinkRule{}
		seen := rd.keys(n, path, nil, recipeKeys{
			"selector": rd.selector(&rule.Link), "attr": one(rd, &made.Attr, parseText),
			"match": one(rd, &made.Match, parsePattern), "url": one(rd, &made.URL, parseText), "to": rd.to(&made.To),
		})
		rd.made(n, path)
		if len(seen) == 0 {
			rd.problem(n, joinPath(path, "selector"), "is missing")
		}
		if made.Attr == "href" {
			made.Attr = ""
		}
		if at := seen["url"]; at != nil {
			rd.madeOf(at, joinPath(path, "url"), made)
		}
		if at := seen["match"]; at != nil && made.Match != nil && made.URL != "" {
			rd.groupNames(at, joinPath(path, "match"), made.Match)
		}
		if seen["attr"] != nil || seen["match"] != nil || seen["url"] != nil {
			rule.Made = made
		}
	}
}

// made notes where something is that an address is made of.
func (rd *recipeReader) made(n ast.Node, path string) {
	if rd.recipe.madeAt == nil {
		rd.recipe.madeAt = map[string]position{}
	}
	at := n.GetToken().Position
	rd.recipe.madeAt[path] = position{at.Line, at.Column}
}

// madeOf checks the template of an address that what is taken of a link is a part of.
func (rd *recipeReader) madeOf(at ast.Node, path string, made *LinkRule) {
	parts, err := template.Parse(made.URL)
	if err != nil {
		rd.problem(at, path, "%v", err)
		return
	}
	sample, named, taken := "", "", 0 // with what is taken in it, and with fields alone
	for i, part := range parts {
		name, bare := strings.CutPrefix(part.Placeholder, "+")
		_, err := strconv.Atoi(name)
		switch {
		case part.Placeholder == "":
			sample, named = sample+part.Literal, named+part.Literal
		case made.takes(name) && i == 0:
			sample, named, taken = sampleHost+"/x", "x", 1
		case made.takes(name):
			if bare && !hasPath(sample) {
				rd.problem(at, path, "has {+%s} before the path begins; write a / before it", name)
			}
			sample, named, taken = sample+"{po}", named+"x", taken+1
		case err == nil:
			rd.problem(at, path, "has the placeholder {%s}, and match has %s", part.Placeholder, count(groupsIn(made.Match), "group"))
			return
		case bare:
			rd.problem(at, path, "has the placeholder {+%s}; only what is taken of the link can stand in an address as it is", name)
			return
		default:
			sample, named = sample+"{"+name+"}", named+"{"+name+"}"
		}
	}
	if made.URL != "" && taken == 0 && strings.HasPrefix(path, "open.steps[") {
		rd.problem(at, path, "needs {value}, which is what was taken of the page")
	} else if made.URL != "" && taken == 0 {
		rd.problem(at, path, "is the same for each document; it needs {value}, which is what was taken of the item")
	} else if err := cmp.Or(checkTemplate(withoutFields(sample)), checkReadAddress(made.URL)); err != nil {
		rd.problem(at, path, "%v", err)
	}
	rd.gets = append(rd.gets, placed{at, path, named})
}

// groupNames checks the names of groups, which stand beside those of other values.
func (rd *recipeReader) groupNames(at ast.Node, path string, pattern *regexp.Regexp) {
	for _, name := range pattern.SubexpNames() {
		switch name {
		case "":
		case "po", "digits", "base_url", takenName:
			rd.problem(at, path, "has a group that is called %s, and so is another value; call it something else", name)
		default:
			rd.groups = append(rd.groups, placed{at, path, name})
		}
	}
}

func groupsIn(pattern *regexp.Regexp) int {
	if pattern == nil {
		return 0
	}
	return pattern.NumSubexp()
}

// hasPath reports whether the beginning of an address has its host, and at least the "/" behind it.
func hasPath(beginning string) bool {
	text := strings.ReplaceAll(beginning, "{base_url}", sampleHost)
	u, err := url.Parse(strings.NewReplacer("{", "", "}", "").Replace(text))
	return err == nil && strings.HasPrefix(u.Path, "/")
}
