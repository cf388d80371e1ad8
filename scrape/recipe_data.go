package scrape

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/template"
)

func parsePath(n ast.Node) (*Path, error) {
	text, err := parseText(n)
	if err != nil {
		return nil, err
	}
	if pathPlaceholder.MatchString(text) {
		return nil, errors.New("names the order, and is looked up in what is the order's already; {po}, {digits} and {column:NAME} belong in path, or items")
	}
	return ParsePath(text)
}

// parsePathOfOrder is parsePath for paths that may name the order.
func parsePathOfOrder(n ast.Node) (*Path, error) {
	text, err := parseText(n)
	if err != nil {
		return nil, err
	}
	return parseOrderPath(text)
}

// sampleHost stands for the order's host where a template is a path.
const sampleHost = "https://host.example"

// checkAnswer says what is wrong with the pattern of an answer's address.
func checkAnswer(pattern string) error {
	parts, err := template.Parse(pattern)
	if err != nil {
		return err
	}
	for i, part := range parts {
		if part.Placeholder == "base_url" && i == 0 {
			continue
		}
		if _, err := template.ParseURL(sampleHost+"/{"+part.Placeholder+"}", ""); part.Placeholder != "" && err != nil {
			return err
		}
	}
	if first, _, _ := strings.Cut(pattern, "/"); first != "" && !strings.ContainsAny(first, ".:*{") {
		return fmt.Errorf(`must be a path, as "/%s", or an address with its host`, pattern)
	}
	return checkIgnore(strings.Replace(pattern, "{base_url}", sampleHost, 1))
}

// get reads the template of an address that data is requested at.
func (rd *recipeReader) get(dst *string) readNode {
	return func(n ast.Node, path string) {
		one(rd, dst, parseGet)(n, path)
		rd.gets = append(rd.gets, placed{n, path, *dst})
	}
}

// placed is a text of the recipe, with its place.
type placed struct {
	node       ast.Node
	path, text string
}

func parseGet(n ast.Node) (string, error) {
	text, err := parseAddress(n)
	if err == nil {
		err = checkReadAddress(text)
	}
	return text, err
}

func parseAddress(n ast.Node) (string, error) {
	text, err := parseText(n)
	if err == nil {
		err = checkTemplate(withoutFields(text))
	}
	return text, err
}

// checkTemplate says what is wrong with the template of an address, or of a path of the order's
// host.
func checkTemplate(text string) error {
	if strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") {
		text = sampleHost + text
	}
	_, err := template.ParseURL(text, sampleHost)
	return err
}

// varies finds an address that is the same for all orders, where the path into what comes from
// there is the same too. at is the address in the file, or nil.
func (rd *recipeReader) varies(at ast.Node, path, get string, into *Path) {
	if at == nil || get == "" || into == nil || into.ofOrder || strings.Contains(strings.ReplaceAll(get, "{base_url}", ""), "{") {
		return
	}
	rd.same = append(rd.same, placed{at, path, get})
}

// checkGets finds requests for data to hosts that the recipe does not allow.
func (rd *recipeReader) checkGets() {
	for _, get := range rd.gets {
		u, err := url.Parse(strings.NewReplacer("{", "", "}", "").Replace(get.text))
		if err == nil && u.Host != "" && rd.recipe.BaseURL != "" && !rd.recipe.HostAllowed(u.Host, nil) {
			rd.problem(get.node, get.path, "leads to %s, which is neither the host of base_url nor one of allowed_hosts", u.Host)
		}
	}
}

// pathAlone is what is wrong with a path where nothing says what it is a path of.
const pathAlone = "goes with json, get, post or script, which say what JSON it is a path of"

// dataField checks a field that stands in data. One without a source of its own is of the order's element
// in a list in data, see checkListData.
func (rd *recipeReader) dataField(n ast.Node, path string, seen map[string]ast.Node) {
	stored := seen["cookie"] != nil || seen["storage"] != nil
	data := seen["json"] != nil || seen["get"] != nil || seen["post"] != nil || seen["script"] != nil || stored
	switch at := seen["path"]; {
	case data && at == nil && !stored:
		rd.problem(n, joinPath(path, "path"), "is missing; it says where the value is in the JSON")
	case !data && at != nil:
		rd.unsourced = append(rd.unsourced, placed{at, joinPath(path, "path"), pathAlone})
	}
	for _, key := range []string{"attr", "frame", "also"} {
		if at := seen[key]; data && at != nil {
			rd.problem(at, joinPath(path, key), "goes with a selector; a value in data has none")
		}
	}
}

// secretField has what is stored in the browser be a secret, of which all is taken where there is no path,
// and checks what goes with a secret.
func (rd *recipeReader) secretField(f *FieldRule, seen map[string]ast.Node, path string) {
	for _, key := range []string{"cookie", "storage"} {
		if seen[key] == nil {
			continue
		}
		if at := seen["secret"]; at != nil && !f.Secret {
			rd.problem(at, path+".secret", "stands beside %s, which is always a secret", key)
		}
		f.Secret = true
		if f.Path == nil {
			f.Path, _ = ParsePath("$")
		}
	}
	for _, key := range []string{"required", "type"} {
		if at := seen[key]; f.Secret && at != nil {
			rd.problem(at, joinPath(path, key), "goes with a field that is in the results; a secret is not, and what needs it says if it is missing")
		}
	}
}

// dataItems reads where documents are in data.
func (rd *recipeReader) dataItems(rule *AttachmentsRule) readNode {
	return func(n ast.Node, path string) {
		d, required, ofOrder := &DataItems{}, []string{"items"}, path == "attachments.json"
		if ofOrder { // see checkListData
			required = nil
		}
		seen := rd.keys(n, path, required, rd.request(recipeKeys{
			"url":    one(rd, &d.Answer, checkedText(checkAnswer)),
			"script": rd.selector(&d.Script),
			"items":  one(rd, &d.Items, parsePathOfOrder),
			"link": func(n ast.Node, path string) {
				one(rd, &d.Link, parseDataLink)(n, path)
				if d.Link != nil {
					rd.gets = append(rd.gets, placed{n, path, d.Link.text})
				}
			},
			"content": one(rd, &d.Content, parsePath),
			"name":    one(rd, &d.Name, parsePath),
			"where":   rd.condition(&d.Where, true),
			"pending": rd.condition(&d.Pending, false),
			"to":      rd.to(&d.To),
		}, &d.DataSource))
		if !ofOrder || !d.none() {
			rd.oneOf(n, path, seen, "url", "get", "post", "script")
		} else if seen != nil {
			rd.unsourced = append(rd.unsourced, placed{n, joinPath(path, "url"), "is missing; write one of url, get, post, script"})
		}
		if ofOrder && seen != nil && seen["items"] == nil {
			rd.oneDocument(n, path, d)
		}
		rd.oneOf(n, path, seen, "link", "content")
		rd.checkRequest(path, seen, d.DataSource, d.Items)
		rd.made(n, path)
		rule.Data = d
	}
}

// condition reads what holds for an element of a list: a path, and the text there.
func (rd *recipeReader) condition(dst **Condition, needsText bool) readNode {
	return func(n ast.Node, path string) {
		c, required := &Condition{}, []string{"path"}
		if needsText {
			required = slices.Concat(required, []string{"text"})
		}
		rd.keys(n, path, required, recipeKeys{"path": one(rd, &c.Path, parsePath), "text": one(rd, &c.Text, parsePattern)})
		*dst = c
	}
}
