// Package check says what of a sheet and a recipe poscrape understands, and every problem of
// theirs; and it opens orders to see what each selector meets. It opens Chrome as a session
// does, and reads by the same code. It keeps no session, downloads no document, and changes
// neither sheet nor recipe. It also shows one order of a session that there is, see Show.
//
//	read the sheet and the recipes --> probe orders --> look for what lost selectors could be
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
)

// Config says what to check.
type Config struct {
	// Config is a session's. Of it count the sheet, the recipe, Chrome, its proxy and profile, and
	// the session state; Out is where pictures go.
	setup.Config
	// Probe says which orders are opened: a number of them, or a list of theirs with commas; or
	// none where it is empty.
	Probe string
	// Tell says something to the person meanwhile.
	Tell func(format string, args ...any)
	// CodeOf says to which exit code an error comes; nil: it is not asked.
	CodeOf func(error) int
	// now is the time.
	now time.Time
}

// The exit codes that a report comes to.
const (
	codeWell       = 0
	codeUnreadable = 2
	codeUnfit      = 3
	codeOutside    = 4
	codeWall       = 5
)

// Run checks. What is wrong with the sheet and the recipe stands in the report; an error says
// why there is none, or, where orders were opened, why it is partial: a *setup.ConfigError, a
// *scrape.RecipeError that only Chrome has found, ctx's
// cause, and those of opening a session and of writing. It blocks until then. Whatever it returns, no browser
// and no profile is left.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	if cfg.now.IsZero() {
		cfg.now = time.Now()
	}
	if cfg.Tell == nil {
		cfg.Tell = func(string, ...any) {}
	}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	r := &Report{SchemaVersion: 1, Version: cfg.Version, CheckedAt: cfg.now, Problems: []Problem{}}
	recipes, sheet, err := r.read(cfg)
	if err != nil {
		return nil, err
	}
	if r.ExitCode == codeUnreadable || cfg.Probe == "" {
		return r, nil
	}
	if err := cfg.LookUp(ctx, sheet, recipes); err != nil {
		return nil, err
	}
	chosen, err := choose(cfg.Probe, sheet.Orders)
	if err != nil {
		return nil, err
	}
	dir, err := makeFolder(cfg.Out, cfg.now)
	if err != nil {
		return nil, err
	}
	p := &prober{cfg: cfg, sheet: sheet, recipes: recipes, dir: dir, comparison: comparisonOf(cfg, sheet), report: r}
	r.Probe = &Probe{Dir: dir, Orders: []Order{}, Selectors: []Selector{}, Suggestions: []Suggestion{}, Warnings: []string{}, Notes: []string{}}
	if err = p.run(ctx, chosen); err != nil && len(p.seen) == 0 {
		return nil, errors.Join(err, removeEmpty(dir))
	}
	if r.failed = err != nil; r.failed && cfg.CodeOf != nil {
		r.ExitCode = cfg.CodeOf(err)
	}
	return r, errors.Join(err, r.write(dir))
}

// read reads the sheet and the recipes, and notes all of their problems. Where the sheet cannot
// be read as it should be since a recipe cannot, it is read as far as possible.
func (r *Report) read(cfg Config) (setup.Recipes, *orders.Sheet, error) {
	recipes, err := setup.ReadRecipes(cfg.Config)
	if setting := (*setup.ConfigError)(nil); errors.As(err, &setting) {
		return nil, nil, err
	}
	r.fatal(err)
	known := recipes
	if err != nil || len(recipes) == 0 {
		known = setup.Recipes{{Recipe: scrape.AutoRecipe()}}
		cfg.URL = cmp.Or(cfg.URL, "https://host.example/{po}") // so that rows without an address are read
	}
	sheet, err := setup.ReadSheet(cfg.Config, known)
	if option := (*orders.OptionError)(nil); errors.As(err, &option) {
		return nil, nil, err
	}
	r.fatal(err)
	if sheet == nil {
		r.addRecipes(recipes, nil)
		return nil, nil, nil
	}
	sheet.Input.Compare = cfg.Compare
	if r.ExitCode != codeUnreadable {
		for _, one := range recipes.Used(sheet) {
			r.fatal(one.CheckFolder(sheet.Input.Columns))
			r.fatal(one.CheckColumns(sheet.Input.Columns))
			r.fatal(setup.Recipes{one}.Admit(cfg.Config, cfg.Probe != ""))
		}
		if err := recipes.CheckCompare(cfg.Compare, sheet.Input.Columns); err != nil {
			return nil, nil, err
		}
		recipes = recipes.Used(sheet)
	}
	r.addRecipes(recipes, sheet)
	r.addSheet(cfg, sheet, recipes)
	return recipes, sheet, nil
}

// fatal notes what keeps the sheet or a recipe from being used.
func (r *Report) fatal(err error) {
	if err == nil {
		return
	}
	r.worse(codeUnreadable)
	for _, one := range leaves(err) {
		r.Problems = append(r.Problems, problemOf(one))
		if file := (*orders.FileError)(nil); errors.As(one, &file) {
			r.addRows(file.Rows)
		}
	}
}

// leaves returns the errors that errors.Join has joined.
func leaves(err error) (all []error) {
	joined, is := err.(interface{ Unwrap() []error })
	if !is {
		return []error{err}
	}
	for _, one := range joined.Unwrap() {
		all = append(all, leaves(one)...)
	}
	return all
}

func problemOf(err error) Problem {
	var recipe *scrape.RecipeError
	var file *orders.FileError
	switch {
	case errors.As(err, &recipe):
		return Problem{Level: LevelError, File: recipe.File, Line: recipe.Line, Column: recipe.Column, Field: recipe.Field, Message: recipe.Message, text: recipe.Error()}
	case errors.As(err, &file):
		return Problem{Level: LevelError, File: file.File, Line: file.Line, Cell: file.Column, Message: file.Message, text: file.Error()}
	}
	return Problem{Level: LevelError, Message: err.Error(), text: err.Error()}
}

// worse has the exit code say the worst that was found.
func (r *Report) worse(code int) {
	order := []int{codeWell, codeUnfit, codeOutside, codeWall, codeUnreadable}
	r.ExitCode = order[max(slices.Index(order, r.ExitCode), slices.Index(order, code))]
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
