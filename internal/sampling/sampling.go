// Package sampling drafts a recipe for a portal from a sheet of its orders: it opens some of them in
// a Chrome, as a session does, has package learn draft a recipe, and reads other orders by that. It
// writes nothing but a temporary directory, which it removes. What is learnt, and how, it does not know.
package sampling

import (
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
	// Config is a session's. Of it count the sheet, the URL, the columns, the state file, Chrome, its
	// proxy and profiles.
	setup.Config
	// Samples is how many orders it is learnt from first; as many again are opened where these do not
	// tell places on the pages apart, and as many check the draft.
	Samples int
	// Out, of the session's, is the file that the recipe is for: the state file beside it is read, if
	// there is one and no other is named.

	// Name of the recipe; empty for that of the portal's host.
	Name string
	// Tell says what is done.
	Tell func(format string, args ...any)
}

// WallError says that the portal asks for a sign-in, or for something else, in place of the orders.
type WallError struct {
	PO, Seen string
	// Site is the portal's address, State the file for a sign-in there.
	Site, State string
	// Named: the user has named that file, or it stands where it is looked for.
	Named bool
	// Other: it is not for a sign-in that it asks.
	Other bool
}

func (e *WallError) Error() string {
	how, again := "Sign in with", "and run this again"
	if e.Other {
		how = "A person has to deal with that first, in the window that is opened by"
	}
	if !e.Named {
		again += " with --state " + e.State
	}
	return fmt.Sprintf("order %s: %s; nothing was written. %s 'poscrape login --url %s --state %s', %s", e.PO, e.Seen, how, e.Site, e.State, again)
}

// UnreadError says that no order's page could be read.
type UnreadError struct {
	// Tried is how many orders were opened, Err what the last came to.
	Tried int
	Err   error
	// Unreached: the portal was not even reached.
	Unreached bool
}

func (e *UnreadError) Error() string {
	if e.Unreached {
		return fmt.Sprintf("no order's page could be read, of %d that were opened; nothing was written. The last: %v", e.Tried, e.Err)
	}
	return fmt.Sprintf("no order's page could be read, of %d that were opened; nothing was written. The last: %v. Open one order in a browser and compare its address: if it has another number than the order's, name its column in --url, as {column:NAME}", e.Tried, e.Err)
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
	recipe := scrape.AutoRecipe()
	recipe.Mode = scrape.ModeRender
	read, err := cfg.readSheet(recipe)
	if err != nil {
		return nil, err
	}
	portal := scrape.NewPortal(recipe, read.Input.Columns)
	portal.Study()
	v, err := cfg.open(ctx, portal)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.close()) }()
	v.sheet, v.specs = cfg.sheetOf(read)
	if err := v.signIn(ctx); err != nil {
		return nil, err
	}
	defer v.keepState(ctx)
	return v.draft(ctx)
}

// readSheet reads the sheet, with the prefix that all of its numbers have.
func (c Config) readSheet(recipe *scrape.Recipe) (*orders.Sheet, error) {
	recipes := setup.Recipes{{Recipe: recipe}}
	sheet, err := setup.ReadSheet(c.Config, recipes)
	if err != nil {
		return nil, err
	}
	plain, _ := c.sheetOf(sheet)
	if prefixes := learn.Prefixes(plain); len(prefixes) > 0 && c.File != "-" {
		recipe.PO.Prefixes = prefixes
		return setup.ReadSheet(c.Config, recipes)
	}
	return sheet, nil
}

// sheetOf returns what is learnt from of a sheet, and the orders' tasks by their numbers.
func (c Config) sheetOf(read *orders.Sheet) (learn.Sheet, map[string]orders.PurchaseOrder) {
	sheet := learn.Sheet{URL: c.URL, Columns: read.Input.Columns, Roles: read.Input.Roles}
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

// open starts the browser.
func (c Config) open(ctx context.Context, portal *scrape.Portal) (*visit, error) {
	chrome, err := c.FindChrome(ctx)
	if err != nil {
		return nil, err
	}
	// What it cannot clear up is in nobody's way here, and the next session tells of it.
	_, _ = profiles.Sweep(ctx, "", c.TempDir)
	dir, err := os.MkdirTemp(c.Temp(), "poscrape-learn-*")
	if err != nil {
		return nil, &worker.TempError{Err: err}
	}
	v := &visit{cfg: c, dir: dir, mute: chrome.HeadlessShell, places: scrape.Places{Session: dir, Staging: filepath.Join(dir, "staging")}}
	if err := os.Mkdir(v.places.Staging, 0o700); err != nil {
		return nil, errors.Join(&worker.TempError{Err: err}, os.RemoveAll(dir))
	}
	cfg := c.OpenerConfig(chrome)
	cfg.Portal, cfg.Places = portal, v.places
	v.opener = worker.NewOpener(cfg)
	if err := v.opener.Start(ctx); err != nil {
		return nil, errors.Join(err, v.opener.Close(), os.RemoveAll(dir))
	}
	if !v.opener.Sandbox.On {
		c.Tell("Warning: Chrome runs without its sandbox: %s", v.opener.Sandbox.Why)
	}
	v.browser = v.opener.First().Browser()
	v.scraper = portal.Scraper(v.browser, v.places)
	return v, nil
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
