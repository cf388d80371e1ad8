// Command loop is the limit: a Chrome for each worker as poscrape runs it,
// and nothing around it: no queue, no ledger, no report. Its variants:
//
//	bare  a navigation and one evaluation for each order
//	read  poscrape's own reading of an order, with its recipe
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/poscrape/poscrape/bench/protocol"
	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/worker"
)

func main() {
	protocol.Main(func(ctx context.Context, o protocol.Options, n int) (protocol.Worker, error) {
		recipe, err := readRecipe(o.Recipe)
		if err != nil {
			return nil, err
		}
		recipe.Mode = scrape.ModeRender // what poscrape's render mode is to be held against
		portal := scrape.NewPortal(recipe, []string{"po", "url"})
		m, err := launch(ctx, o, portal)
		if err != nil {
			return nil, err
		}
		switch {
		case o.Variant == "bare" && o.Mode == protocol.ModeList:
			return &bare{machine: m, extraction: protocol.Extraction(o.Patience)}, nil
		case o.Variant == "read":
			return newReader(m, o, portal, n)
		}
		return nil, errors.Join(fmt.Errorf("there is no variant %q for the mode %q", o.Variant, o.Mode), m.Close())
	})
}

func readRecipe(name string) (recipe *scrape.Recipe, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return scrape.ReadRecipe(name, f)
}

// machine is a Chrome in a profile of its own, as a session of poscrape opens it.
type machine struct {
	browser *browser.Browser
	opener  *worker.Opener
	worker  pool.Worker
}

func launch(ctx context.Context, o protocol.Options, portal *scrape.Portal) (*machine, error) {
	chrome, err := browser.Find(ctx, o.Chrome, false)
	if err != nil {
		return nil, err
	}
	m := &machine{opener: worker.NewOpener(worker.Config{Chrome: chrome, Sandbox: browser.ChooseSandbox(os.TempDir(), chrome), OwnPages: true, Portal: portal})}
	if err := m.opener.Start(ctx); err != nil {
		return nil, err
	}
	if m.worker, err = m.opener.Open(ctx, "loop"); err != nil {
		return nil, errors.Join(err, m.opener.Close())
	}
	m.browser = m.worker.(*worker.Worker).Browser() //nolint:forcetypeassert // an Opener makes no others
	return m, nil
}

// Close ends the browser and removes its profile.
func (m *machine) Close() error {
	return errors.Join(m.worker.Close(context.Background()), m.opener.Close())
}

// bare reads with the evaluation that all tools make.
type bare struct {
	*machine
	extraction string
}

// Do reads an order.
func (b *bare) Do(ctx context.Context, order protocol.Order) (protocol.Result, error) {
	var result protocol.Result
	if _, err := b.browser.Tab().Navigate(ctx, order.URL, ""); err != nil {
		return result, err
	}
	err := b.browser.Tab().Evaluate(ctx, b.extraction, &result)
	return result, err
}
