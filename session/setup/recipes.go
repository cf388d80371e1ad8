package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/folder"
)

// Recipe is one of a session's.
type Recipe struct {
	// Portal is the name of its portal (scrape.Recipe.PortalName), or empty where it is the
	// session's only recipe, which all orders take.
	Portal string `json:"portal"`
	// File is where it was read from, and Text what stood there.
	File           string `json:"file"`
	Text           string `json:"text"`
	*scrape.Recipe `json:"-"`
}

// Recipes are those of a session, one for each of its portals.
type Recipes []Recipe

// scraped returns the recipes as package scrape knows them.
func (rs Recipes) scraped() []*scrape.Recipe {
	list := make([]*scrape.Recipe, len(rs))
	for i, r := range rs {
		list[i] = r.Recipe
	}
	return list
}

// Title returns what people call the recipe of a portal: its name, unless another has that too.
func (rs Recipes) Title(portal string) string {
	titles := map[string]int{}
	title := portal
	for _, r := range rs {
		titles[r.Name]++
		if r.Portal == portal {
			title = r.Name
		}
	}
	if titles[title] > 1 {
		return portal
	}
	return title
}

// RecipeFiles returns the files of the recipes that were named: those in a folder in the order
// of their names. It returns a *ConfigError for a folder without any.
func (c Config) RecipeFiles() ([]string, error) {
	var files []string
	for _, path := range append([]string{c.RecipeFile}, c.MoreRecipes...) {
		if path == "" {
			continue
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			files = append(files, path) // reading it says what is wrong
			continue
		}
		found, err := recipesIn(path)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// OneRecipe returns a *ConfigError where the settings name several recipes, and what is done
// is done with one; doing says what that is.
func (c Config) OneRecipe(doing string) error {
	files, err := c.RecipeFiles()
	if err == nil && len(files) > 1 {
		err = &ConfigError{Field: "recipe", Message: fmt.Sprintf("names %d recipes, and %s is for one portal at a time: name one of them with --recipe, as in --recipe %s", len(files), doing, files[0])}
	}
	return err
}

func recipesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, unreadableRecipe(dir, err)
	}
	var files []string
	for _, e := range entries {
		ext := strings.ToLower(filepath.Ext(e.Name()))
		if (ext == ".yaml" || ext == ".yml") && !strings.HasPrefix(e.Name(), ".") && !e.IsDir() {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, &ConfigError{Field: "recipe", Message: fmt.Sprintf("%s is a folder without recipes; put files named *.yaml or *.yml there, or name a file", dir)}
	}
	return files, nil
}

// ReadRecipes reads the recipes that were named, or takes those of the session that is updated, or the
// built-in one, where none was. One alone is every order's; of several, each has a portal of its own. It returns a *ConfigError,
// or a *scrape.RecipeError for each problem of any of them.
func ReadRecipes(cfg Config) (Recipes, error) {
	if cfg.Again || cfg.Earlier != nil && cfg.RecipeFile == "" {
		return cfg.Earlier.recipes(cfg)
	}
	return readRecipes(cfg)
}

// Complete checks the settings of a new session, and reads what belongs to them: the session that
// they update, and the recipes. It returns the errors of Validate, WithEarlier and ReadRecipes.
func Complete(ctx context.Context, cfg Config) (Config, Recipes, error) {
	if err := cfg.Validate(); err != nil {
		return cfg, nil, err
	}
	cfg, err := cfg.WithEarlier(ctx)
	if err != nil {
		return cfg, nil, err
	}
	recipes, err := ReadRecipes(cfg)
	return cfg, recipes, err
}

func readRecipes(cfg Config) (Recipes, error) {
	files, err := cfg.RecipeFiles()
	if err != nil {
		return nil, err
	}
	if len(files) < 2 {
		files = append(files, "")[:1]
	}
	var recipes Recipes
	var problems []error
	for _, file := range files {
		recipe, text, err := ReadRecipe(file)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		recipes = append(recipes, Recipe{File: file, Text: text, Recipe: recipe})
	}
	if err := errors.Join(problems...); err != nil || len(recipes) == 1 {
		return recipes, err
	}
	if cfg.State != "" {
		return nil, oneState(len(recipes))
	}
	return recipes, recipes.name()
}

func oneState(recipes int) error {
	return bad("state", "it is for one recipe, and there are %d; each has a state file of its own, NAME.state.json beside NAME.yaml, so leave --state out", recipes)
}

// name gives each of several recipes the name of its portal.
func (rs Recipes) name() error {
	if err := scrape.CheckSeveral(rs.scraped()); err != nil {
		return err
	}
	for i := range rs {
		rs[i].Portal = rs[i].PortalName()
	}
	return nil
}

// Several reports whether each order has the recipe of its portal.
func (rs Recipes) Several() bool { return rs[0].Portal != "" }

// CheckColumns returns an error if the sheet with these columns lacks one that a recipe needs.
func (rs Recipes) CheckColumns(columns []string) error {
	for _, r := range rs {
		if err := cmp.Or(r.CheckFolder(columns), r.CheckColumns(columns)); err != nil {
			return err
		}
	}
	return nil
}

// CompareNone is the column of a field that is compared with none.
const CompareNone = "none"

// CheckCompare returns a *ConfigError if one of the fields or columns that are to be compared
// is not there.
func (rs Recipes) CheckCompare(compare map[string]string, columns []string) error {
	fields := rs.Fields()
	for _, field := range slices.Sorted(maps.Keys(compare)) {
		column := compare[field]
		switch _, found := template.FindColumn(columns, column); {
		case field == "" && column == CompareNone:
		case fields != nil && !slices.ContainsFunc(fields, func(f string) bool { return template.FoldColumn(f) == template.FoldColumn(field) }):
			return bad("compare", "the recipe has no field %q%s", field, oneOf(fields))
		case !found && column != CompareNone:
			return bad("compare", "there is no column %q%s", column, oneOf(columns))
		}
	}
	return nil
}

func oneOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; there are " + strings.Join(names, ", ")
}

// Fields returns the names of the fields that results have, each once, or nil where the built-in recipe
// takes whatever fields a page has.
func (rs Recipes) Fields() []string {
	names := []string{}
	for _, r := range rs {
		if r.Auto {
			return nil
		}
		for _, f := range r.Fields {
			if !f.Secret && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// Required says which places of the recipes must not be empty, by portals: those that are named,
// of which the identity is one.
func (rs Recipes) Required() map[string]map[string]bool {
	required := map[string]map[string]bool{}
	for _, r := range rs {
		places := map[string]bool{"identity": true}
		for _, f := range r.Fields {
			places["fields."+f.Name] = f.Required
			places["fields."+f.Name+".match"] = f.Required
		}
		required[r.Portal] = places
	}
	return required
}

// Used returns those that orders of the sheet take.
func (rs Recipes) Used(sheet *orders.Sheet) Recipes {
	if !rs.Several() {
		return rs
	}
	return slices.DeleteFunc(slices.Clone(rs), func(r Recipe) bool {
		return !slices.ContainsFunc(sheet.Orders, func(o orders.PurchaseOrder) bool { return o.Portal == r.Portal })
	})
}

// portals returns what a sheet's rows may be for.
func (rs Recipes) portals() (list []orders.Portal) {
	for _, r := range rs {
		list = append(list, orders.Portal{Name: r.Portal, BaseURL: r.BaseURL, URL: r.Address(), Prefixes: r.PO.Prefixes,
			Pattern: r.PO.Pattern, SharedURL: r.TakesNumber(), Told: r.Told()})
	}
	return list
}

// portalOf returns the name of the portal whose pages are on a host.
func (rs Recipes) portalOf(host string) (string, error) {
	r, err := scrape.ForHost(rs.scraped(), host)
	if err != nil {
		return "", err
	}
	return r.PortalName(), nil
}

// mend returns the recipes with the mended ones in the place of those of the same portal. One
// that a folder held besides is left out; one that was named itself must be one of theirs.
func (rs Recipes) mend(mended Recipes, named []string) (Recipes, error) {
	switch {
	case !rs.Several() && len(mended) > 1:
		return nil, bad("recipe", "the session was started with one recipe for all of its orders, and goes on with one")
	case !rs.Several() && len(mended) == 1:
		return mended, nil
	}
	next := slices.Clone(rs)
	for _, m := range mended {
		m.Portal = m.PortalName()
		at := slices.IndexFunc(next, func(r Recipe) bool { return r.Portal == m.Portal })
		switch {
		case at >= 0:
			next[at] = m
		case len(mended) == 1 || slices.Contains(named, m.File):
			return nil, bad("recipe", "%s is for none of the session's portals (%s); a mended recipe keeps the host of its base_url", m.File, rs.list())
		}
	}
	return next, nil
}

func (rs Recipes) list() string {
	var names []string
	for _, r := range rs {
		names = append(names, r.Portal)
	}
	return strings.Join(names, ", ")
}

// recall reads those of the recipes that the session only remembers the texts of.
func (rs Recipes) recall() (err error) {
	for i, r := range rs {
		switch {
		case r.Recipe != nil:
		case r.Text == "":
			rs[i].Recipe = scrape.AutoRecipe()
		default:
			if rs[i].Recipe, err = scrape.ReadRecipe(r.File, strings.NewReader(r.Text)); err != nil {
				return fmt.Errorf("reading the recipe that the session was started with: %w", err)
			}
		}
	}
	return nil
}

func unreadableRecipe(file string, err error) error {
	return &ConfigError{Field: "recipe", Message: fmt.Sprintf("%s cannot be read: %s; name a recipe, or leave the flag out for the built-in one", file, folder.Reason(err))}
}
