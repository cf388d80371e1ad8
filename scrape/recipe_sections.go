package scrape

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/amount"
	"github.com/poscrape/poscrape/internal/calendar"
	"github.com/poscrape/poscrape/internal/template"
)

func (rd *recipeReader) readRecipe(root ast.Node) {
	r := rd.recipe
	seen := rd.keys(root, "", nil, recipeKeys{
		"version":       rd.version,
		"name":          one(rd, &r.Name, parseText),
		"base_url":      rd.baseURL,
		"allowed_hosts": many(rd, &r.AllowedHosts, checkedText(checkTrustedHost)),
		"browser":       rd.browser,
		"po": rd.section(nil, recipeKeys{
			"prefixes": many(rd, &r.PO.Prefixes, parsePrefix),
			"pattern":  one(rd, &r.PO.Pattern, parsePattern),
		}),
		"open":  rd.open,
		"ready": rd.ready,
		"identity": rd.section([]string{"selector"}, recipeKeys{
			"selector": rd.selector(&r.Identity), "frame": rd.selector(&r.IdentityFrame),
		}),
		"list":          rd.list,
		"not_found":     rd.marker(&r.NotFound),
		"access_denied": rd.marker(&r.AccessDenied),
		"throttled":     rd.marker(&r.Throttled),
		"login":         rd.login,
		"walls":         rd.walls,
		"fields":        rd.fields,
		"lines":         rd.lines,
		"attachments": func(n ast.Node, path string) {
			if r.FieldsAlone = isOff(n); r.FieldsAlone {
				return
			}
			r.Attachments = rd.attachments(n, path)
		},
		"related": rd.related,
		"mode":    one(rd, &r.Mode, parseChoice(Modes()...)),
		"dialogs": one(rd, &r.Dialogs, parseChoice(DialogDismiss, DialogAccept)),
		"folder":  rd.folder,
		"limits": rd.section(nil, recipeKeys{
			"rate":          one(rd, &r.Limits.Rate, parseRate),
			"max_file_size": one(rd, &r.Limits.MaxFileSize, parseSize),
			"max_files":     one(rd, &r.Limits.MaxFiles, parseCount),
		}),
		"block": rd.block(),
	})
	rd.zones()
	rd.printsWhere(seen)
	if seen != nil && seen["version"] == nil {
		rd.problem(root, "version", versionMissing, RecipeVersion)
	}
	rd.checkOpen(seen["open"], seen["base_url"])
	if at := seen["identity"]; at != nil && r.List != nil {
		rd.problem(at, "identity", "stands beside list; list.number says where a row shows the order's number")
	}
	if r.Open.Search != nil && r.List != nil {
		rd.problem(seen["open"], "open.search", "stands beside list, in which nothing is clicked; fill in the search by open.steps")
	}
	rd.checkListSteps()
	rd.checkListData(seen)
	rd.checkLogin(seen["login"])
	rd.checkGets()
	rd.checkFieldNames()
	rd.distinct(seen)
}

func (rd *recipeReader) open(n ast.Node, path string) {
	rd.keys(n, path, nil, recipeKeys{
		"url": func(n ast.Node, path string) {
			rd.openURL = n
			one(rd, &rd.recipe.OpenURL, parseText)(n, path)
		},
		"search": rd.search,
		"steps":  rd.steps(&rd.recipe.Open.Steps, false),
		"fresh":  one(rd, new(bool), parseBool), // each order gets a new document, whatever it says
	})
}

// checkOpen sees that one address at the most says where an order is, and that it can be made
// of the base_url, which may stand below it.
func (rd *recipeReader) checkOpen(open, base ast.Node) {
	r := rd.recipe
	check := func(at ast.Node, path, url string) {
		if url == "" {
			return
		}
		if _, err := template.ParseURL(url, r.BaseURL); err != nil && (r.BaseURL != "" || base == nil) {
			rd.problem(at, path, "%v", err)
		}
	}
	check(rd.openURL, "open.url", r.OpenURL)
	if search := r.Open.Search; search != nil && search.URL != "" {
		check(open, "open.search.url", search.URL)
		if r.OpenURL != "" {
			rd.problem(open, "open.search", "stands beside open.url; only one of them can say where an order is")
		}
	}
}

func (rd *recipeReader) folder(n ast.Node, path string) {
	at := beginning(n)
	rd.recipe.folderAt = position{at.Line, at.Column}
	one(rd, &rd.recipe.Folder, checkedText(checkFolderTemplate))(n, path)
}

func (rd *recipeReader) block() readNode {
	b := &rd.recipe.Block
	return rd.section(nil, recipeKeys{
		"images": one(rd, &b.Images, parseBool), "fonts": one(rd, &b.Fonts, parseBool),
		"media": one(rd, &b.Media, parseBool), "styles": one(rd, &b.Styles, parseBool),
		"hosts": many(rd, &b.Hosts, checkedText(checkHostPattern)),
	})
}

// distinct sees that a status means one thing.
func (rd *recipeReader) distinct(seen map[string]ast.Node) {
	r := rd.recipe
	for _, status := range r.NotFound.Status {
		if slices.Contains(r.AccessDenied.Status, status) {
			at := cmp.Or(seen["not_found"], seen["access_denied"])
			rd.problem(at, "not_found.status", "has %d, and access_denied.status has it too; it can mean only one of them", status)
		}
	}
	for _, status := range r.Throttled.Status {
		if seen["throttled"] != nil && (slices.Contains(r.NotFound.Status, status) || slices.Contains(r.AccessDenied.Status, status)) {
			rd.problem(seen["throttled"], "throttled.status", "has %d, and not_found.status or access_denied.status has it too; it can mean only one of them", status)
		}
	}
}

func (rd *recipeReader) version(n ast.Node, path string) {
	version, ok := n.(*ast.IntegerNode)
	switch {
	case !ok:
		rd.problem(n, path, "%v", wrongKind(n, "the number "+strconv.Itoa(RecipeVersion)))
	case version.Token.Value != strconv.Itoa(RecipeVersion):
		rd.newer = true
		rd.problem(n, path, "%s is not known here; this program reads version %d", version.Token.Value, RecipeVersion)
	}
}

func (rd *recipeReader) ready(n ast.Node, path string) {
	ready := &rd.recipe.Ready
	seen := rd.keys(n, path, nil, recipeKeys{
		"selector": rd.selector(&ready.Selector), "gone": rd.selector(&ready.Gone), "frame": rd.selector(&ready.Frame),
		"quiet": one(rd, &ready.Quiet, parseDuration), "timeout": one(rd, &ready.Timeout, parseDuration),
		"clock":  one(rd, &ready.Clock, parseChoice(ClockVirtual, ClockReal)),
		"ignore": many(rd, &ready.Ignore, checkedText(checkIgnore)),
	})
	if ready.Quiet >= ready.Timeout {
		at := cmp.Or(seen["quiet"], seen["timeout"])
		rd.problem(at, path+".quiet", "is %v, which is not less than the timeout of %v", ready.Quiet, ready.Timeout)
	}
}

// selectorOf reads a selector, or one with the attribute that is taken, unless attr is nil, and the part of that which
// counts.
func (rd *recipeReader) selectorOf(selector, attr *string, match **regexp.Regexp) readNode {
	return func(n ast.Node, path string) {
		if _, is := n.(*ast.MappingNode); !is {
			rd.selector(selector)(n, path)
			return
		}
		keys := recipeKeys{"selector": rd.selector(selector), "match": one(rd, match, parsePattern)}
		if attr != nil {
			keys["attr"] = one(rd, attr, parseText)
		}
		rd.keys(n, path, []string{"selector"}, keys)
		if attr != nil && *attr == "text" {
			*attr = ""
		}
	}
}

func (rd *recipeReader) marker(m *Marker) readNode {
	return func(n ast.Node, path string) {
		ofPage := m.Status
		rd.keys(n, path, nil, recipeKeys{
			"status":   many(rd, &m.Status, parseStatus),
			"json":     one(rd, &m.Answer, checkedText(checkAnswer)),
			"selector": rd.selector(&m.Selector),
			"text":     many(rd, &m.Text, parseText),
		})
		if m.Answer != "" {
			m.Status, m.AnswerStatus = ofPage, m.Status
		}
	}
}

func (rd *recipeReader) fields(n ast.Node, path string) {
	rd.recipe.fieldsAt = map[string]position{}
	rd.each(n, path, func(key ast.Node, name, keyPath string, value ast.Node) {
		if err := checkValueName(name); err != nil {
			rd.problem(key, keyPath, "%v", err)
			return
		}
		f, at := FieldRule{Name: name}, beginning(key)
		rd.recipe.fieldsAt[name] = position{at.Line, at.Column}
		seen := rd.keys(value, keyPath, nil, rd.request(recipeKeys{
			"selector":   rd.selector(&f.Selector),
			"label":      one(rd, &f.Label, parseText),
			"under":      one(rd, &f.Under, parseText),
			"also":       rd.also(&f.Also),
			"frame":      rd.selector(&f.Frame),
			"match":      one(rd, &f.Match, parsePattern),
			"json":       one(rd, &f.Data.Answer, checkedText(checkAnswer)),
			"script":     rd.selector(&f.Data.Script),
			"path":       one(rd, &f.Path, parsePathOfOrder),
			"type":       one(rd, &f.Type, parseChoice(FieldText, FieldAmount, FieldDate)),
			"attr":       one(rd, &f.Attr, parseText),
			"locale":     one(rd, &f.Locale, parseText),
			"calendar":   one(rd, &f.Calendar, parseChoice(calendar.Eras()...)),
			"layout":     one(rd, &f.Layout, checkedText(checkLayout)),
			"minor_unit": one(rd, &f.MinorUnit, parseMinorUnit),
			"required":   one(rd, &f.Required, parseBool),
			"cookie":     one(rd, &f.Data.Cookie, parseText),
			"storage":    one(rd, &f.Data.Storage, parseText),
			"secret":     one(rd, &f.Secret, parseBool),
			"to":         rd.to(&f.To),
		}, &f.Data))
		if f.Attr == "text" {
			f.Attr = ""
		}
		if seen["path"] == nil || f.Selector+f.Label != "" || !f.Data.none() {
			rd.oneOf(value, keyPath, seen, "selector", "label", "json", "get", "post", "script", "cookie", "storage")
		}
		rd.dataField(value, keyPath, seen)
		rd.checkRequest(keyPath, seen, f.Data, f.Path)
		if at := seen["attr"]; at != nil && seen["label"] != nil {
			rd.problem(at, keyPath+".attr", "goes with a selector; a label's value is what people read there")
		}
		if at := seen["under"]; at != nil && seen["label"] == nil {
			rd.problem(at, keyPath+".under", "goes with a label: it is the heading that this stands under")
		}
		if seen["type"] == nil {
			f.Type = FieldText
		}
		rd.secretField(&f, seen, keyPath)
		rd.fieldLocale(&f, seen["locale"], keyPath+".locale")
		rd.dateField(&f, seen, keyPath)
		if at := seen["minor_unit"]; at != nil && f.Type != FieldAmount && f.Type != "" {
			rd.problem(at, keyPath, "has a minor_unit, which is for amounts only; add: type: amount")
		}
		rd.recipe.Fields = append(rd.recipe.Fields, f)
	})
}

// dateField checks what goes with dates only.
func (rd *recipeReader) dateField(f *FieldRule, seen map[string]ast.Node, keyPath string) {
	for _, key := range []string{"layout", "calendar"} {
		if at := seen[key]; at != nil && f.Type != FieldDate && f.Type != "" {
			rd.problem(at, keyPath+"."+key, "is for dates only; add: type: date")
		}
	}
	if !isCount(f.Layout) {
		return
	}
	if at := seen["locale"]; at != nil {
		rd.problem(at, keyPath+".locale", "is for dates in words; the layout %s has none", f.Layout)
	}
	if at := seen["calendar"]; at != nil {
		rd.problem(at, keyPath+".calendar", "is for years that are written out; the layout %s has none", f.Layout)
	}
	rd.counts = append(rd.counts, placed{node: seen["layout"], path: keyPath + ".layout", text: f.Name})
}

// fieldLocale checks the locale of a field, which stands at a node, if there is one.
func (rd *recipeReader) fieldLocale(f *FieldRule, at ast.Node, path string) {
	if at == nil || f.Locale == "" {
		return
	}
	check := map[FieldType]func(string) error{FieldAmount: amount.CheckLocale, FieldDate: calendar.CheckLocale}[f.Type]
	if f.Type == FieldText {
		rd.problem(at, path, "is for amounts and dates only; add: type: amount")
	} else if check != nil {
		if err := check(f.Locale); err != nil {
			rd.problem(at, path, "has an %v", err)
		}
	}
}

func (rd *recipeReader) lines(n ast.Node, path string) {
	rule := &LinesRule{}
	rd.keys(n, path, []string{"row", "columns"}, recipeKeys{
		"row":   rd.selector(&rule.Row),
		"frame": rd.selector(&rule.Frame),
		"columns": func(n ast.Node, path string) {
			rd.each(n, path, func(key ast.Node, name, keyPath string, value ast.Node) {
				if err := checkValueName(name); err != nil {
					rd.problem(key, keyPath, "%v", err)
					return
				}
				column := ColumnRule{Name: name}
				rd.selector(&column.Selector)(value, keyPath)
				rule.Columns = append(rule.Columns, column)
			})
		},
	})
	rd.recipe.Lines = rule
}

func (rd *recipeReader) attachments(n ast.Node, path string) *AttachmentsRule {
	rule := &AttachmentsRule{}
	seen := rd.keys(n, path, nil, recipeKeys{
		"item":  rd.selector(&rule.Item),
		"json":  rd.dataItems(rule),
		"print": one(rd, &rule.Print, parseBool),
		"shows": rd.selector(&rule.Shows),
		"frame": rd.selector(&rule.Frame),
		"url":   rd.madeURLs(rule),
		"link":  rd.link(rule),
		"name":  rd.selectorOf(&rule.Name, &rule.NameAttr, &rule.NameMatch),
		"where": func(n ast.Node, path string) {
			rule.Where = &WhereRule{}
			rd.keys(n, path, []string{"selector"}, recipeKeys{
				"selector": rd.selector(&rule.Where.Selector), "text": one(rd, &rule.Where.Text, parsePattern),
			})
		},
		"names": rd.section(nil, recipeKeys{
			"include": one(rd, &rule.Names.Include, parseOptionalPattern), "exclude": one(rd, &rule.Names.Exclude, parseOptionalPattern),
		}),
		"headers": rd.headers(&rule.Headers),
		"pending": rd.selector(&rule.Pending),
		"then":    rd.selector(&rule.Then),
		"save_as": func(n ast.Node, path string) {
			at := beginning(n)
			rule.saveAsAt = position{at.Line, at.Column}
			one(rd, &rule.SaveAs, checkedText(checkSaveAs))(n, path)
		},
		"none":     rd.selector(&rule.None),
		"count":    rd.selector(&rule.Count),
		"expand":   rd.selectors(&rule.Expand),
		"next":     rd.pick(&rule.Next),
		"exclude":  rd.picks(&rule.Exclude),
		"types":    many(rd, &rule.Types, parseDocumentType),
		"optional": one(rd, &rule.Optional, parseBool),
		"whole":    one(rd, &rule.Whole, parseBool),
	})
	if seen["item"] != nil && seen["print"] != nil {
		rd.oneOf(n, path, seen, "item", "json", "url")
	} else {
		rd.oneOf(n, path, seen, "item", "json", "url", "print")
	}
	rd.checkPrint(seen, path, rule)
	for _, key := range []string{"link", "name", "where", "pending", "then"} {
		if at := seen[key]; at != nil && seen["json"] != nil {
			rd.problem(at, joinPath(path, key), "goes with item; of documents in data, write it under json")
		}
	}
	for _, key := range []string{"link", "name", "where", "names", "pending", "then", "next"} {
		if at := seen[key]; at != nil && seen["url"] != nil {
			rd.problem(at, joinPath(path, key), "goes with item; a document at an address that is made is no element of the page")
		}
	}
	if at := seen["then"]; at != nil && rule.Made != nil {
		rd.problem(at, joinPath(path, "then"), "stands beside an address that link makes; nothing is clicked for that")
	}
	if at := seen["expand"]; at != nil && path != "attachments" {
		rd.problem(at, joinPath(path, "expand"), "is for the order's own page; it is not supported here yet, remove it")
	}
	return rule
}
