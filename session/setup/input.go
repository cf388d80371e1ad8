package setup

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/poscrape/poscrape/internal/inside"
	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
)

// ReadRecipe reads a recipe, or takes the built-in one where file is "". It returns the text
// too, and a *ConfigError or a *scrape.RecipeError.
func ReadRecipe(file string) (*scrape.Recipe, string, error) {
	if file == "" {
		return scrape.AutoRecipe(), "", nil
	}
	f, err := openInput(file)
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

var errWaits = errors.New("it is a pipe or a device, and not a file")

// openInput opens a file to read it. A pipe or a device must be one of the system's, such as /dev/stdin or the
// /dev/fd/63 of a shell's <(command): of one in a folder, nobody may ever write to the other end.
func openInput(name string) (*os.File, error) {
	const waits = fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice | fs.ModeCharDevice
	info, err := os.Stat(name)
	if err == nil && info.Mode()&waits != 0 && !strings.HasPrefix(filepath.Clean(name), "/dev/") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errWaits}
	}
	return os.Open(name)
}

// copied keeps what is written to it.
type copied []byte

func (c *copied) Write(p []byte) (int, error) {
	*c = append(*c, p...)
	return len(p), nil
}

// ReadSheet reads the sheet of orders, and refuses addresses that lead inside as far as that is known
// without looking names up: see LookUp. It returns an *orders.FileError or an *orders.OptionError.
func ReadSheet(cfg Config, recipes Recipes) (*orders.Sheet, error) {
	sheet, err := readSheet(cfg, recipes)
	if err != nil {
		return nil, err
	}
	_, err = cfg.refuseInside(sheet, recipes, func(host string) inside.Place {
		place, _ := inside.Host(host)
		return place
	})
	if err != nil {
		return nil, err
	}
	return sheet, nil
}

func readSheet(cfg Config, recipes Recipes) (*orders.Sheet, error) {
	if cfg.Again {
		return cfg.Earlier.sheet(), nil
	}
	recipe := recipes[0]
	options := orders.Options{Columns: cfg.Columns, URL: cfg.URL, BaseURL: recipe.BaseURL,
		Prefixes: recipe.PO.Prefixes, Pattern: recipe.PO.Pattern, SharedURL: recipe.TakesNumber(), Told: recipe.Told()}
	switch {
	case recipes.Several():
		options = orders.Options{Columns: cfg.Columns, URL: cfg.URL, Portals: recipes.portals(), PortalOf: recipes.portalOf}
	case options.URL == "":
		options.URL = recipe.Address()
	}
	if recipe.BaseURL != "" && !recipes.Several() {
		options.HostAllowed = func(host string) bool { return recipe.HostAllowed(host, nil) }
	}
	options.Sheet, options.Encoding = cfg.Sheet, cfg.Encoding
	if cfg.File == "-" {
		return orders.Read("-", cfg.Input, options)
	}
	f, err := openInput(cfg.File)
	if err != nil {
		why := folder.Reason(err)
		if errors.Is(err, errWaits) {
			why += "; give it as standard input: - < " + shell.Word(cfg.File)
		}
		return nil, &orders.FileError{File: cfg.File, Message: "it cannot be opened", Err: errors.New(why)}
	}
	defer f.Close()
	return orders.Read(cfg.File, f, options)
}

// ReadSheetAgain reads the sheet of a session that was killed before its orders were stored, with
// the orders that it is asked for. It returns NotBegun where that is not the sheet that it was.
func ReadSheetAgain(ctx context.Context, cfg Config, recipes Recipes, was tasks.Input) (*orders.Sheet, error) {
	lost := NotBegun(cfg.Out)
	if cfg.File == "-" {
		return nil, lost
	}
	sheet, err := ReadSheet(cfg, recipes)
	if err == nil {
		err = Select(ctx, cfg, sheet)
	}
	if err != nil {
		lost.Err = err
		return nil, lost
	}
	if sheet.Input.SHA256 != was.SHA256 {
		lost.Problem += " (the sheet " + cfg.File + " has changed since)"
		return nil, lost
	}
	return sheet, nil
}
