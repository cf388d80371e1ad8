package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/folder"
)

// readAndFind reads the sheet while Chrome says its version. Of two errors it
// returns the sheet's.
func readAndFind(ctx context.Context, cfg Config, recipe *scrape.Recipe) (*orders.Sheet, browser.Chrome, error) {
	ctx, cancel := context.WithCancel(ctx)
	var chrome browser.Chrome
	var missing error
	var finding sync.WaitGroup
	finding.Go(func() { chrome, missing = findChrome(ctx, cfg) })
	sheet, err := readSheet(cfg, recipe)
	if err != nil {
		cancel()
	}
	finding.Wait()
	cancel()
	if err == nil {
		err = missing
	}
	return sheet, chrome, err
}

func readRecipe(file string) (*scrape.Recipe, string, error) {
	if file == "" {
		return scrape.AutoRecipe(), "", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, "", unreadableRecipe(file, err)
	}
	defer f.Close()
	var text copied
	recipe, err := scrape.ReadRecipe(file, io.TeeReader(f, &text))
	var path *os.PathError
	if errors.As(err, &path) {
		return nil, "", unreadableRecipe(file, path)
	}
	if err != nil {
		return nil, "", err
	}
	return recipe, string(text), nil
}

func unreadableRecipe(file string, err error) error {
	return &ConfigError{Field: "recipe", Message: fmt.Sprintf("%s cannot be read: %s; name a recipe, or leave the flag out for the built-in one", file, folder.Reason(err))}
}

// copied keeps what is written to it.
type copied []byte

func (c *copied) Write(p []byte) (int, error) {
	*c = append(*c, p...)
	return len(p), nil
}

func readSheet(cfg Config, recipe *scrape.Recipe) (*orders.Sheet, error) {
	options := orders.Options{Columns: cfg.Columns, URL: cfg.URL, BaseURL: recipe.BaseURL,
		Prefixes: recipe.PO.Prefixes, Pattern: recipe.PO.Pattern}
	if options.URL == "" {
		options.URL = recipe.OpenURL
	}
	if recipe.BaseURL != "" {
		options.HostAllowed = func(host string) bool { return recipe.HostAllowed(host, nil) }
	}
	if cfg.File == "-" {
		return orders.Read("-", cfg.Input, options)
	}
	f, err := os.Open(cfg.File)
	if err != nil {
		return nil, &orders.FileError{File: cfg.File, Message: "it cannot be opened", Err: errors.New(folder.Reason(err))}
	}
	defer f.Close()
	return orders.Read(cfg.File, f, options)
}

// readMended reads the recipe that replaces the session's, if one is named.
func readMended(file string) (*scrape.Recipe, string, error) {
	if file == "" {
		return nil, "", nil
	}
	return readRecipe(file)
}
