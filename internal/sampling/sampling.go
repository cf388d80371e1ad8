// Package sampling drafts a recipe for a portal from a sheet of its orders: it opens some of them in
// a Chrome, as a session does, has package learn draft a recipe, and reads other orders by that. A recipe
// that there is already says how orders are opened and who signs in, and is completed by the draft. It
// writes nothing but state files, and a temporary directory, which it removes. What is learnt, and how, it
// does not know.
package sampling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/poscrape/poscrape/learn"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/worker"
)

// DefaultSamples is how many orders a recipe is learnt from where nothing else is said.
const DefaultSamples = 5

// The bounds of how many orders a recipe is learnt from, and of the time for one.
const (
	minSamples = 2
	maxSamples = 50
	atMost     = time.Minute
)

// Config says what to learn from.
type Config struct {
	// Config is a session's. Of it count the sheet, the recipe, the URL, the columns, the state file, Chrome,
	// its proxy and profiles.
	setup.Config
	// Samples is how many orders it is learnt from first; as many again are opened where these do not
	// tell places on the pages apart, and as many check the draft.
	Samples int
	// Out, of the session's, is the file that the recipe is for. The state file beside it is read, if
	// no other is named, and there is none beside the recipe that is completed; and a sign-in is kept there
	// for the next run.

	// Name of the recipe; empty for that of the portal's host.
	Name string
	// Tell says what is done.
	Tell func(format string, args ...any)
}

// WallError says that the portal asks for a sign-in, or for something else, in place of the orders.
type WallError struct {
	// Seen is what stands in the way, Login the command for a sign-in by hand.
	Seen, Login string
	// State is a file that has to be named then, or empty.
	State string
	// Recipe is the file of a recipe that says how to sign in, or empty.
	Recipe string
	// Other: it is not for a sign-in that it asks.
	Other bool
}

func (e *WallError) Error() string {
	how, again := "Sign in with", "and run this again"
	switch {
	case e.Other:
		how = "A person has to deal with that first, in the window that is opened by"
	case e.Recipe != "":
		how = "Correct login in " + e.Recipe + ", or sign in by hand with"
	}
	if e.State != "" {
		again += " with --state " + e.State
	}
	return fmt.Sprintf("%s; no recipe was written. %s '%s', %s", e.Seen, how, e.Login, again)
}

// UnreadError says that no order's page could be read.
type UnreadError struct {
	// Tried is how many orders were opened, Err what the last came to.
	Tried int
	Err   error
	// Unreached: the portal was not even reached.
	Unreached bool
	// Check is the command that shows what the given recipe meets, or empty.
	Check string
}

func (e *UnreadError) Error() string {
	text := fmt.Sprintf("no order's page could be read, of %d that were opened; nothing was written. The last: %v", e.Tried, e.Err)
	switch {
	case e.Unreached:
		return text
	case e.Check != "":
		return text + ". See what your recipe meets there: " + e.Check
	}
	return text + ". Open one order in a browser and compare its address: if it has another number than the order's, name its column in --url, as {column:NAME}"
}

// Unwrap returns the error behind it.
func (e *UnreadError) Unwrap() error { return e.Err }

// Run drafts a recipe. It blocks until that is done, or ctx ends. Its errors are a *setup.ConfigError,
// those of reading a sheet and of starting a Chrome, a *WallError, an *UnreadError and ctx's cause.
func Run(ctx context.Context, cfg Config) (_ *learn.Draft, err error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Samples < minSamples || cfg.Samples > maxSamples {
		return nil, &setup.ConfigError{Field: "samples", Message: fmt.Sprintf("%d is out of bounds: a recipe is learnt from %d to %d orders", cfg.Samples, minSamples, maxSamples)}
	}
	given, err := cfg.given()
	if err != nil {
		return nil, err
	}
	read, recipe, err := cfg.readSheet(given)
	if err != nil {
		return nil, err
	}
	only := setup.Recipe{Recipe: recipe}
	if err := cfg.LookUp(ctx, read, setup.Recipes{only}); err != nil {
		return nil, err
	}
	v := &visit{cfg: cfg, given: given, rates: scrape.NewRates(), used: map[string]bool{}}
	v.sheet, v.specs = cfg.sheetOf(read, recipe)
	portal := scrape.NewPortal(recipe.Opening(), read.Input.Columns)
	portal.JudgeAnswers(cfg.Answered(only))
	v.values = read.Values("", recipe.Told())
	portal.ReadRows(v.values)
	if err := v.prepareSignIn(portal); err != nil {
		return nil, err
	}
	if err := v.open(ctx, portal); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.close()) }()
	draft, err := v.draft(ctx)
	if err != nil {
		draft = nil
	}
	v.keepSignIn(ctx, draft)
	return draft, err
}

// given reads the recipe that is to be completed, if one is named, and sees whether that can be done.
func (c Config) given() (*learn.Given, error) {
	if err := c.OneRecipe("drafting"); err != nil {
		return nil, err
	}
	files, err := c.RecipeFiles()
	if err != nil || len(files) == 0 {
		return nil, err
	}
	recipe, text, err := setup.ReadRecipe(files[0])
	if err != nil {
		return nil, err
	}
	given, ok := learn.NewGiven(recipe, text)
	switch {
	case !ok:
		return nil, &setup.ConfigError{Field: "recipe", Message: files[0] + " cannot be added to; write its keys one below the other, and no {} around them"}
	case recipe.List != nil:
		return nil, &setup.ConfigError{Field: "recipe", Message: files[0] + " has a list, and only pages of single orders can be learnt: write the rest of it by hand, and see with 'poscrape check --probe' what it meets"}
	}
	if err := (setup.Recipes{{File: files[0], Recipe: recipe}}).Admit(c.Config, true); err != nil {
		return nil, err
	}
	if c.Out != "" {
		moved, err := scrape.ReadRecipe(c.Out, strings.NewReader(text))
		if err == nil {
			err = (setup.Recipes{{File: c.Out, Recipe: moved}}).Admit(c.Config, false)
		}
		if err != nil {
			return nil, &setup.ConfigError{Field: "out", Message: fmt.Sprintf("files that %s names are relative to its folder, so write the draft there as well: %v", files[0], err)}
		}
	}
	return given, nil
}

// readSheet reads the sheet by the given recipe, if there is one, with the prefix that all of its numbers
// have; and returns the recipe that it was read by.
func (c Config) readSheet(given *learn.Given) (*orders.Sheet, *scrape.Recipe, error) {
	recipe := scrape.AutoRecipe()
	if given != nil {
		*recipe = *given.Recipe
	}
	recipes := setup.Recipes{{Recipe: recipe}}
	sheet, err := setup.ReadSheet(c.Config, recipes)
	if err != nil {
		return nil, nil, err
	}
	if err := recipes.CheckColumns(sheet.Input.Columns); err != nil {
		return nil, nil, err
	}
	plain, _ := c.sheetOf(sheet, recipe)
	if prefixes := learn.Prefixes(plain); len(prefixes) > 0 && c.File != "-" && !given.Has("po") {
		recipe.PO.Prefixes = prefixes
		sheet, err = setup.ReadSheet(c.Config, recipes)
	}
	return sheet, recipe, err
}

// sheetOf returns what is learnt from of a sheet, and the orders' tasks by their numbers.
func (c Config) sheetOf(read *orders.Sheet, recipe *scrape.Recipe) (learn.Sheet, map[string]orders.PurchaseOrder) {
	sheet := learn.Sheet{URL: cmp.Or(c.URL, recipe.Address()), Columns: read.Input.Columns, Roles: read.Input.Roles}
	specs := map[string]orders.PurchaseOrder{}
	for _, o := range read.Orders {
		if o.URL == "" || specs[o.Number].Number != "" {
			continue
		}
		specs[o.Number] = o
		one := learn.Order{PO: o.Number, Digits: o.Digits, URL: o.URL, Line: o.Rows[0].Line}
		for _, row := range o.Rows {
			one.Rows = append(one.Rows, row.Cells)
		}
		sheet.Orders = append(sheet.Orders, one)
	}
	return sheet, specs
}

// open starts the browser. When it fails, nothing is left of it.
func (v *visit) open(ctx context.Context, portal *scrape.Portal) error {
	c := v.cfg
	chrome, err := c.FindChrome(ctx)
	if err != nil {
		return err
	}
	// What it cannot clear up is in nobody's way here, and the next session tells of it.
	_, _ = profiles.Sweep(ctx, "", c.TempDir)
	dir, err := os.MkdirTemp(c.Temp(), "poscrape-learn-*")
	if err != nil {
		return &worker.TempError{Err: err}
	}
	v.dir, v.mute, v.places = dir, chrome.HeadlessShell, scrape.Places{Session: dir, Staging: filepath.Join(dir, "staging")}
	if err := os.Mkdir(v.places.Staging, 0o700); err != nil {
		return errors.Join(&worker.TempError{Err: err}, os.RemoveAll(dir))
	}
	portal.Study()
	portal.ShareRates(v.rates)
	portal.OutwaitPauses(v.cfg.Tell)
	cfg := c.OpenerConfig(chrome)
	cfg.Portal, cfg.Places = portal, v.places
	v.opener = worker.NewOpener(cfg)
	if err := v.opener.Start(ctx); err != nil {
		return errors.Join(err, v.opener.Close(), os.RemoveAll(dir))
	}
	if !v.opener.Sandbox.On {
		c.Tell("Warning: Chrome runs without its sandbox: %s", v.opener.Sandbox.Why)
	}
	v.browser = v.opener.First().Browser()
	v.scraper = portal.Scraper(v.browser, v.places)
	return nil
}

// nameOf returns what a portal at an address is called.
func nameOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return "portal"
	}
	host := u.Hostname()
	if strings.Trim(host, "0123456789.:") == "" {
		return "portal"
	}
	parts := strings.Split(host, ".")
	for _, part := range parts {
		if part != "www" && part != "portal" && part != "supplier" && part != "suppliers" {
			return part
		}
	}
	return parts[0]
}
