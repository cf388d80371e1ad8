package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/tasks"
)

// opener makes workers: a profile, a Chrome in it, and a scraper on top.
type opener struct {
	cfg      Config
	chrome   browser.Chrome
	sandbox  browser.Sandbox
	portal   *scrape.Portal
	profiles *profiles.ProfileManager
	places   scrape.Places
	breaker  *breaker.Breaker
	// leaving reports whether the worker in a slot is to take no more orders.
	leaving func(slot string) bool
	// grace returns the context of what may be done before a worker is closed, or nil.
	grace func() context.Context
	// blame is told why attempts and launches failed, and returns what to say of
	// it; see ProcessingSession.blame. Nil before Run.
	blame func(error) error
	// tell adds to the session's story.
	tell func(tasks.Event)

	mu sync.Mutex
	// spare is the worker that was opened to see whether Chrome starts. The
	// first slot that needs one gets it.
	spare *worker
	// spareTook is how long that one took, spareFor the slot that got it.
	spareTook time.Duration
	spareFor  string
	// live counts the browsers that are not proven gone.
	live int
	// made numbers the profiles.
	made int

	fleet fleet
	// restAtMost is how long a throttled worker may rest.
	restAtMost time.Duration
}

// worker is one browser at work. It is what the pool calls a Worker.
type worker struct {
	opener  *opener
	profile *profiles.Profile
	browser *browser.Browser
	scraper *scrape.Scraper
	strain  strain

	mu sync.Mutex
	// slot that it works in, once it has one.
	slot   string
	orders int
	// lostTabs are those that the story knows of.
	lostTabs int
	gone     bool
}

// prepareBrowsers looks whether there is room for browsers, sweeps what killed
// sessions have left of theirs, and decides about the sandbox.
func (s *ProcessingSession) prepareBrowsers(ctx context.Context, chrome browser.Chrome) error {
	if err := s.disk.checkStart(); err != nil {
		return err
	}
	s.sweep(ctx)
	o := &opener{cfg: s.cfg, chrome: chrome, portal: s.portal, restAtMost: restAtMost,
		places:  scrape.Places{Session: s.dir, Staging: filepath.Join(s.dir, documents.StagingName), Room: s.disk.room, Evidence: s.evidence},
		breaker: s.breaker, leaving: s.leaving, grace: s.graceNow,
		tell: func(e tasks.Event) { s.event(context.Background(), e) }}
	s.opener = o
	o.sandbox = browser.ChooseSandbox(profilesParent(), chrome)
	if s.cfg.NoSandbox {
		o.sandbox = browser.NoSandbox()
	}
	return checkAllowances(s.runsAsUser())
}

// startBrowser opens the first worker, so that a Chrome that does not start is
// known before the work begins. When it fails, nothing is left of it.
func (s *ProcessingSession) startBrowser(ctx context.Context) error {
	o := s.opener
	err := metLimit(s.tryBrowser(ctx))
	if errors.As(err, new(*AllowanceError)) {
		return err // not the sandbox's fault
	}
	if err != nil && o.sandbox.UID >= 0 && errors.Is(err, browser.ErrLaunch) {
		// Root, for whom Chrome runs as another user. Where that does not
		// work, there is no other way than without the sandbox.
		o.sandbox = browser.Sandbox{UID: -1, GID: -1, Why: "running as root, and Chrome does not start as another user"}
		if again := s.tryBrowser(ctx); again == nil {
			return nil
		}
	}
	if err != nil && o.sandbox.On && errors.Is(err, browser.ErrLaunch) {
		return fmt.Errorf("%w; if this system allows no sandbox, try --no-sandbox", err)
	}
	return err
}

// tryBrowser makes the profile manager and opens one worker. When it fails,
// nothing is left of either.
func (s *ProcessingSession) tryBrowser(ctx context.Context) error {
	o := s.opener
	manager, err := profiles.NewManager(profiles.Config{Parent: profilesParent(), Base: s.cfg.BaseProfile,
		SizeLimit: s.cfg.ProfileSizeLimit, MinFree: s.disk.forProfile(), UID: o.sandbox.UID, GID: o.sandbox.GID})
	var path *os.PathError
	if errors.As(err, &path) && s.cfg.BaseProfile == "" {
		return &EnvironmentError{Doing: "the directory for temporary files (TMPDIR) cannot be used", Err: err}
	}
	if err != nil {
		return err
	}
	o.profiles, s.profiles = manager, manager
	began := time.Now()
	if o.spare, err = o.launch(ctx); err != nil {
		return errors.Join(err, manager.Close())
	}
	o.spareTook = time.Since(began)
	if err := s.portal.CheckSelectors(ctx, o.spare.browser); err != nil {
		return errors.Join(err, o.discardSpare(), manager.Close())
	}
	return nil
}

// Open is pool.Config's way to open a worker.
func (o *opener) Open(ctx context.Context, id string) (pool.Worker, error) {
	o.mu.Lock()
	spare := o.spare
	o.spare = nil
	o.mu.Unlock()
	if spare != nil && spare.Fit() == nil {
		o.mu.Lock()
		o.spareFor = id
		o.mu.Unlock()
		spare.sitIn(id)
		return spare, nil
	}
	if spare != nil {
		if err := spare.Close(ctx); err != nil {
			return nil, err
		}
	}
	w, err := o.launch(ctx)
	if err != nil {
		if errors.Is(err, profiles.ErrNoSpace) {
			return nil, err // the disk is watched: it may get some
		}
		return nil, metLimit(o.blame(err))
	}
	w.sitIn(id)
	return w, nil
}

// sitIn gives the worker its slot.
func (w *worker) sitIn(slot string) {
	w.strain.take(slot)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slot = slot
}

func (o *opener) launch(ctx context.Context) (_ *worker, err error) {
	o.mu.Lock()
	o.made++
	name := fmt.Sprintf("browser-%05d", o.made)
	o.mu.Unlock()
	profile, err := o.profiles.Create(name)
	if err != nil {
		return nil, fmt.Errorf("making a profile: %w", err)
	}
	cfg := browser.DefaultConfig()
	cfg.Chrome, cfg.Sandbox, cfg.Headful, cfg.Proxy = o.chrome, o.sandbox, o.cfg.Headful, o.cfg.Proxy
	cfg.ProfileDir, cfg.DownloadDir, cfg.Filled = profile.Path, profile.Downloads, o.cfg.BaseProfile != ""
	var recorded error
	cfg.OnProcess = func(pid int) { recorded = profile.RecordProcess(pid, pid, time.Now()) }
	o.portal.Configure(&cfg)
	hurry(&cfg)
	b, err := browser.Launch(ctx, cfg)
	if err != nil {
		return nil, errors.Join(err, o.profiles.Remove(profile))
	}
	w := &worker{opener: o, profile: profile, browser: b, scraper: o.portal.Scraper(b, o.places)}
	o.count(1)
	o.fleet.add(w)
	if recorded != nil {
		return nil, errors.Join(fmt.Errorf("noting the browser's process: %w", recorded), w.Close(ctx))
	}
	return w, nil
}

func (o *opener) count(by int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.live += by
}

// left returns how many browsers are not proven gone.
func (o *opener) left() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.live
}

// startTook returns how long a worker's start really took: the first one was
// started before the pool asked for it.
func (o *opener) startTook(id string, took time.Duration) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	if id != o.spareFor {
		return took
	}
	o.spareFor = ""
	return o.spareTook
}

// discardSpare closes the first worker, if no slot has taken it.
func (o *opener) discardSpare() error {
	o.mu.Lock()
	spare := o.spare
	o.spare = nil
	o.mu.Unlock()
	if spare == nil {
		return nil
	}
	return spare.Close(context.Background())
}

// Do makes one attempt at an order, as soon as its host takes orders. It may be
// called by as many goroutines at once as Room says.
func (w *worker) Do(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
	w.mu.Lock()
	slot := w.slot
	w.mu.Unlock()
	pass, err := w.opener.breaker.Admit(ctx, task, func() bool { return w.opener.leaving(slot) })
	if err != nil {
		return nil, err
	}
	defer pass.End()
	if ended := w.strain.begin(); ended != nil {
		return nil, tasks.Release(tasks.ClassReleased, "the browser was ended before it could open the order: %w", ended)
	}
	w.opened(1)
	res, err := w.scraper.Do(ctx, task)
	if res != nil && res.Executor == tasks.ExecutorFetch {
		w.opened(-1) // no page was opened, and none wears the browser out
	}
	w.tellLostTab(slot, task)
	if ended := w.strain.finish(); ended != nil {
		return blame(res, err, ended)
	}
	kept, err := pass.Observe(ctx, res, w.opener.blame(err))
	if kept == nil {
		discard(res)
	}
	return kept, err
}

// discard removes the documents of a result that does not count. What is left of them goes
// with the session's staging directory.
func discard(res *tasks.Result) {
	if res != nil && res.Staging != "" {
		_ = os.RemoveAll(res.Staging)
	}
}

func (w *worker) opened(by int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.orders += by
}

// Room is how many orders the worker is good for at once, now.
func (w *worker) Room() int { return w.scraper.Room() }

// tellLostTab adds to the story that an order's page took its tab with it, which
// otherwise only shows in the order's own history.
func (w *worker) tellLostTab(slot string, task *tasks.ProcessingTask) {
	lost, why := w.browser.LostTabs()
	w.mu.Lock()
	news := lost > w.lostTabs
	w.lostTabs = lost
	w.mu.Unlock()
	if news {
		w.opener.tell(tasks.Event{Type: tasks.EventTabLost, Worker: slot, Detail: fmt.Sprintf("order %s: %v", task.PO, why)})
	}
}

// Fit says why the browser must be replaced: it is gone, has worked its share, is
// old, or was found at the last look to use too much.
func (w *worker) Fit() error {
	u, err := w.strain.used()
	if err != nil {
		return err
	}
	if err := w.browser.Fit(); err != nil {
		return err
	}
	w.mu.Lock()
	orders := w.orders
	w.mu.Unlock()
	if orders >= w.opener.cfg.MaxOrdersPerWorker {
		return fmt.Errorf("it has opened %d orders (--max-orders-per-worker)", orders)
	}
	if orders == 0 {
		return nil // a browser that is never fit for an order would be replaced for ever
	}
	return w.opener.cfg.worn(time.Since(w.browser.Started()), u)
}

// proveTimeout bounds what is read before a worker is closed, well within the time
// that the pool gives a worker to close.
const proveTimeout = 7 * time.Second

// prove has a worker of a session that is being stopped see whether what was only
// fetched is as good as rendered.
func (w *worker) prove(ctx context.Context) {
	grace := w.opener.grace()
	if grace == nil || grace.Err() != nil || w.browser.Fit() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, proveTimeout)
	defer cancel()
	stop := context.AfterFunc(grace, cancel)
	defer stop()
	w.scraper.Prove(ctx)
}

// Close ends the browser and removes its profile.
func (w *worker) Close(ctx context.Context) error {
	w.prove(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return nil
	}
	if err := w.browser.Close(); err != nil {
		return err
	}
	if err := w.opener.profiles.Remove(w.profile); err != nil {
		return fmt.Errorf("removing a profile: %w", err)
	}
	w.gone = true
	w.opener.count(-1)
	w.opener.fleet.remove(w)
	return nil
}

// Info returns the browser's process and profile.
func (w *worker) Info() pool.Info { return pool.Info{PID: w.browser.PID(), Profile: w.profile.Path} }

// profilesParent is where profiles are made.
func profilesParent() string { return os.TempDir() }
