package setup

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/folder"
)

// ReadRecipe reads a recipe, or takes the built-in one where file is "". It returns the text
// too, and a *ConfigError or a *scrape.RecipeError.
func ReadRecipe(file string) (*scrape.Recipe, string, error) {
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

// ReadSheet reads the sheet of orders. It returns an *orders.FileError or an
// *orders.OptionError.
func ReadSheet(cfg Config, recipe *scrape.Recipe) (*orders.Sheet, error) {
	options := orders.Options{Columns: cfg.Columns, URL: cfg.URL, BaseURL: recipe.BaseURL,
		Prefixes: recipe.PO.Prefixes, Pattern: recipe.PO.Pattern, SharedURL: recipe.Open.TakesNumber()}
	if options.URL == "" {
		options.URL = recipe.Address()
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
