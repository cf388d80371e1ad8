package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/internal/trust"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/space"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// Open reads the sheet and the recipe, finds Chrome, and makes the session folder
// with the orders in its ledger while Chrome starts. It returns errors that
// say what cannot be used: *ConfigError, *orders.FileError, *orders.OptionError,
// *scrape.RecipeError, *scrape.SecretError, browser.ErrNoChrome, browser.ErrLaunch and those of
// package profiles; and then leaves nothing behind.
func Open(ctx context.Context, cfg Config) (*ProcessingSession, error) {
	return open(ctx, cfg, chromes{})
}

func open(ctx context.Context, cfg Config, on machine) (*ProcessingSession, error) {
	cfg, recipes, err := setup.Complete(ctx, cfg)
	if err != nil {
		return nil, err
	}
	sheet, recipes, chrome, err := readAndFind(ctx, cfg, recipes, on)
	if err != nil {
		return nil, err
	}
	if err := recipes.Admit(cfg, true); err != nil {
		return nil, err
	}
	if err := on.lookUp(ctx, &cfg, sheet, recipes); err != nil {
		return nil, err
	}
	if !recipes.Several() {
		cfg.RecipeFile, cfg.MoreRecipes = recipes[0].File, nil
	} else if cfg.Earlier != nil && cfg.RecipeFile == "" {
		cfg.RecipeFile, cfg.MoreRecipes = cfg.Earlier.RecipeFile, cfg.Earlier.MoreRecipes
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("making an id: %w", err)
	}
	if cfg.Out, err = folder.Choose(cfg.Out, DefaultPlace, id); err != nil {
		if errors.As(err, new(*ledger.OwnedError)) {
			return nil, err
		}
		return nil, &ConfigError{Field: "out", Message: err.Error()}
	}
	host, _ := os.Hostname() // only shown in the report
	s := assemble(cfg, tasks.Session{ID: id, Status: tasks.SessionInitializing, StartedAt: time.Now(), Version: cfg.Version,
		Chrome: chrome.Version, Host: host, Workers: cfg.Workers, Input: sheet.Input, Update: cfg.Update}, recipes, on)
	for _, o := range sheet.Orders {
		s.portals.SeeAddress(o.Portal, o.URL)
	}
	swept, err := s.prepareBrowsers(ctx, chrome)
	if err != nil {
		return nil, err
	}
	remembered, err := setup.Remember(s.cfg, recipes)
	if err != nil {
		return nil, err
	}
	s.life.Change(func(r *tasks.Session) { r.Config = remembered })
	if err := s.begin(ctx, sheet); err != nil {
		s.story.Told()
		return nil, err
	}
	s.life.Change(func(r *tasks.Session) { r.Sandbox = s.workers.Sandboxed().String() })
	s.notices(sheet)
	s.introduce(recipes)
	s.tellSwept(ctx, swept)
	return s, nil
}

// begin starts the first browser and makes the session folder beside it. When
// either fails, nothing is left of both.
func (s *ProcessingSession) begin(ctx context.Context, sheet *orders.Sheet) error {
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error { return s.lay(ctx, sheet) })
	both.Go(func() error { return s.startBrowser(ctx) })
	both.Go(func() error {
		for _, o := range sheet.Orders {
			s.changes.Rows(o.Rows)
			s.portals.SeeNumber(o.Number)
			s.portals.SeeRows(o.Portal, o.Rows)
			s.cfg.Earlier.Expect(o.Number)
		}
		s.rememberEarlier(ctx)
		s.changes.Begin()
		return nil
	})
	err := both.Wait()
	if err == nil {
		return nil
	}
	err = errors.Join(err, s.closeBrowsers())
	if s.folder != nil {
		err = errors.Join(err, s.folder.Undo())
	}
	return err
}

// lay makes the session folder and what is in it from the start. When it fails, what it
// has made is gone.
func (s *ProcessingSession) lay(ctx context.Context, sheet *orders.Sheet) error {
	f, err := folder.Make(s.cfg.Out)
	if failed := (*folder.MakeError)(nil); errors.As(err, &failed) {
		return &ConfigError{Field: "out", Message: s.cfg.Out + " " + failed.Error()}
	}
	if err == nil {
		if err = s.furnish(ctx, f, sheet); err != nil {
			err, s.folder = errors.Join(err, f.Undo()), nil
		}
	}
	switch fault := disk.FaultOf(err); {
	case fault != "":
		return &EnvironmentError{Doing: fmt.Sprintf("the disk of %s %s; see to that, or name another folder with --out", s.cfg.Out, fault), Err: err}
	case space.IsStorage(err):
		return &EnvironmentError{Doing: "making the session folder; another can be named with --out", Err: err}
	}
	return err
}

// furnish stores the orders in a new session folder.
func (s *ProcessingSession) furnish(ctx context.Context, f *folder.Folder, sheet *orders.Sheet) error {
	if err := s.enter(f); err != nil {
		return err
	}
	if err := s.documents.Prepare(); err != nil {
		return err
	}
	if err := f.Ledger.SaveSession(ctx, s.life.Record()); err != nil {
		return err
	}
	specs := sheet.Specs()
	if _, err := f.Ledger.Enqueue(ctx, specs...); err != nil {
		return err
	}
	stats, err := f.Ledger.Stats(ctx)
	if err != nil {
		return err
	}
	s.tally.Begin(stats)
	s.breaker.Begin(specs)
	return nil
}

// maxNoticedRows is how many unusable rows are named one by one.
const maxNoticedRows = 5

// notices tells what a person should know before the work begins.
func (s *ProcessingSession) notices(sheet *orders.Sheet) {
	for _, note := range sheet.Notes {
		s.story.Inform("%s", note)
	}
	for i, p := range sheet.Problems {
		s.story.Log.Warn("a row of the input has a problem", "problem", p.Error(), "usable", p.Warning)
		if i < maxNoticedRows {
			s.story.Warn("%s", p.Error())
		}
	}
	if more := len(sheet.Problems) - maxNoticedRows; more > 0 {
		s.story.Warn("%d more rows have problems; the report names each", more)
	}
	s.sandboxNotice()
}

// introduce says what its recipes take of the user, the first time that they do, and what it
// costs where it cannot be known later that the session was made here.
func (s *ProcessingSession) introduce(recipes setup.Recipes) {
	for _, text := range recipes.Introduce(s.cfg) {
		s.story.Log.Info(text)
		s.story.Inform("%s", text)
	}
	for _, text := range s.portals.LeftOut() {
		s.story.Log.Info(text)
	}
	if err := trust.Open().Err(); err != nil {
		s.story.Warn("%v; nothing will show that this session was made here, so that its settings have to be typed again when it is resumed", err)
	}
	if e := s.cfg.Earlier; e != nil && e.Foreign {
		s.story.Warn("%s was made elsewhere, so no document is copied from there: all are fetched", e.Dir)
	}
}

func (s *ProcessingSession) sandboxNotice() {
	if why := s.workers.Uncontained(); why != "" {
		s.story.WarnAndAdd(context.Background(), why)
	}
	if sandbox := s.workers.Sandboxed(); !sandbox.On {
		s.story.Warn("Chrome runs without its sandbox: %s", sandbox.Why)
	}
}
