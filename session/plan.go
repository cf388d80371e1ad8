package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
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

// PlanResume returns the sheet of the session in a folder as Resume would go on with it: orders
// that would not be run are left out, and say how they have ended. It changes nothing. Its
// errors are those of Resume that need no browser.
func PlanResume(ctx context.Context, dir string, cfg ResumeConfig) (sheet *orders.Sheet, err error) {
	dir, err = folder.FindOwn(dir)
	if err != nil {
		return nil, err
	}
	mended, err := mendedRecipes(cfg)
	if err != nil {
		return nil, err
	}
	if owner := ledger.Owner(filepath.Join(dir, folder.LedgerName)); owner != nil {
		return nil, owner
	}
	err = folder.ReadOnly(ctx, dir, func(ctx context.Context, l *ledger.Ledger) error {
		was, err := setup.Read(ctx, l, dir)
		if err != nil {
			return err
		}
		next, recipes, err := was.Next(cfg, mended)
		if err == nil {
			next, err = next.WithEarlier(ctx)
		}
		if err != nil {
			return err
		}
		missing, err := missingIn(ctx, dir, l)
		if err != nil {
			return err
		}
		var unconfirmed []uuid.UUID
		if cfg.Unconfirmed {
			if unconfirmed, err = unconfirmedIn(ctx, l, recipes); err != nil {
				return err
			}
		}
		var specs []tasks.Spec
		err = l.Each(ctx, func(t *tasks.ProcessingTask) error {
			fetch := len(missing[t.ID]) > 0 && !next.NoRepair
			specs = append(specs, plannedSpec(t, fetch || slices.Contains(cfg.Retry, t.Outcome) && t.Retryable() || slices.Contains(unconfirmed, t.ID)))
			return nil
		})
		sheet = orders.Again(was.Record.Input, specs)
		sheet.Notes = nil
		return err
	})
	return sheet, err
}

// missingIn returns the documents of a session that are recorded, and not there.
func missingIn(ctx context.Context, dir string, l *ledger.Ledger) (missing documents.Missing, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return documents.New(documents.Config{Dir: dir, Root: root, Queue: l}).Missing(ctx)
}

// plannedSpec returns what is asked for when a session is gone on with: what has ended is left out,
// unless it is put back.
func plannedSpec(t *tasks.ProcessingTask, back bool) tasks.Spec {
	spec := t.Spec
	switch {
	case back:
		spec.Skipped = ""
	case t.State.Final() && t.Invalid == nil:
		spec.Skipped = "it has ended: " + string(t.Outcome)
	}
	return spec
}
