package scrape

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/poscrape/poscrape/internal/secret"
	"github.com/poscrape/poscrape/internal/yamltree"
)

// maxRecipeBytes: what is longer is no recipe.
const maxRecipeBytes = 256 << 10

const versionMissing = "is missing; a recipe begins with: version: %d"

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
	rd.recipe.sources = &secret.Sources{Recipe: name}
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
	// gets are the templates of addresses that data is requested at.
	gets []placed
	// bodies are the placeholders of what is posted.
	bodies []placed
	// same are those addresses that are the same for all orders.
	same []placed
	// unsourced are places that say nothing of what data they are in, each with what is wrong with that
	// unless they are in the order's element of a list.
	unsourced []placed
	// groups are the names of groups that addresses of documents are made of.
	groups []placed
	// counts are the layouts of dates that count from 1970, each with its field's name.
	counts []placed
	// openURL is where open.url stands, or nil.
	openURL ast.Node
	// onKeys is told what a mapping at a path may have, or nil: docs/recipe.schema.json is made
	// from that.
	onKeys func(path string, required []string, known recipeKeys)
	// newer: the file says that it is of another version.
	newer bool
}

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
	file, err := yamltree.Parse(data)
	var syntax *yaml.SyntaxError
	var deep *yamltree.DepthError
	switch {
	case errors.As(err, &deep):
		rd.problemAt(deep.Line, deep.Column, "", "%v", deep)
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
	if len(text) > 60 {
		return strings.ToValidUTF8(text[:60], "") + "..."
	}
	return text
}
