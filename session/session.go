package session

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/poscrape/poscrape/internal/gallery"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/session/changes"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/life"
	"github.com/poscrape/poscrape/session/portals"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/session/proofs"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/space"
	"github.com/poscrape/poscrape/session/story"
	"github.com/poscrape/poscrape/tasks"
)

// SignInAsked is a sign-in that only a person can make.
type SignInAsked = setup.SignInAsked

// ProcessingSession is one run.
type ProcessingSession struct {
	// cfg.Out is the session folder, absolute.
	cfg     Config
	life    *life.Life
	story   *story.Story
	tally   *progress.Tally
	space   *space.Guard
	portals *portals.Portals
	breaker *breaker.Breaker
	changes *changes.Watch
	places  scrape.Places
	machine machine
	workers workers // nil where nothing is left to do
	stored
	pause     pause
	confirmed confirmations
}

// stored is what is in the session's folder; see enter.
type stored struct {
	folder    *folder.Folder
	proofs    *proofs.Queue
	queue     tasks.TaskQueue // the pool's
	documents *documents.Store
	// killed: the last run was, or left orders that nothing has confirmed.
	killed bool
}

// pause is one that a person has begun.
type pause struct {
	mu    sync.Mutex
	begun bool
	// end ends it, and is nil until it has begun.
	end func(why string)
}

// begin reports whether there is none yet, and notes that there is one now.
func (p *pause) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := !p.begun
	p.begun = true
	return first
}

// set notes what ends it, or with nil that it did not begin.
func (p *pause) set(end func(why string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun, p.end = end != nil, end
}

// take returns what ends it, for the caller to do so, or nil without one.
func (p *pause) take() (end func(why string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if end = p.end; end != nil {
		p.begun, p.end = false, nil
	}
	return end
}

// assemble puts together the parts of the session in a folder, which need not be there yet.
// Those that need it are put in by enter.
func assemble(cfg Config, record tasks.Session, recipes setup.Recipes, on machine) *ProcessingSession {
	s := &ProcessingSession{cfg: cfg, machine: on, space: space.New(cfg.Out, cfg.Temp(), cfg.MinFree)}
	s.space.Halt = s.halt
	s.story = &story.Story{OnNotice: cfg.OnNotice, Struck: s.space.Struck}
	s.tally = progress.New(cfg.OnProgress, cfg.Workers)
	rates := scrape.NewRates()
	s.breaker = newBreaker(cfg, on, rates)
	s.portals = s.newPortals(recipes, record.Input, rates)
	s.places = scrape.Places{Session: cfg.Out, Staging: filepath.Join(cfg.Out, documents.StagingName), Room: s.space.Room,
		Evidence: s.newEvidence(), Gallery: gallery.New()}
	if cfg.Earlier != nil {
		s.places.Update = &scrape.Update{Dir: cfg.Earlier.Dir, Documents: cfg.Earlier.Documents}
	}
	record.Mode, record.Selectors, record.Fields = string(s.portals.Mode()), s.portals.Selectors(), recipes.Fields()
	// The built-in recipe takes whatever a page has, so there is nothing of it to watch.
	s.changes = changes.New(changes.Config{Selectors: record.Selectors, Required: recipes.Required(), Input: record.Input})
	s.life = life.New(record)
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
	s.story.Log = log.With("session", s.life.Record().ID)
	if f.Ledger == nil {
		if err := f.MakeLedger(); err != nil {
			return err
		}
	}
	s.story.Events = f.Ledger
	s.places.Evidence.Open(f.Root)
	s.proofs = s.newProofs()
	s.queue = s.space.Queue(&changes.Queue{TaskQueue: s.portals.Queue(s.proofs), Watch: s.changes, Told: s.portalChanged})
	s.tally.Aside(s.portals.Aside)
	s.documents = documents.New(documents.Config{Dir: f.Dir, Root: f.Root, Queue: f.Ledger, Log: s.story.Log, Struck: s.space.Struck})
	s.space.InPlace = func() error { return errors.Join(f.InPlace(), s.documents.InPlace()) }
	return nil
}

// pool returns the session's pool, or nil before Run.
func (s *ProcessingSession) pool() *pool.WorkerPool {
	_, p := s.life.Now()
	return p
}

// Dir returns the session folder.
func (s *ProcessingSession) Dir() string { return s.cfg.Out }

// Gallery returns what the workers' browsers show, for who looks on.
func (s *ProcessingSession) Gallery() *gallery.Gallery { return s.places.Gallery }

// Close frees what Open made, if Run was not called, and leaves the session
// folder as it is. It may be called twice.
func (s *ProcessingSession) Close() error {
	if s.life.Close() {
		return nil
	}
	defer s.life.Free()
	defer s.story.Told()
	return errors.Join(s.closeBrowsers(), s.release())
}

// closeBrowsers ends what startBrowser has begun, if anything.
func (s *ProcessingSession) closeBrowsers() error {
	if s.workers == nil {
		return nil
	}
	return s.workers.Close()
}

// release closes everything that is open for as long as the session lives.
func (s *ProcessingSession) release() error {
	if err := s.documents.Recover(context.Background()); err != nil {
		s.story.Log.Error("clearing the staging directory; resuming the session tries again", "error", err)
	}
	return s.folder.Close()
}
