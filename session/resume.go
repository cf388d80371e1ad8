package session

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/proofs"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/space"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// FolderError says why a folder is no session that can be gone on with.
type FolderError = folder.Error

// Resume opens the session in a folder again, to go on where it stopped: orders
// that were in progress are due at once, and their attempts do not count; those
// that have ended stay as they are, but for the outcomes in cfg.Retry. It becomes
// the folder's one owner. It returns a *FolderError for a folder that holds no
// session, a *ledger.OwnedError while another process works on it, a
// *ledger.FileError for a damaged ledger, and the errors of Open. Then nothing of
// what was recorded has changed, but for orders that were put back or got their proof.
func Resume(ctx context.Context, dir string, cfg ResumeConfig) (*ProcessingSession, error) {
	return resume(ctx, dir, cfg, chromes{})
}

func resume(ctx context.Context, dir string, cfg ResumeConfig, on machine) (*ProcessingSession, error) {
	dir, err := folder.FindOwn(dir)
	if err != nil {
		return nil, err
	}
	mended, err := mendedRecipes(cfg)
	if err != nil {
		return nil, err
	}
	f, err := folder.Take(dir)
	if err != nil {
		return nil, explained(err, Config{Out: dir})
	}
	was, err := setup.Read(ctx, f.Ledger, dir)
	if err != nil {
		return nil, explained(errors.Join(err, f.Close()), Config{Out: dir})
	}
	next, recipes, err := was.Next(cfg, mended)
	if err == nil {
		next, err = next.WithEarlier(ctx)
	}
	if err == nil {
		err = recipes.Admit(next, true)
	}
	if err == nil {
		err = lookUpAgain(ctx, f, &next, recipes, on)
	}
	if err != nil {
		return nil, explained(errors.Join(err, f.Close()), next)
	}
	s := assemble(next, was.Record, recipes, on)
	s.killed = was.Killed
	if err := s.takeUp(ctx, f, cfg, recipes, was.Dropped); err != nil {
		s.story.Told()
		return nil, explained(errors.Join(err, s.closeBrowsers(), f.Close()), next)
	}
	return s, nil
}

// lookUpAgain looks up where the orders of a folder lead, before the first page: whoever has made the folder
// says what they are.
func lookUpAgain(ctx context.Context, f *folder.Folder, cfg *Config, recipes setup.Recipes, on machine) error {
	if !cfg.LooksUpAgain(recipes) {
		return nil
	}
	var list []orders.PurchaseOrder
	err := f.Ledger.Each(ctx, func(t *tasks.ProcessingTask) error {
		list = append(list, orders.PurchaseOrder{URL: t.URL, Portal: t.Portal})
		return nil
	})
	if err == nil {
		on.lookUpAgain(ctx, cfg, list, recipes)
	}
	return err
}

// mendedRecipes returns the recipes that take the place of the session's own, if any are named.
func mendedRecipes(cfg ResumeConfig) (setup.Recipes, error) {
	if cfg.Recipe == "" {
		return nil, nil
	}
	return setup.ReadRecipes(Config{RecipeFile: cfg.Recipe, MoreRecipes: cfg.MoreRecipes})
}

// explained returns an error that comes of a disk as one that says of which.
func explained(err error, cfg Config) error {
	if disk.FaultOf(err) == "" {
		return err
	}
	return space.New(cfg.Out, cfg.Temp(), cfg.MinFree).Explain(err)
}

// takeUp enters the folder of an earlier run, and brings it into the state in which work can
// go on.
func (s *ProcessingSession) takeUp(ctx context.Context, f *folder.Folder, cfg ResumeConfig, recipes setup.Recipes, dropped []string) error {
	if err := s.enter(f); err != nil {
		return err
	}
	var swept sweeping
	var err error
	if cfg.Recipe != "" { // what is wrong with its selectors must be known before anything changes
		if err := f.Ledger.Each(ctx, func(task *tasks.ProcessingTask) error {
			s.portals.SeeAddress(task.Portal, task.URL)
			return nil
		}); err != nil {
			return err
		}
		if swept, err = s.openBrowsers(ctx); err != nil {
			return err
		}
	}
	stats, earlier, err := s.restore(ctx, cfg, recipes)
	if err != nil {
		return err
	}
	s.tally.Begin(stats)
	switch {
	case s.workers != nil:
	case stats.Open() == 0:
		swept = s.machine.sweep(ctx, s.cfg.TempDir) // what opening browsers begins with
	default:
		if swept, err = s.openBrowsers(ctx); err != nil {
			return err
		}
	}
	if s.workers != nil {
		s.workers.Recall(earlier)
	}
	if err := s.documents.Prepare(); err != nil {
		return err
	}
	if dropped := setup.DroppedText(s.cfg.Out, dropped); dropped != "" {
		s.story.Warn("%s", dropped)
	}
	s.resumeNotices(stats)
	s.introduce(recipes)
	s.tellSwept(ctx, swept)
	return nil
}

// openBrowsers finds Chrome and starts the first browser.
func (s *ProcessingSession) openBrowsers(ctx context.Context) (sweeping, error) {
	chrome, err := s.findChrome(ctx)
	if err != nil {
		return sweeping{}, err
	}
	swept, err := s.prepareBrowsers(ctx, chrome)
	if err != nil {
		return sweeping{}, err
	}
	if err = s.startBrowser(ctx); err != nil {
		return sweeping{}, err
	}
	s.life.Change(func(r *tasks.Session) { r.Chrome, r.Sandbox = chrome.Version, s.workers.Sandboxed().String() })
	return swept, nil
}

// restore brings the folder and the ledger into the state in which work can go
// on, and counts what is to be done. It returns what the workers of earlier runs did, too.
func (s *ProcessingSession) restore(ctx context.Context, cfg ResumeConfig, recipes setup.Recipes) (stats tasks.Stats, earlier map[string]tasks.Worker, err error) {
	l := s.folder.Ledger
	if err = s.documents.Recover(ctx); err != nil {
		return stats, nil, err
	}
	stats, err = l.Stats(ctx)
	if err == nil && stats.Total == 0 && s.life.Record().Input.Rows > 0 {
		err = s.enqueueAgain(ctx, recipes)
	}
	if err == nil {
		err = s.repair(ctx)
	}
	if err == nil {
		err = putBackAsked(ctx, l, cfg, recipes)
	}
	if err != nil {
		return stats, nil, err
	}
	var last proofs.LastFetched
	portals := s.portals.ByName()
	err = l.Each(ctx, func(task *tasks.ProcessingTask) error {
		last.Add(task)
		s.proofs.Restore(task)
		s.places.Evidence.Remember(task)
		portals[task.Portal].Recall(task, s.killed)
		s.documents.Restore(task)
		s.changes.Rows(task.Rows)
		s.portals.SeeNumber(task.PO)
		s.portals.SeeRows(task.Portal, task.Rows)
		s.portals.SeeAddress(task.Portal, task.URL)
		s.cfg.Earlier.Expect(task.PO)
		return nil
	})
	if err == nil {
		err = s.changes.RememberOwn(ctx, l)
		s.changes.Begin()
	}
	if s.killed {
		last.Adopt(portals)
	}
	if err == nil {
		err = s.proofs.ProveAll(ctx)
	}
	if err == nil {
		earlier, err = s.takeOverWorkers(ctx)
	}
	if err == nil {
		err = s.breaker.Load(ctx, l)
	}
	if err == nil {
		stats, err = l.Stats(ctx)
	}
	if err == nil && s.killed && stats.Open() == 0 { // else that is done when the queue is drained
		if _, err = s.putBack(ctx, false); err == nil {
			stats, err = l.Stats(ctx)
		}
	}
	return stats, earlier, err
}

// putBackAsked puts back the orders that a person wants read again.
func putBackAsked(ctx context.Context, l *ledger.Ledger, cfg ResumeConfig, recipes setup.Recipes) error {
	var unconfirmed []uuid.UUID
	if cfg.Unconfirmed { // before others are put back, which may be what confirms them
		var err error
		if unconfirmed, err = unconfirmedIn(ctx, l, recipes); err != nil {
			return err
		}
	}
	if len(cfg.Retry) > 0 {
		if _, err := l.Retry(ctx, cfg.Retry...); err != nil {
			return err
		}
	}
	_, err := l.Confirm(ctx, unconfirmed...)
	return err
}

// unconfirmedIn returns the orders of a session that ended well and are not confirmed. Those that have documents are
// left out where their recipe asks for none: to read them by that would only lose what they have.
func unconfirmedIn(ctx context.Context, l *ledger.Ledger, recipes setup.Recipes) (ids []uuid.UUID, err error) {
	asks := map[string]bool{}
	for _, r := range recipes {
		asks[r.Portal] = scrape.NewPortal(r.Recipe, nil).LooksForDocuments()
	}
	err = report.Judge(ctx, l, func(t *tasks.ProcessingTask, _ *tasks.Proof, confirmed bool) {
		if !confirmed && (asks[t.Portal] || len(t.Result.Attachments) == 0) {
			ids = append(ids, t.ID)
		}
	})
	return ids, err
}

// enqueueAgain reads the sheet once more, for a session that was killed before
// its orders were stored.
func (s *ProcessingSession) enqueueAgain(ctx context.Context, recipes setup.Recipes) error {
	sheet, err := setup.ReadSheetAgain(ctx, s.cfg, recipes, s.life.Record().Input)
	if err != nil {
		return err
	}
	cfg := s.cfg
	if err := s.machine.lookUp(ctx, &cfg, sheet, recipes); err != nil {
		return err
	}
	_, err = s.folder.Ledger.Enqueue(ctx, sheet.Specs()...)
	return err
}

// takeOverWorkers remembers what the workers of earlier runs have done, and notes
// that they are not at work any more.
func (s *ProcessingSession) takeOverWorkers(ctx context.Context) (map[string]tasks.Worker, error) {
	workers, err := s.folder.Ledger.Workers(ctx)
	if err != nil {
		return nil, err
	}
	before := map[string]tasks.Worker{}
	for _, w := range workers {
		before[w.ID] = w
		if w.State == string(pool.WorkerCompleted) {
			continue
		}
		w.State, w.Task, w.Draining, w.Error = string(pool.WorkerCompleted), "", false, "its run was killed"
		if err := s.folder.Ledger.SaveWorker(ctx, w); err != nil {
			return nil, err
		}
	}
	return before, nil
}

// resumeNotices tells what a person should know before the work goes on.
func (s *ProcessingSession) resumeNotices(stats tasks.Stats) {
	if stats.Open() == 0 {
		s.story.Inform("nothing is left to do: every order of this session has ended")
		return
	}
	s.story.Inform("going on with %d of %d orders", stats.Open(), stats.Total)
	s.sandboxNotice()
}
