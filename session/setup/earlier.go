package setup

import (
	"context"
	"path/filepath"

	"github.com/poscrape/poscrape/browser"
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
	// had are the orders there, by their numbers; now counts those of the session that updates it.
	had map[string][]earlierOrder
	now map[string]int
}

// earlierOrder is an order of an earlier session, with the documents that were brought home.
type earlierOrder struct {
	url, portal string
	documents   []tasks.Attachment
}

// WithEarlier returns the settings with what there is in the session that they update, if they
// do. It returns a *ConfigError, or, for a folder that cannot be used, a *folder.Error or a
// *ledger.FileError.
func (c Config) WithEarlier(ctx context.Context) (Config, error) {
	if c.Update == "" {
		return c, nil
	}
	dir, err := folder.FindOwn(c.Update)
	if err != nil {
		return c, bad("update", "%v", err)
	}
	if owner := ledger.Owner(filepath.Join(dir, folder.LedgerName)); owner != nil {
		return c, bad("update", "%v", owner)
	}
	e := &Earlier{Dir: dir, had: map[string][]earlierOrder{}, now: map[string]int{}}
	err = folder.ReadOnly(ctx, dir, func(ctx context.Context, l *ledger.Ledger) error {
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
	if c.RecipeFile == "" && e.Remembered != nil {
		if e.Foreign && !c.Again && c.URL == "" && e.URL != "" && err == nil {
			err = &ForeignError{dir, append(e.unknown(), Setting{"url", []string{browser.RedactText(e.URL)}})}
		}
		if c.URL == "" {
			c.URL, c.URLFound = e.URL, e.URLFound
		}
	}
	c.Update, c.Earlier = dir, e
	return c, err
}

func (e *Earlier) add(t *tasks.ProcessingTask) {
	e.specs = append(e.specs, t.Spec)
	if t.PO == "" {
		return
	}
	order := earlierOrder{url: t.URL, portal: t.Portal}
	if t.Result != nil {
		for _, doc := range t.Result.Attachments {
			if t.Foreign || e.Remembered != nil && e.Foreign {
				doc.Validators = "" // so that it is fetched
			}
			if doc.State == tasks.AttachmentDone {
				order.documents = append(order.documents, doc)
			}
		}
	}
	e.had[t.PO] = append(e.had[t.PO], order)
}

// Expect counts an order of the session that updates this one; nil: there is none to update.
func (e *Earlier) Expect(number string) {
	if e != nil {
		e.now[number]++
	}
}

// Documents returns what an order has brought home there. An order is the same if its number and
// its address are, or, without an address, its number and its portal. Where only one order has
// the number, there and here, its address may have changed. Every Expect comes before it.
func (e *Earlier) Documents(task *tasks.ProcessingTask) []tasks.Attachment {
	had := e.had[task.PO]
	for _, o := range had {
		if o.url == task.URL && (o.url != "" || o.portal == task.Portal) {
			return o.documents
		}
	}
	if len(had) == 1 && e.now[task.PO] <= 1 {
		return had[0].documents
	}
	return nil
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
