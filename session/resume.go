package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// ResumeConfig says how a session is gone on with. Everything else the session
// remembers.
type ResumeConfig struct {
	// Retry lists outcomes whose orders are put back, with fresh attempts. Only
	// orders that have ended, and not well, can be.
	Retry []tasks.Outcome
	// Adjust changes the settings that the session remembers, for this run and
	// those after it. Nil: nothing changes.
	Adjust func(*Config)
	// Recipe is the file of a recipe that takes the place of the session's own, for this
	// run and those after it. Empty: the session goes on with the one that it remembers.
	Recipe string
	// Version of poscrape, for the report.
	Version string
	// OnProgress, OnNotice and Logger are as in Config.
	OnProgress func(Progress)
	OnNotice   func(Notice)
	Logger     *slog.Logger
}

// FolderError says why a folder is no session that can be gone on with.
type FolderError struct {
	Dir     string
	Problem string
	Err     error
}

func (e *FolderError) Error() string {
	text := fmt.Sprintf("%s %s", e.Dir, e.Problem)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the error behind it.
func (e *FolderError) Unwrap() error { return e.Err }

// Resume opens the session in a folder again, to go on where it stopped: orders
// that were in progress are due at once, and their attempts do not count; those
// that have ended stay as they are, but for the outcomes in cfg.Retry. It becomes
// the folder's one owner. It returns a *FolderError for a folder that holds no
// session, a *ledger.OwnedError while another process works on it, a
// *ledger.FileError for a damaged ledger, and the errors of Open. Then nothing of
// what was recorded has changed, but for orders that were put back or got their proof.
func Resume(ctx context.Context, dir string, cfg ResumeConfig) (_ *ProcessingSession, err error) {
	dir, err = sessionDir(dir)
	if err != nil {
		return nil, err
	}
	mended, text, err := readMended(cfg.Recipe)
	if err != nil {
		return nil, err
	}
	s := &ProcessingSession{dir: dir, story: &story.Story{OnNotice: cfg.OnNotice}}
	s.story.Struck = s.struck
	var undo undoing
	defer func() {
		if err != nil {
			err = undo.all(err)
		}
		if disk.FaultOf(err) != "" {
			err = explain(openVolumes(s.cfg, dir), dir, err)
		}
	}()
	if err = s.openFolder(&undo); err != nil {
		return nil, err
	}
	recipe, err := s.recall(ctx, cfg, mended, text)
	if err != nil {
		return nil, err
	}
	if err = s.openLog(); err != nil {
		return nil, err
	}
	undo.add(s.logFile.Close)
	s.closeFolder()
	s.evidence = s.newEvidence()
	s.evidence.Open(s.root)
	s.portal = s.newPortal(recipe, s.record.Input.Columns)
	s.record.Mode, s.record.Selectors = string(s.portal.Mode()), s.portal.Selectors()
	s.tally = progress.New(s.cfg.OnProgress, s.cfg.Workers)
	s.proofs = s.newProofs()
	s.documents = s.newDocuments()
	s.breaker = newBreaker(s.cfg)
	s.volumes = openVolumes(s.cfg, dir)
	if cfg.Recipe != "" { // what is wrong with its selectors must be known before anything changes
		if err = s.openBrowsers(ctx, &undo); err != nil {
			return nil, err
		}
	}
	stats, err := s.restore(ctx, recipe, cfg.Retry)
	if err != nil {
		return nil, err
	}
	s.tally.Begin(stats)
	switch {
	case s.opener != nil:
	case stats.Open() == 0:
		s.sweep(ctx) // what opening browsers begins with
	default:
		if err = s.openBrowsers(ctx, &undo); err != nil {
			return nil, err
		}
	}
	if err = s.documents.Prepare(); err != nil {
		return nil, err
	}
	s.resumeNotices(stats)
	s.tellSwept(ctx)
	return s, nil
}

// openFolder becomes the owner of the session's folder.
func (s *ProcessingSession) openFolder(undo *undoing) (err error) {
	if err = refuseLinks(s.dir); err != nil {
		return err
	}
	if s.ledger, err = ledger.OpenExisting(filepath.Join(s.dir, ledgerName)); err != nil {
		return err
	}
	undo.add(s.ledger.Close)
	s.story.Events = s.ledger
	if s.root, err = os.OpenRoot(s.dir); err != nil {
		return &FolderError{Dir: s.dir, Problem: "cannot be entered", Err: err}
	}
	undo.add(s.root.Close)
	return nil
}

// openBrowsers finds Chrome and starts the first browser.
func (s *ProcessingSession) openBrowsers(ctx context.Context, undo *undoing) error {
	chrome, err := findChrome(ctx, s.cfg)
	if err != nil {
		return err
	}
	if err = s.prepareBrowsers(ctx, chrome); err != nil {
		return err
	}
	if err = s.startBrowser(ctx); err != nil {
		return err
	}
	undo.add(s.opener.Close)
	s.record.Chrome, s.record.Sandbox = s.opener.Chrome.Version, s.opener.Sandbox.String()
	return nil
}

// readMended reads the recipe that replaces the session's, if one is named.
func readMended(file string) (*scrape.Recipe, string, error) {
	if file == "" {
		return nil, "", nil
	}
	return readRecipe(file)
}

// sessionDir returns the absolute path of a folder that holds a ledger.
func sessionDir(name string) (string, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return "", &FolderError{Dir: name, Problem: "cannot be found", Err: err}
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", &FolderError{Dir: name, Problem: "does not exist; name the folder of a session, as below poscrape-out"}
	case err != nil:
		return "", &FolderError{Dir: name, Problem: "cannot be used", Err: errors.New(reason(err))}
	case !info.IsDir():
		return "", &FolderError{Dir: name, Problem: "is no folder; name the folder of a session, as below poscrape-out"}
	}
	if _, err := os.Stat(filepath.Join(dir, ledgerName)); err != nil {
		return "", &FolderError{Dir: name, Problem: fmt.Sprintf("is not the folder of a session: there is no %s in it", ledgerName)}
	}
	return dir, nil
}

// recall reads from the ledger how the session was started. Where a mended recipe is
// given, with its text, that is what the session remembers from now on.
func (s *ProcessingSession) recall(ctx context.Context, cfg ResumeConfig, mended *scrape.Recipe, text string) (*scrape.Recipe, error) {
	record, err := s.ledger.Session(ctx)
	if errors.Is(err, tasks.ErrNotFound) {
		return nil, &FolderError{Dir: s.dir, Problem: "was stopped before its orders were stored, so none was begun; remove it and run the sheet again"}
	}
	if err != nil {
		return nil, err
	}
	var was remembered
	if err := json.Unmarshal(record.Config, &was); err != nil {
		return nil, &FolderError{Dir: s.dir, Problem: "does not say how it was started", Err: err}
	}
	s.cfg, s.record = was.Config, record
	s.killed = record.Status == tasks.SessionRunning || record.Status == tasks.SessionPaused
	if cfg.Adjust != nil {
		cfg.Adjust(&s.cfg)
	}
	if err := s.cfg.Validate(); err != nil {
		return nil, err
	}
	s.cfg.Out, s.cfg.OnProgress, s.cfg.OnNotice, s.cfg.Logger = s.dir, cfg.OnProgress, cfg.OnNotice, cfg.Logger
	s.cfg.Version = cfg.Version
	recipe := scrape.AutoRecipe()
	switch {
	case mended != nil:
		if err := mended.CheckFolder(s.record.Input.Columns); err != nil {
			return nil, err
		}
		recipe, was.Recipe, s.cfg.RecipeFile = mended, text, cfg.Recipe
	case was.Recipe != "":
		if recipe, err = scrape.ReadRecipe(was.RecipeFile, strings.NewReader(was.Recipe)); err != nil {
			return nil, fmt.Errorf("reading the recipe that the session was started with: %w", err)
		}
	}
	if s.record.Config, err = remember(s.cfg, was.Recipe); err != nil {
		return nil, err
	}
	s.refresh()
	return recipe, nil
}

// refresh makes the session's record that of another run.
func (s *ProcessingSession) refresh() {
	r := &s.record
	s.revive()
	r.Resumed++
	r.Reason, r.EndedAt, r.Cleanup = "", time.Time{}, tasks.Cleanup{}
	r.Version, r.Workers = s.cfg.Version, s.cfg.Workers
	if host, err := os.Hostname(); err == nil {
		r.Host = host
	}
}

// restore brings the folder and the ledger into the state in which work can go
// on, and counts what is to be done.
func (s *ProcessingSession) restore(ctx context.Context, recipe *scrape.Recipe, retry []tasks.Outcome) (tasks.Stats, error) {
	if err := s.documents.Recover(ctx); err != nil {
		return tasks.Stats{}, err
	}
	stats, err := s.ledger.Stats(ctx)
	if err == nil && stats.Total == 0 && s.record.Input.Rows > 0 {
		err = s.enqueueAgain(ctx, recipe)
	}
	if err == nil {
		err = s.repair(ctx)
	}
	if err == nil && len(retry) > 0 {
		_, err = s.ledger.Retry(ctx, retry...)
	}
	if err != nil {
		return tasks.Stats{}, err
	}
	var last lastFetched
	err = s.ledger.Each(ctx, func(task *tasks.ProcessingTask) error {
		last.add(task)
		s.proofs.restore(task)
		s.evidence.Remember(task)
		s.portal.Recall(task, s.killed)
		s.documents.Restore(task)
		return nil
	})
	if s.killed {
		last.adopt(s.portal)
	}
	if err == nil {
		err = s.proofs.proveAll(ctx)
	}
	if err == nil {
		err = s.takeOverWorkers(ctx)
	}
	if err == nil {
		err = s.breaker.Load(ctx, s.ledger)
	}
	if err != nil {
		return tasks.Stats{}, err
	}
	return s.ledger.Stats(ctx)
}

// enqueueAgain reads the sheet once more, for a session that was killed before
// its orders were stored.
func (s *ProcessingSession) enqueueAgain(ctx context.Context, recipe *scrape.Recipe) error {
	lost := &FolderError{Dir: s.dir, Problem: "was stopped before its orders were stored, so none was begun; remove it and run the sheet again"}
	if s.cfg.File == "-" {
		return lost
	}
	sheet, err := readSheet(s.cfg, recipe)
	if err != nil {
		lost.Err = err
		return lost
	}
	if sheet.Input.SHA256 != s.record.Input.SHA256 {
		lost.Problem += " (the sheet " + s.cfg.File + " has changed since)"
		return lost
	}
	_, err = s.ledger.Enqueue(ctx, sheet.Specs()...)
	return err
}

// takeOverWorkers remembers what the workers of earlier runs have done, and notes
// that they are not at work any more.
func (s *ProcessingSession) takeOverWorkers(ctx context.Context) error {
	workers, err := s.ledger.Workers(ctx)
	if err != nil {
		return err
	}
	s.before = map[string]tasks.Worker{}
	for _, w := range workers {
		s.before[w.ID] = w
		if w.State == string(pool.WorkerCompleted) {
			continue
		}
		w.State, w.Task, w.Draining, w.Error = string(pool.WorkerCompleted), "", false, "its run was killed"
		if err := s.ledger.SaveWorker(ctx, w); err != nil {
			return err
		}
	}
	return nil
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

// undoing is what has to be undone when something later fails, the last first.
type undoing []func() error

func (u *undoing) add(f func() error) { *u = append(*u, f) }

func (u *undoing) all(err error) error {
	for i := len(*u) - 1; i >= 0; i-- {
		err = errors.Join(err, (*u)[i]())
	}
	return err
}
