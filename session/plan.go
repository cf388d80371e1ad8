package session

import (
	"context"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/setup"

	"github.com/google/uuid"
)

// Plan returns the sheet as Open would take it, with the orders that it would leave out, and
// opens nothing. Its errors are those of Open that need no browser.
func Plan(ctx context.Context, cfg Config) (*orders.Sheet, error) {
	cfg, recipes, err := setup.Complete(ctx, cfg)
	if err != nil {
		return nil, err
	}
	sheet, _, err := readSheet(ctx, cfg, recipes)
	if err != nil {
		return nil, err
	}
	if _, err := folder.Choose(cfg.Out, DefaultPlace, uuid.Nil); err != nil {
		return nil, &ConfigError{Field: "out", Message: err.Error()}
	}
	return sheet, nil
}
