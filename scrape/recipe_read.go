package scrape

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxRecipeBytes: what is longer is no recipe.
const maxRecipeBytes = 256 << 10

const versionMissing = "is missing; a recipe begins with: version: %d"

// notSupportedYet are keys of the recipe's vocabulary that have no meaning here yet.
var notSupportedYet = []string{
	"login", "throttled", "related", "mode", "open.search", "open.steps", "open.fresh",
	"attachments.expand", "attachments.next", "attachments.names",
}

// ReadRecipe reads a recipe strictly: unknown keys, wrong types and values that
// cannot work are errors. The name is that of the file, for errors. It returns
// all problems at once, each a *RecipeError, in the order of their places. Where
// the vocabulary has a list, one value is a list of one.
func ReadRecipe(name string, r io.Reader) (*Recipe, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxRecipeBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read recipe %s: %w", name, err)
	}
	rd := &recipeReader{recipe: recipeDefaults()}
	rd.recipe.File = name
	rd.recipe.Name = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	if root := rd.parse(bytes.TrimPrefix(data, []byte("\ufeff"))); root != nil {
		rd.readRecipe(root)
	}
	if len(rd.problems) > 0 {
		return nil, rd.join()
	}
	return rd.recipe, nil
}

// recipeReader walks a recipe's nodes, fills the recipe and collects problems.
type recipeReader struct {
	recipe   *Recipe
	problems []*RecipeError
	// newer: the file says that it is of another version.
	newer bool
}

type (
	// readNode reads the node at a path of keys, or adds a problem.
	readNode func(n ast.Node, path string)
	// recipeKeys says how each key of a mapping is read.
	recipeKeys map[string]readNode
)

func (rd *recipeReader) problemAt(line, column int, path, format string, args ...any) {
	rd.problems = append(rd.problems, &RecipeError{
		File: rd.recipe.File, Line: line, Column: column, Field: path, Message: fmt.Sprintf(format, args...),
	})
}

func (rd *recipeReader) problem(n ast.Node, path, format string, args ...any) {
	at := beginning(n)
	rd.problemAt(at.Line, at.Column, path, format, args...)
}

// beginning returns the place of a node; a mapping's own is that of its first ":".
func beginning(n ast.Node) *token.Position {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		n = m.Values[0].Key
	}
	return n.GetToken().Position
}

// join returns all problems; of a recipe of another version, which has another
// vocabulary, only that it is one.
func (rd *recipeReader) join() error {
	slices.SortStableFunc(rd.problems, func(a, b *RecipeError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var all []error
	for _, p := range rd.problems {
		if !rd.newer || p.Field == "version" {
			all = append(all, p)
		}
	}
	return errors.Join(all...)
}

// parse returns the root of the document, or nil and a problem.
func (rd *recipeReader) parse(data []byte) ast.Node {
	if len(data) > maxRecipeBytes {
		rd.problemAt(1, 1, "", "the file is longer than %d bytes, so it is no recipe", maxRecipeBytes)
		return nil
	}
	for i, line := range bytes.Split(data, []byte("\n")) {
		if !utf8.Valid(line) {
			rd.problemAt(i+1, 1, "", "this line is not UTF-8; save the file as UTF-8")
			return nil
		}
	}
	file, err := parser.ParseBytes(data, 0)
	var syntax *yaml.SyntaxError
	switch {
	case errors.As(err, &syntax):
		at := syntax.Token.Position
		rd.problemAt(at.Line, at.Column, "", "not YAML: %s; the line is: %s", syntax.Message, excerpt(data, at.Line))
	case err != nil:
		rd.problemAt(1, 1, "", "not YAML: %v", err)
	case len(file.Docs) == 0 || file.Docs[0].Body == nil:
		rd.problemAt(1, 1, "version", versionMissing, RecipeVersion)
	case len(file.Docs) > 1:
		rd.problemAt(1, 1, "", "the file has %d documents; a recipe is one, without --- and %%", len(file.Docs))
	default:
		return file.Docs[0].Body
	}
	return nil
}

// excerpt returns a line of the file, shortened.
func excerpt(data []byte, line int) string {
	lines := strings.Split(string(data), "\n")
	text := strings.TrimSpace(lines[min(max(line, 1), len(lines))-1])
	if cut := cutBytes(text, 60); cut != text {
		return cut + "..."
	}
	return text
}

// keys reads a mapping whose keys are known, and returns the values it has, or
// nil and a problem where n is no mapping.
func (rd *recipeReader) keys(n ast.Node, path string, required []string, known recipeKeys) map[string]ast.Node {
	seen := map[string]ast.Node{}
	if !rd.each(n, path, func(key ast.Node, name, keyPath string, value ast.Node) {
		seen[name] = value
		read, ok := known[name]
		switch {
		case ok:
			read(value, keyPath)
		case slices.Contains(notSupportedYet, keyPath):
			rd.problem(key, keyPath, "is not supported by this version yet; remove it")
		default:
			hint := "known here: " + strings.Join(slices.Sorted(maps.Keys(known)), ", ")
			if near := nearest(name, slices.Sorted(maps.Keys(known))); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			rd.problem(key, keyPath, "is not a key of a recipe; %s", hint)
		}
	}) {
		return nil
	}
	for _, name := range required {
		if seen[name] == nil {
			rd.problem(n, joinPath(path, name), "is missing")
		}
	}
	return seen
}

// each visits the entries of a mapping, and reports whether n is one.
func (rd *recipeReader) each(n ast.Node, path string, visit func(key ast.Node, name, keyPath string, value ast.Node)) bool {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		subject := ""
		if path == "" {
			subject = "the file "
		}
		rd.problem(n, path, "%s%v", subject, wrongKind(n, "keys with values"))
		return false
	}
	for _, entry := range m.Values {
		name := entry.Key.GetToken().Value
		visit(entry.Key, name, joinPath(path, name), entry.Value)
	}
	return true
}

func joinPath(path, name string) string {
	return strings.TrimPrefix(path+"."+name, ".")
}

func (rd *recipeReader) section(required []string, known recipeKeys) readNode {
	return func(n ast.Node, path string) { rd.keys(n, path, required, known) }
}

// one reads a single value into dst.
func one[T any](rd *recipeReader, dst *T, parse func(ast.Node) (T, error)) readNode {
	return func(n ast.Node, path string) {
		value, err := parse(n)
		if err != nil {
			rd.problem(n, path, "%v", err)
			return
		}
		*dst = value
	}
}

// many reads a list of values, or one, into dst.
func many[T any](rd *recipeReader, dst *[]T, parse func(ast.Node) (T, error)) readNode {
	return func(n ast.Node, path string) {
		nodes := []ast.Node{n}
		if list, ok := n.(*ast.SequenceNode); ok {
			nodes = list.Values
		}
		*dst = nil
		for _, item := range nodes {
			value, err := parse(item)
			if err != nil {
				rd.problem(item, path, "%v", err)
				continue
			}
			*dst = append(*dst, value)
		}
	}
}

func (rd *recipeReader) readRecipe(root ast.Node) {
	r := rd.recipe
	var openURL ast.Node
	seen := rd.keys(root, "", nil, recipeKeys{
		"version":       rd.version,
		"name":          one(rd, &r.Name, parseText),
		"base_url":      one(rd, &r.BaseURL, parseBaseURL),
		"allowed_hosts": many(rd, &r.AllowedHosts, checkedText(checkHostPattern)),
		"po": rd.section(nil, recipeKeys{
			"prefixes": many(rd, &r.PO.Prefixes, parsePrefix),
			"pattern":  one(rd, &r.PO.Pattern, parsePattern),
		}),
		"open": rd.section(nil, recipeKeys{"url": func(n ast.Node, path string) {
			openURL = n
			one(rd, &r.OpenURL, parseText)(n, path)
		}}),
		"ready":         rd.ready,
		"identity":      rd.section([]string{"selector"}, recipeKeys{"selector": one(rd, &r.Identity, parseText)}),
		"not_found":     rd.marker(&r.NotFound),
		"access_denied": rd.marker(&r.AccessDenied),
		"fields":        rd.fields,
		"lines":         rd.lines,
		"attachments":   rd.attachments,
		"dialogs":       one(rd, &r.Dialogs, parseChoice(DialogDismiss, DialogAccept)),
		"folder":        one(rd, &r.Folder, checkedText(checkFolderTemplate)),
		"limits": rd.section(nil, recipeKeys{
			"rate":          one(rd, &r.Limits.Rate, parseRate),
			"max_file_size": one(rd, &r.Limits.MaxFileSize, parseSize),
			"max_files":     one(rd, &r.Limits.MaxFiles, parseCount),
		}),
		"block": rd.section(nil, recipeKeys{
			"images": one(rd, &r.Block.Images, parseBool), "fonts": one(rd, &r.Block.Fonts, parseBool),
			"media": one(rd, &r.Block.Media, parseBool), "styles": one(rd, &r.Block.Styles, parseBool),
			"hosts": many(rd, &r.Block.Hosts, checkedText(checkHostPattern)),
		}),
	})
	if seen != nil && seen["version"] == nil {
		rd.problem(root, "version", versionMissing, RecipeVersion)
	}
	if r.OpenURL != "" {
		if err := CheckURLTemplate(r.OpenURL, r.BaseURL); err != nil && (r.BaseURL != "" || seen["base_url"] == nil) {
			rd.problem(openURL, "open.url", "%v", err)
		}
	}
	for _, status := range r.NotFound.Status {
		if slices.Contains(r.AccessDenied.Status, status) {
			at := cmp.Or(seen["not_found"], seen["access_denied"])
			rd.problem(at, "not_found.status", "has %d, and access_denied.status has it too; it can mean only one of them", status)
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
		"selector": one(rd, &ready.Selector, parseText), "gone": one(rd, &ready.Gone, parseText),
		"quiet": one(rd, &ready.Quiet, parseDuration), "timeout": one(rd, &ready.Timeout, parseDuration),
	})
	if ready.Quiet >= ready.Timeout {
		at := cmp.Or(seen["quiet"], seen["timeout"])
		rd.problem(at, path+".quiet", "is %v, which is not less than the timeout of %v", ready.Quiet, ready.Timeout)
	}
}

func (rd *recipeReader) marker(m *Marker) readNode {
	return rd.section(nil, recipeKeys{
		"status":   many(rd, &m.Status, parseStatus),
		"selector": one(rd, &m.Selector, parseText),
		"text":     many(rd, &m.Text, parseText),
	})
}

func (rd *recipeReader) fields(n ast.Node, path string) {
	rd.each(n, path, func(key ast.Node, name, keyPath string, value ast.Node) {
		if err := checkValueName(name); err != nil {
			rd.problem(key, keyPath, "%v", err)
			return
		}
		f := FieldRule{Name: name}
		seen := rd.keys(value, keyPath, []string{"selector"}, recipeKeys{
			"selector": one(rd, &f.Selector, parseText),
			"type":     one(rd, &f.Type, parseChoice(FieldText, FieldAmount, FieldDate)),
			"attr":     one(rd, &f.Attr, parseText),
			"locale":   one(rd, &f.Locale, checkedText(checkFieldLocale)),
			"layout":   one(rd, &f.Layout, checkedText(CheckLayout)),
			"required": one(rd, &f.Required, parseBool),
		})
		if f.Attr == "text" {
			f.Attr = ""
		}
		if seen["type"] == nil {
			f.Type = FieldText
		}
		if at := seen["locale"]; at != nil && f.Type != FieldAmount && f.Type != "" {
			rd.problem(at, keyPath+".locale", "is for amounts only; add: type: amount")
		}
		if at := seen["layout"]; at != nil && f.Type != FieldDate && f.Type != "" {
			rd.problem(at, keyPath+".layout", "is for dates only; add: type: date")
		}
		rd.recipe.Fields = append(rd.recipe.Fields, f)
	})
}

func (rd *recipeReader) lines(n ast.Node, path string) {
	rule := &LinesRule{}
	rd.keys(n, path, []string{"row", "columns"}, recipeKeys{
		"row": one(rd, &rule.Row, parseText),
		"columns": func(n ast.Node, path string) {
			rd.each(n, path, func(key ast.Node, name, keyPath string, value ast.Node) {
				if err := checkValueName(name); err != nil {
					rd.problem(key, keyPath, "%v", err)
					return
				}
				column := ColumnRule{Name: name}
				one(rd, &column.Selector, parseText)(value, keyPath)
				rule.Columns = append(rule.Columns, column)
			})
		},
	})
	rd.recipe.Lines = rule
}

func (rd *recipeReader) attachments(n ast.Node, path string) {
	rule := &AttachmentsRule{}
	rd.keys(n, path, []string{"item"}, recipeKeys{
		"item":     one(rd, &rule.Item, parseText),
		"name":     one(rd, &rule.Name, parseText),
		"none":     one(rd, &rule.None, parseText),
		"exclude":  many(rd, &rule.Exclude, parseText),
		"optional": one(rd, &rule.Optional, parseBool),
	})
	rd.recipe.Attachments = rule
}

// The parse functions read a node as one kind of value.

func parseText(n ast.Node) (string, error) {
	text, ok := scalarText(n)
	if !ok {
		return "", wrongKind(n, "text")
	}
	if strings.TrimSpace(text) == "" {
		return "", errors.New("is empty; give it a value, or remove the key")
	}
	return strings.TrimSpace(text), nil
}

func scalarText(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	}
	return "", false
}

// wrongKind says that a node is not what it must be, and what people mean who
// write it so.
func wrongKind(n ast.Node, want string) error {
	is, hint := "text", ""
	switch n.(type) {
	case *ast.NullNode:
		is, hint = "nothing", "a value that begins with # must be in quotes"
	case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
		is, hint = "a YAML alias, anchor or tag", "a value that begins with *, & or ! must be in quotes"
	case *ast.MappingNode:
		is, hint = "keys with values", "a value that begins with { must be in quotes"
	case *ast.SequenceNode:
		is, hint = "a list", "a value that begins with [ must be in quotes"
	case *ast.BoolNode:
		is, hint = n.GetToken().Value, "put it in quotes"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		is, hint = "a number", "put it in quotes"
	}
	if want != "text" {
		return fmt.Errorf("must be %s, not %s", want, is)
	}
	return fmt.Errorf("must be %s, not %s; %s", want, is, hint)
}

func parseBool(n ast.Node) (bool, error) {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		return false, wrongKind(n, "true or false")
	}
	return b.Value, nil
}

func parseChoice[T ~string](options ...T) func(ast.Node) (T, error) {
	return func(n ast.Node) (T, error) {
		text, err := parseText(n)
		if err != nil || slices.Contains(options, T(text)) {
			return T(text), err
		}
		names := make([]string, len(options))
		for i, o := range options {
			names[i] = string(o)
		}
		if near := nearest(text, names); near != "" {
			return "", fmt.Errorf("is %q; did you mean %q?", text, near)
		}
		return "", fmt.Errorf("is %q; it must be one of %s", text, strings.Join(names, ", "))
	}
}

// checkedText makes a parse function of a check whose errors go on after the key.
func checkedText(check func(string) error) func(ast.Node) (string, error) {
	return func(n ast.Node) (string, error) {
		text, err := parseText(n)
		if err == nil {
			err = check(text)
		}
		return text, err
	}
}

func checkFieldLocale(locale string) error {
	if err := CheckLocale(locale); err != nil {
		return fmt.Errorf("has an %w", err)
	}
	return nil
}

func parseBaseURL(n ast.Node) (string, error) {
	address, err := checkedText(func(address string) error { return CheckURLTemplate(address, "") })(n)
	if err == nil && strings.ContainsAny(address, "?#") {
		err = errors.New("has a ? or #; it is a host and the beginning of a path")
	}
	return strings.TrimRight(address, "/"), err
}

func parsePrefix(n ast.Node) (string, error) {
	prefix, err := parseText(n)
	return strings.ToUpper(prefix), err
}

func parsePattern(n ast.Node) (*regexp.Regexp, error) {
	text, err := parseText(n)
	if err != nil {
		return nil, err
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("is not a regular expression of Go (RE2 syntax): %w", err)
	}
	return pattern, nil
}

var hostPattern = regexp.MustCompile(`^(\*\.)?([\pL\pN_]([\pL\pN_-]*[\pL\pN_])?\.)*[\pL\pN_]([\pL\pN_-]*[\pL\pN_])?\.?$`)

func checkHostPattern(text string) error {
	name, port := splitHost(text)
	number, err := strconv.Atoi(port)
	switch {
	case strings.ContainsAny(text, "/@?#"):
		return fmt.Errorf("has %q, which is not a host; write it without https:// and path", text)
	case port != "" && (err != nil || number < 1 || number > 65535):
		return fmt.Errorf("has %q, whose port is not from 1 to 65535", text)
	case net.ParseIP(name) == nil && !hostPattern.MatchString(name):
		return fmt.Errorf(`has %q, which is not a host; write "files.acme.example", or "*.acme.example" for all hosts below it`, text)
	}
	return nil
}

func checkValueName(name string) error {
	if !valueName.MatchString(name) {
		return fmt.Errorf("is not a good name; use letters, digits, spaces, and _ - . between them")
	}
	return nil
}

var valueName = regexp.MustCompile(`^[\pL\pN_]([\pL\pN_ .-]*[\pL\pN_])?$`)

func parseStatus(n ast.Node) (int, error) {
	status, err := parseCount(n)
	if err == nil && (status < 100 || status > 599) {
		err = fmt.Errorf("has %d, which is not an HTTP status", status)
	}
	return status, err
}

func parseCount(n ast.Node) (int, error) {
	number, ok := n.(*ast.IntegerNode)
	if !ok {
		return 0, wrongKind(n, "a whole number")
	}
	count, ok := number.Value.(uint64)
	if !ok || count < 1 || count > 1e6 {
		return 0, fmt.Errorf("is %s; it must be from 1 to 1000000", number.Token.Value)
	}
	return int(count), nil
}

func parseDuration(n ast.Node) (time.Duration, error) {
	const examples = "a duration such as 300ms or 20s"
	text, err := quantityText(n, examples)
	if err != nil {
		return 0, err
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("is %q; write %s", text, examples)
	case d <= 0 || d > time.Hour:
		return 0, fmt.Errorf("is %v; it must be above 0 and at most 1h", d)
	}
	return d, nil
}

// quantityText returns the text of a number, with or without a unit.
func quantityText(n ast.Node, want string) (string, error) {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value, nil
	}
	return "", wrongKind(n, want)
}

// quantity is a positive decimal number and what follows it.
var quantity = regexp.MustCompile(`^(\d{1,15}(?:\.\d{1,6})?) ?([A-Za-z/]*)$`)

// parseQuantity returns the number times what its unit stands for.
func parseQuantity(n ast.Node, units map[string]float64, examples string) (float64, error) {
	text, err := quantityText(n, examples)
	if err != nil {
		return 0, err
	}
	m := quantity.FindStringSubmatch(text)
	if m == nil || units[strings.ToLower(m[2])] == 0 {
		return 0, fmt.Errorf("is %q; write %s", text, examples)
	}
	number, err := strconv.ParseFloat(m[1], 64)
	return number * units[strings.ToLower(m[2])], err
}

func parseRate(n ast.Node) (Rate, error) {
	rate, err := parseQuantity(n, map[string]float64{
		"/s": 1, "/m": 1.0 / 60, "/min": 1.0 / 60, "/h": 1.0 / 3600,
	}, "a rate such as 2/s, 30/m or 500/h")
	if err == nil && (rate <= 0 || rate > 1000) {
		err = fmt.Errorf("is %s; it must be above 0 and at most 1000/s", n.GetToken().Value)
	}
	return Rate(rate), err
}

func parseSize(n ast.Node) (int64, error) {
	size, err := parseQuantity(n, map[string]float64{
		"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	}, "a size such as 500KB, 200MB or 1GB")
	if err == nil && (size < 1 || size > 1e12) {
		err = fmt.Errorf("is %s; it must be from 1 byte to 1000GB", n.GetToken().Value)
	}
	return int64(size), err
}

// nearest returns the one of known that word is probably a misspelling of, or "".
func nearest(word string, known []string) string {
	const longest = 40 // what is longer is no slip
	best, bestDistance := "", 1+min(len(word), 8)/4+1
	if len(word) > longest {
		return ""
	}
	for _, k := range known {
		if d := editDistance(word, k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// editDistance counts the letters to insert, drop or replace to get from a to
// b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
