package scrape

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/spelling"
	"github.com/poscrape/poscrape/internal/template"
)

// placedTemplate is a text of a recipe that cells of the sheet stand in, with its place in the file.
type placedTemplate struct {
	field, text string
	at          position
}

// filledIn are the keys whose texts are templates of an order's values. CheckFolder sees to the names of
// folders and files.
var filledIn = []string{"url", "get", "post", "json", "path", "items", "link", "value", "text"}

// noteTemplate keeps a text that cells of the sheet stand in, for CheckColumns.
func (r *Recipe) noteTemplate(n ast.Node, path string) {
	text, is := scalarText(n)
	if !is || !strings.Contains(text, "{column:") {
		return
	}
	key := path[strings.LastIndex(path, ".")+1:]
	steps := strings.Contains(path, "steps[")
	if slices.Contains(filledIn, key) && (key != "text" || steps) {
		at := beginning(n)
		r.templates = append(r.templates, placedTemplate{path, text, position{at.Line, at.Column}})
	}
}

// CheckColumns returns a *RecipeError for each placeholder of a column in the recipe's addresses and steps
// that the sheet does not have.
func (r *Recipe) CheckColumns(columns []string) error {
	var problems []error
	for _, one := range r.templates {
		parts, _ := template.Parse(one.text) // ReadRecipe has seen to its errors
		for _, p := range parts {
			name, is := strings.CutPrefix(p.Placeholder, "column:")
			if _, ok := template.FindColumn(columns, name); !is || ok {
				continue
			}
			message := fmt.Sprintf("has the placeholder {%s}, and the sheet has no column of that name", p.Placeholder)
			if near := spelling.Nearest(strings.ToLower(name), lowered(columns)); near != "" {
				message += fmt.Sprintf("; did you mean {column:%s}?", near)
			}
			problems = append(problems, &RecipeError{File: r.File, Line: one.at.line, Column: one.at.column, Field: one.field, Message: message})
		}
	}
	return errors.Join(problems...)
}
