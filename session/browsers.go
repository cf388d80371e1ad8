package session

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// readAndFind reads the sheet while Chrome says its version, and returns the recipes that its
// orders take. Of two errors it returns the sheet's, or that of a recipe.
func readAndFind(ctx context.Context, cfg Config, recipes setup.Recipes, on machine) (*orders.Sheet, setup.Recipes, browser.Chrome, error) {
	ctx, cancel := context.WithCancel(ctx)
	var chrome browser.Chrome
	var missing error
	var finding sync.WaitGroup
	finding.Go(func() { chrome, missing = on.find(ctx, cfg) })
	sheet, recipes, err := readSheet(ctx, cfg, recipes)
	if err != nil {
		cancel()
	}
	finding.Wait()
	cancel()
	if err == nil {
		err = asEnvironment(lookingForChrome, missing)
	}
	return sheet, recipes, chrome, err
}

const lookingForChrome = "looking for Chrome"

func (s *ProcessingSession) findChrome(ctx context.Context) (browser.Chrome, error) {
	chrome, err := s.machine.find(ctx, s.cfg)
	return chrome, asEnvironment(lookingForChrome, err)
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
	return sheet, recipes, cmp.Or(err, recipes.CheckColumns(sheet.Input.Columns), recipes.Admit(cfg, false))
}

// asEnvironment returns an error of opening workers that is this machine's as an
// *EnvironmentError, and any other as it is.
func asEnvironment(doing string, err error) error {
	if errors.As(err, new(*worker.AllowanceError)) || errors.As(err, new(*worker.TempError)) || errors.Is(err, browser.ErrNoCertutil) {
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
	cfg, err := s.machine.prepare(ctx, s.cfg, chrome)
	if err != nil {
		return sweeping{}, asEnvironment("looking at the system's limits", err)
	}
	var containers []string
	var containersErr error
	if cfg.Engine != nil { // before the profiles, which are in use as long as a container runs
		containers, containersErr = cfg.Engine.Sweep(ctx)
	}
	swept := s.machine.sweep(ctx, s.cfg.TempDir)
	swept.containers, swept.containersErr = containers, containersErr
	if cfg.NoEngine != nil && cfg.Required {
		return sweeping{}, &worker.IsolationError{Why: cfg.NoEngine}
	}
	if err := s.portals.PrepareSignIn(); err != nil {
		return sweeping{}, err
	}
	cfg.MinFree, cfg.Places = s.space.ForProfile(), s.places
	cfg.Sites, cfg.Next, cfg.At = s.portals.Sites(), s.portals.Next, s.portals.At
	cfg.Breaker, cfg.Leaving, cfg.Grace = s.breaker, s.life.Leaving, s.life.Grace
	cfg.DiskFault, cfg.Discard = s.space.Fault, func(res *tasks.Result) { s.documents.Discard(res) }
	cfg.Tell, cfg.Warn = func(e tasks.Event) { s.story.Add(context.Background(), e) }, s.story.Warn
	cfg.Failed = func(doing string, err error) { s.story.Log.Error(doing, "error", err) }
	s.workers = s.machine.workers(cfg)
	return swept, nil
}

// startBrowser opens the first worker. When it fails, nothing is left of it.
func (s *ProcessingSession) startBrowser(ctx context.Context) error {
	return asEnvironment("starting Chrome", s.workers.Start(ctx))
}
