package session

import (
	"context"
	"errors"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/session/changes"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/proofs"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/space"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/session/turns"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// ErrClosed is returned for a session that was closed or has run.
var ErrClosed = errors.New("the session has ended")

// ProcessingSession is one run.
type ProcessingSession struct {
	// cfg.Out is the session folder, absolute.
	cfg       Config
	folder    *folder.Folder
	story     *story.Story
	tally     *progress.Tally
	space     *space.Guard
	recipes   setup.Recipes
	sites     sites
	evidence  *scrape.Evidence
	gallery   *scrape.Gallery
	breaker   *breaker.Breaker
	proofs    *proofs.Queue
	turns     *turns.Queue // nil where there is only one portal
	documents *documents.Store
	changes   *changes.Watch
	opener    *worker.Opener // nil where nothing is left to do
	// first is used by the pool's goroutine of events alone.
	first firstEnds
	life
}

// assemble puts together the parts of the session in a folder, which need not be there yet.
// Those that need it are put in by enter.
func assemble(cfg Config, record tasks.Session, recipes setup.Recipes) *ProcessingSession {
	s := &ProcessingSession{cfg: cfg, recipes: recipes, life: life{record: record, over: make(chan struct{})}}
	s.space = space.New(cfg.Out, cfg.Temp(), cfg.MinFree)
	s.space.Halt = s.halt
	s.story = &story.Story{OnNotice: cfg.OnNotice, Struck: s.space.Struck}
	s.tally = progress.New(cfg.OnProgress, cfg.Workers)
	s.breaker = newBreaker(cfg)
	s.evidence = s.newEvidence()
	s.gallery = scrape.NewGallery()
	s.sites = s.newSites(recipes)
	s.record.Mode, s.record.Selectors = string(s.sites.mode()), s.sites.selectors()
	s.record.Fields = recipes.Fields()
	s.changes = s.newChanges()
	return s
}

// enter puts in the parts that need the session's folder, and makes the ledger of a new one.
// It returns a *ConfigError if the log cannot be written.
func (s *ProcessingSession) enter(f *folder.Folder) error {
	s.folder = f
	if err := f.CloseToOthers(scrape.EvidenceDir); err != nil {
		s.story.Warn("the session folder could not be closed to others: %v", err)
	}
	log, err := f.OpenLog(s.cfg.LogFile, s.cfg.Logger)
	if err != nil && s.cfg.LogFile == "" {
		return &ConfigError{Field: "out", Message: err.Error()}
	}
	if err != nil {
		return &ConfigError{Field: "log-file", Message: err.Error()}
	}
	s.story.Log = log.With("session", s.record.ID)
	if f.Ledger == nil {
		if err := f.MakeLedger(); err != nil {
			return err
		}
	}
	s.story.Events = f.Ledger
	s.evidence.Open(f.Root)
	s.proofs = s.newProofs()
	if s.sites.several() {
		s.turns = turns.New(s.proofs, s.sites.names())
		s.tally.Aside(s.aside)
	}
	s.documents = documents.New(documents.Config{Dir: f.Dir, Root: f.Root, Queue: f.Ledger, Log: s.story.Log, Struck: s.space.Struck})
	s.space.InPlace = func() error { return errors.Join(f.InPlace(), s.documents.InPlace()) }
	return nil
}

// Dir returns the session folder.
func (s *ProcessingSession) Dir() string { return s.cfg.Out }

// Gallery returns what the workers' browsers show, for who looks on.
func (s *ProcessingSession) Gallery() *scrape.Gallery { return s.gallery }

// Close frees what Open made, if Run was not called, and leaves the session
// folder as it is. It may be called twice.
func (s *ProcessingSession) Close() error {
	s.mu.Lock()
	ended := s.ended
	s.ended = true
	s.mu.Unlock()
	if ended {
		return nil
	}
	defer s.markEnded()
	defer s.story.Told()
	return errors.Join(s.closeBrowsers(), s.release())
}

// closeBrowsers ends what startBrowser has begun, if anything.
func (s *ProcessingSession) closeBrowsers() error {
	if s.opener == nil {
		return nil
	}
	return s.opener.Close()
}

// release closes everything that is open for as long as the session lives.
func (s *ProcessingSession) release() error {
	if err := s.documents.Recover(context.Background()); err != nil {
		s.story.Log.Error("clearing the staging directory; resuming the session tries again", "error", err)
	}
	return s.folder.Close()
}
