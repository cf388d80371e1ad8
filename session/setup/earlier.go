package setup

import (
	"context"
	"path/filepath"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// Earlier is a session that another updates.
type Earlier struct {
	*Remembered
	// Dir is its folder, absolute.
	Dir   string
	specs []tasks.Spec
	// documents are those that were brought home, by the order's number.
	documents map[string][]tasks.Attachment
}

// WithEarlier returns the settings with what there is in the session that they update, if they
// do. It returns a *ConfigError, or, for a folder that cannot be used, a *folder.Error or a
// *ledger.FileError.
func (c Config) WithEarlier(ctx context.Context) (Config, error) {
	if c.Update == "" {
		return c, nil
	}
	dir, err := folder.Find(c.Update)
	if err != nil {
		return c, bad("update", "%v", err)
	}
	if owner := ledger.Owner(filepath.Join(dir, folder.LedgerName)); owner != nil {
		return c, bad("update", "%v", owner)
	}
	e := &Earlier{Dir: dir, documents: map[string][]tasks.Attachment{}}
	err = folder.Look(ctx, dir, func(ctx context.Context, l *ledger.Ledger) error {
		if e.Remembered, err = Read(ctx, l, dir); err != nil {
			return err
		}
		return l.Each(ctx, func(t *tasks.ProcessingTask) error {
			e.add(t)
			return nil
		})
	})
	if err == nil && c.Again {
		err = e.proxyGone(c)
	}
	c.Update, c.Earlier = dir, e
	return c, err
}

func (e *Earlier) add(t *tasks.ProcessingTask) {
	e.specs = append(e.specs, t.Spec)
	if t.Result == nil || t.PO == "" {
		return
	}
	for _, doc := range t.Result.Attachments {
		if doc.State == tasks.AttachmentDone {
			e.documents[t.PO] = append(e.documents[t.PO], doc)
		}
	}
}

// Documents returns what an order has brought home there, under any address of its page.
func (e *Earlier) Documents(task *tasks.ProcessingTask) []tasks.Attachment {
	return e.documents[task.PO]
}

func (e *Earlier) sheet() *orders.Sheet { return orders.Again(e.Record.Input, e.specs) }

// recipes returns the session's recipes, but for those that the settings name.
func (e *Earlier) recipes(c Config) (Recipes, error) {
	if c.RecipeFile == "" {
		return e.Remembered.recipes(nil, nil)
	}
	mended, err := readRecipes(c)
	if err != nil {
		return nil, err
	}
	return e.Remembered.recipes(mended, append([]string{c.RecipeFile}, c.MoreRecipes...))
}
