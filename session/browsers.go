package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// findChrome looks for Chrome, once it is known that the system lets it work.
func findChrome(ctx context.Context, cfg Config) (browser.Chrome, error) {
	if err := worker.CheckAllowances(os.Geteuid() != 0); err != nil {
		return browser.Chrome{}, asEnvironment("looking at the system's limits", err)
	}
	if err := checkAuthority(cfg.CA); err != nil {
		return browser.Chrome{}, err
	}
	chrome, err := browser.Find(ctx, cfg.Chrome, cfg.Headful)
	return chrome, asEnvironment("starting Chrome", worker.MetLimit(err))
}

// checkAuthority returns an error where browsers cannot be told to trust the authority in a
// file.
func checkAuthority(file string) error {
	if file == "" {
		return nil
	}
	err := browser.CheckAuthority(file)
	var path *os.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, browser.ErrNoCertutil):
		return &EnvironmentError{Doing: "trusting " + file, Err: err}
	case errors.As(err, &path):
		err = path.Err
	}
	return &ConfigError{Field: "ca", Message: fmt.Sprintf("%s: %v", file, err)}
}

// readAndFind reads the sheet while Chrome says its version, and returns the recipes that its
// orders take. Of two errors it returns the sheet's, or that of a recipe.
func readAndFind(ctx context.Context, cfg Config, recipes setup.Recipes) (*orders.Sheet, setup.Recipes, browser.Chrome, error) {
	ctx, cancel := context.WithCancel(ctx)
	var chrome browser.Chrome
	var missing error
	var finding sync.WaitGroup
	finding.Go(func() { chrome, missing = findChrome(ctx, cfg) })
	sheet, recipes, err := readSheet(ctx, cfg, recipes)
	if err != nil {
		cancel()
	}
	finding.Wait()
	cancel()
	if err == nil {
		err = missing
	}
	return sheet, recipes, chrome, err
}

// readSheet reads the sheet, and returns it with the recipes that its orders take.
func readSheet(ctx context.Context, cfg Config, recipes setup.Recipes) (*orders.Sheet, setup.Recipes, error) {
	sheet, err := setup.ReadSheet(cfg, recipes)
	if err != nil {
		return nil, recipes, err
	}
	sheet.Input.Compare = cfg.Compare
	err = cmp.Or(recipes.CheckCompare(cfg.Compare, sheet.Input.Columns), setup.Select(ctx, cfg, sheet))
	recipes = recipes.Used(sheet)
	return sheet, recipes, cmp.Or(err, recipes.CheckColumns(sheet.Input.Columns), recipes.CheckSecrets())
}

// asEnvironment returns an error of opening workers that is this machine's as an
// *EnvironmentError, and any other as it is.
func asEnvironment(doing string, err error) error {
	if errors.As(err, new(*worker.AllowanceError)) || errors.As(err, new(*worker.TempError)) {
		return &EnvironmentError{Doing: doing, Err: err}
	}
	return err
}

// prepareBrowsers looks whether there is room for browsers, sweeps what killed
// sessions have left of theirs, and decides about the sandbox.
func (s *ProcessingSession) prepareBrowsers(ctx context.Context, chrome browser.Chrome) (sweeping, error) {
	if err := s.space.Check(); err != nil {
		return sweeping{}, err
	}
	swept := sweep(ctx, s.cfg.TempDir)
	sandbox := browser.ChooseSandbox(s.cfg.Temp(), chrome)
	if s.cfg.NoSandbox {
		sandbox = browser.NoSandbox()
	}
	if err := worker.CheckAllowances(os.Geteuid() != 0 || sandbox.UID > 0); err != nil {
		return sweeping{}, asEnvironment("looking at the system's limits", err)
	}
	if err := s.prepareSignIn(); err != nil {
		return sweeping{}, err
	}
	s.opener = worker.NewOpener(worker.Config{
		Chrome: chrome, Sandbox: sandbox, Headful: s.cfg.Headful, Proxy: s.cfg.Proxy, CA: s.cfg.CA,
		Temp: s.cfg.Temp(), MinFree: s.space.ForProfile(), Base: s.cfg.BaseProfile, Limits: s.cfg.Limits,
		Sites:   s.sites.workers(),
		Next:    s.nextPortal,
		At:      s.atPortal,
		Places:  scrape.Places{Session: s.cfg.Out, Staging: filepath.Join(s.cfg.Out, documents.StagingName), Room: s.space.Room, Evidence: s.evidence, Update: s.update(), Gallery: s.gallery},
		Breaker: s.breaker, Leaving: s.leaving, Grace: s.graceNow, DiskFault: s.space.Fault, Discard: func(res *tasks.Result) { s.documents.Discard(res) }, Warn: s.story.Warn,
		Tell:   func(e tasks.Event) { s.story.Add(context.Background(), e) },
		Failed: func(doing string, err error) { s.story.Log.Error(doing, "error", err) },
	})
	return swept, nil
}

// update returns the session that this one updates, or nil.
func (s *ProcessingSession) update() *scrape.Update {
	if s.cfg.Earlier == nil {
		return nil
	}
	return &scrape.Update{Dir: s.cfg.Earlier.Dir, Documents: s.cfg.Earlier.Documents}
}

// nextPortal returns the portal that a slot gets an order of next, where there are several.
func (s *ProcessingSession) nextPortal(ctx context.Context, slot string) string {
	if s.turns == nil {
		return ""
	}
	return s.turns.Next(ctx, slot)
}

// atPortal is told which portal the browser of a slot belongs to.
func (s *ProcessingSession) atPortal(slot, portal string) {
	if s.turns != nil {
		s.turns.At(slot, portal)
	}
}

// startBrowser opens the first worker. When it fails, nothing is left of it.
func (s *ProcessingSession) startBrowser(ctx context.Context) error {
	return asEnvironment("starting Chrome", s.opener.Start(ctx))
}
