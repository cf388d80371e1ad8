package scrape

import (
	"context"
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/css"
)

// placedSelector is a CSS selector of a recipe, with its place in the file.
type placedSelector struct {
	text string
	at   position
}

// selector reads a CSS selector. What cannot be one is a problem; Chrome has the last word,
// see CheckSelectors.
func (rd *recipeReader) selector(dst *string) readNode { return one(rd, dst, rd.parseSelector) }

// selectors reads a list of CSS selectors, or one.
func (rd *recipeReader) selectors(dst *[]string) readNode { return many(rd, dst, rd.parseSelector) }

func (rd *recipeReader) parseSelector(n ast.Node) (string, error) {
	text, err := parseText(n)
	if err != nil {
		return "", err
	}
	if namesOrder(text) {
		return "", fmt.Errorf("is %q; a selector is the same for all orders; where one page lists several of them, see list", text)
	}
	if why := css.Check(text); why != nil {
		return "", fmt.Errorf("is %q, which is not a valid CSS selector: %w", text, why)
	}
	at := beginning(n)
	rd.recipe.placed = append(rd.recipe.placed, placedSelector{text: text, at: position{at.Line, at.Column}})
	return text, nil
}

// SelectorAt returns the line and column of a selector of the recipe, counted from 1, or 0
// where it is not known.
func (r *Recipe) SelectorAt(text string) (line, column int) {
	for _, s := range r.placed {
		if s.text == text {
			return s.at.line, s.at.column
		}
	}
	return 0, 0
}

// CheckSelectors has a browser parse the recipe's selectors, and returns a *RecipeError for
// each that is not valid CSS, in their order.
func (p *Portal) CheckSelectors(ctx context.Context, b *browser.Browser) error {
	var list []namedSelector
	texts := []string{}
	for _, s := range p.recipe.selectors() {
		if !s.text {
			list, texts = append(list, s), append(texts, s.selector)
		}
	}
	var valid []bool
	script := `(() => { const page = document.createDocumentFragment();
		return ` + inScript(texts) + `.map((text) => { try { page.querySelector(text); return true } catch { return false } }) })()`
	if err := b.Tab().Evaluate(ctx, script, &valid); err != nil {
		return fmt.Errorf("checking the recipe's selectors: %w", err)
	}
	var problems []error
	for i, s := range list {
		if i >= len(valid) || valid[i] {
			continue
		}
		line, column := p.recipe.SelectorAt(s.selector)
		problems = append(problems, &RecipeError{File: p.recipe.File, Line: line, Column: column, Field: s.field,
			Message: fmt.Sprintf("is %q, which is not a valid CSS selector", s.selector)})
	}
	return errors.Join(problems...)
}
