package scrape

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/yamltree"
)

// Opening returns a recipe that opens orders as r does, and tells pages that are none as r does. What an
// order's page shows it does not know: it takes that from the page's own structure, as the built-in recipe.
func (r *Recipe) Opening() *Recipe {
	opening := *r
	opening.Auto, opening.Mode, opening.opens = true, ModeRender, r
	opening.Identity, opening.IdentityFrame = "", ""
	opening.Fields, opening.Lines, opening.Attachments, opening.Related = nil, nil, nil, nil
	return &opening
}

// RecipeText is a recipe as somebody has written it, to be added to.
type RecipeText struct {
	text   string
	fields *ast.MappingNode
	// end is the line after the value of fields, counted from 1.
	end int
	has map[string]bool
}

// NewRecipeText returns the text of a recipe that ReadRecipe has read, or false where its keys do not stand
// one below the other.
func NewRecipeText(text string) (*RecipeText, bool) {
	t := &RecipeText{text: strings.TrimPrefix(text, "\ufeff"), has: map[string]bool{}}
	file, err := yamltree.Parse([]byte(t.text))
	if err != nil || len(file.Docs) != 1 {
		return nil, false
	}
	root, is := file.Docs[0].Body.(*ast.MappingNode)
	if !is || root.IsFlowStyle {
		return nil, false
	}
	t.end = len(t.lines()) + 1
	for i, entry := range root.Values {
		name := entry.Key.GetToken().Value
		t.has[name] = true
		if name != "fields" {
			continue
		}
		t.fields, _ = entry.Value.(*ast.MappingNode)
		if i+1 < len(root.Values) {
			t.end = root.Values[i+1].Key.GetToken().Position.Line
		}
	}
	return t, true
}

// Has reports whether the recipe has a key, "attachments".
func (t *RecipeText) Has(key string) bool { return t.has[key] }

// lines returns the lines of the text, without the breaks between them.
func (t *RecipeText) lines() []string { return strings.Split(strings.TrimSuffix(t.text, "\n"), "\n") }

// With returns the text with more fields, each a line "name: {...}" with the comments above it, and with more
// keys at its end. More fields need a recipe that has some.
func (t *RecipeText) With(fields [][]string, keys string) string {
	lines := t.lines()
	switch {
	case len(fields) == 0 || t.fields == nil:
	case t.fields.IsFlowStyle:
		lines = t.within(lines, fields)
	default:
		lines = t.below(lines, fields)
	}
	return strings.Join(lines, "\n") + "\n" + keys
}

// below adds fields below the others.
func (t *RecipeText) below(lines []string, fields [][]string) []string {
	indent := t.fields.Values[0].Key.GetToken().Position.Column - 1
	at := t.end - 1
	for at > 0 && (isBlank(lines[at-1]) || isComment(lines[at-1], indent)) {
		at-- // it belongs to what follows
	}
	var added []string
	for _, field := range fields {
		for _, line := range field {
			added = append(added, strings.Repeat(" ", indent)+line)
		}
	}
	return slices.Insert(lines, at, added...)
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// isComment reports whether a line is a comment that begins before a column: one further in may be a part of a
// text in several lines.
func isComment(line string, before int) bool {
	text := strings.TrimLeft(line, " ")
	return strings.HasPrefix(text, "#") && len(line)-len(text) < max(1, before)
}

// within adds fields after the brace that the others begin with.
func (t *RecipeText) within(lines []string, fields [][]string) []string {
	at := t.fields.Start.Position
	line := []rune(lines[at.Line-1])
	before, after := string(line[:at.Column]), strings.TrimSpace(string(line[at.Column:]))
	added := []string{before}
	for i, field := range fields {
		for _, line := range field[:len(field)-1] {
			added = append(added, "  "+line)
		}
		comma := ","
		if i == len(fields)-1 && len(t.fields.Values) == 0 {
			comma = ""
		}
		added = append(added, "  "+field[len(field)-1]+comma)
	}
	if after != "" {
		added = append(added, "  "+after)
	}
	return slices.Replace(lines, at.Line-1, at.Line, added...)
}
