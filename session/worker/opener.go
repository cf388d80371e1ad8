package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/container"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/tasks"
)

// DefaultRest is how long a throttled worker may take to come below its limits before it
// is replaced.
const DefaultRest = time.Minute

// Config is what an Opener needs to make workers.
type Config struct {
	Chrome  browser.Chrome
	Sandbox browser.Sandbox
	// OwnPages: only pages of this program are opened, so that it goes on without a sandbox where
	// none can be had.
	OwnPages bool
	Headful  bool
	// Hardened is a browser.Config's.
	Hardened bool
	// Attended: a person uses the browsers, and no order is opened in them.
	Attended bool
	// Isolation says what browsers run in, Engine makes the containers: without one they are all
	// processes, and NoEngine says why. Required: they must not be processes that are to be
	// containers.
	Isolation Isolation
	Engine    *container.Engine
	NoEngine  error
	Required  bool
	// Proxy and CA are a browser.Config's.
	Proxy, CA string
	// Temp is where profiles are made, of which so many bytes must be free: MinFree. Base is
	// a Chrome profile whose essentials each browser starts with, or "".
	Temp    string
	MinFree int64
	Base    string
	// KeepProfiles leaves the profiles there, see profiles.Config.
	KeepProfiles bool
	// HangTimeout is a browser.Config's HangCheck and HangTimeout, CleanupTimeout a
	// profiles.Config's; 0 stands for the default.
	HangTimeout, CleanupTimeout time.Duration
	Limits
	// RestAtMost is how long a throttled worker may rest; 0 means DefaultRest.
	RestAtMost time.Duration

	Portal  *scrape.Portal
	Places  scrape.Places
	Breaker *breaker.Breaker
	// SignIn keeps the workers signed in. Without one nobody signs in.
	SignIn *signin.Keeper
	// Sites are the portals, where there are several; then Portal and SignIn are not used. A
	// worker has one browser at a time, which is for one of them.
	Sites []Site
	// Next returns the name of the site whose order the slot gets next, as far as that is
	// known. At is told to which one its browser belongs. Both are needed with Sites.
	Next func(ctx context.Context, slot string) string
	At   func(slot, site string)
	// Leaving reports whether the worker in a slot is to take no more orders.
	Leaving func(slot string) bool
	// Grace returns the context of what may be done before a worker is closed, or nil. Grace may be nil itself.
	Grace func() context.Context
	// DiskFault is told why attempts and launches failed, and returns what is wrong with a
	// disk if that is to blame. It is nil for nil.
	DiskFault func(error) error
	// Discard removes the documents of a result that does not count.
	Discard func(*tasks.Result)
	// Tell adds to the session's story, Warn tells a person, and Failed is told of what could
	// not be done to a browser.
	Tell   func(tasks.Event)
	Warn   func(format string, args ...any)
	Failed func(doing string, err error)
}

// Site is a portal at which workers work.
type Site struct {
	// Name is that of its tasks' portal.
	Name   string
	Portal *scrape.Portal
	// SignIn keeps the workers signed in. Without one nobody signs in.
	SignIn *signin.Keeper
}

// TempError says that no profile can be made where Config.Temp says.
type TempError struct{ Err error }

func (e *TempError) Error() string {
	return "no profile can be made; name another directory for them with --temp-dir: " + e.Err.Error()
}

// Unwrap returns the error behind it.
func (e *TempError) Unwrap() error { return e.Err }

// Opener makes workers, and knows all that live.
type Opener struct {
	Config
	// earlier are the records of the workers of earlier runs, by slot.
	earlier map[string]tasks.Worker

	profiles *profiles.ProfileManager // nil before Start

	mu sync.Mutex
	// distrusted is the latest attempt that a certificate has kept from its page, and answered
	// that another attempt came to something else.
	distrusted error
	answered   bool
	// spare is the worker that Start has opened. The first slot that needs one gets it.
	spare *Worker
	// spareTook is how long that one took, spareFor the slot that got it.
	spareTook time.Duration
	spareFor  string
	// live counts the browsers that are not proven gone, contained those of them, and of those that
	// are being opened, that are in containers, and opening those that are.
	live, contained, opening int
	// containerFailures counts the containers in a row that did not come up; toldContainer: it was
	// told why.
	containerFailures int
	toldContainer     bool
	// refusedHosts are those of which tellRefused has told.
	refusedHosts map[string]struct{}
	// made numbers the profiles.
	made int

	fleet *fleet
}

// NewOpener returns an Opener that has opened nothing yet.
func NewOpener(cfg Config) *Opener {
	if cfg.RestAtMost == 0 {
		cfg.RestAtMost = DefaultRest
	}
	if len(cfg.Sites) == 0 {
		cfg.Sites = []Site{{Portal: cfg.Portal, SignIn: cfg.SignIn}}
	}
	for i := range cfg.Sites {
		if cfg.Sites[i].SignIn == nil {
			cfg.Sites[i].SignIn = signin.New(signin.Config{})
		}
	}
	if cfg.Grace == nil {
		cfg.Grace = func() context.Context { return nil }
	}
	return &Opener{Config: cfg, fleet: newFleet(), refusedHosts: map[string]struct{}{}}
}

// Start opens the first worker, so that a Chrome that does not start, or a selector of the
// recipe that is not valid, is known before the work begins. When it fails, nothing is left
// of it. Its errors are an *AllowanceError, a *TempError, browser.ErrLaunch and those of
// package profiles.
func (o *Opener) Start(ctx context.Context) error {
	err := MetLimit(o.try(ctx))
	if errors.As(err, new(*AllowanceError)) {
		return err // not the sandbox's fault
	}
	if errors.As(err, new(*IsolationError)) {
		return err
	}
	if o.OwnPages && !o.Sandbox.Forgone && errors.Is(err, browser.ErrLaunch) {
		why := cmp.Or(o.Sandbox.Why, "Chrome does not start with it")
		o.Sandbox = browser.Sandbox{UID: -1, GID: -1, Why: why + "; that is as well here, as only pages of this program are opened", Forgone: true}
		return o.try(ctx)
	}
	if o.Sandbox.On && errors.Is(err, browser.ErrLaunch) && !errors.As(err, new(*browser.SandboxError)) {
		return fmt.Errorf("%w; poscrape doctor says whether its sandbox is to blame", err)
	}
	return err
}

// try makes the profile manager and opens one worker. When it fails, nothing is left of
// either.
func (o *Opener) try(ctx context.Context) error {
	manager, err := profiles.NewManager(profiles.Config{Parent: o.Temp, Base: o.Base,
		SizeLimit: o.ProfileSize, MinFree: o.MinFree, UID: o.Sandbox.UID, GID: o.Sandbox.GID, Keep: o.KeepProfiles, CleanupTimeout: o.CleanupTimeout})
	var path *os.PathError
	if errors.As(err, &path) && o.Base == "" {
		return &TempError{err}
	}
	if err != nil {
		return err
	}
	o.profiles = manager
	if o.Engine != nil && o.Engine.Unlimited() {
		o.Warn("%s keeps no limits without root and cgroups v2, so nothing bounds what a container uses", o.Engine)
	}
	began := time.Now()
	if o.spare, err = o.launch(ctx, o.Sites[0]); err != nil {
		return errors.Join(err, manager.Close())
	}
	o.spareTook = time.Since(began)
	for _, site := range o.Sites {
		if err := site.Portal.CheckSelectors(ctx, o.spare.browser); err != nil {
			return errors.Join(err, o.closeSpare(), manager.Close())
		}
	}
	return nil
}

// First returns the worker that Start has opened, while no slot has taken it.
func (o *Opener) First() *Worker {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.spare
}

// Open is pool.Config's way to open a worker.
func (o *Opener) Open(ctx context.Context, id string) (pool.Worker, error) {
	o.fleet.seat(id, uuid.Nil, time.Now())
	spare := o.takeSpare()
	if spare != nil && spare.Fit() == nil {
		o.mu.Lock()
		o.spareFor = id
		o.mu.Unlock()
		spare.sitIn(id)
		return o.travelling(spare), nil
	}
	if spare != nil {
		if err := spare.Close(ctx); err != nil {
			return nil, err
		}
	}
	w, err := o.launch(ctx, o.next(ctx, id))
	if err != nil {
		if errors.Is(err, profiles.ErrNoSpace) {
			return nil, err // the disk is watched: it may get some
		}
		if fault := o.DiskFault(err); fault != nil {
			return nil, tasks.Release(tasks.ClassStorage, "%w", fault)
		}
		return nil, MetLimit(err)
	}
	w.sitIn(id)
	return o.travelling(w), nil
}

// launch opens a browser for a site, in a container if one is due and can be had.
func (o *Opener) launch(ctx context.Context, site Site) (w *Worker, err error) {
	engine := o.begin()
	w, err = o.launchIn(ctx, site, engine)
	o.begun(engine, err)
	if engine == nil || err == nil || !errors.Is(err, browser.ErrLaunch) && !errors.As(err, new(*container.UnusableError)) {
		return w, err
	}
	if err := o.withoutContainer(ctx, err); err != nil {
		return nil, err
	}
	return o.launchIn(ctx, site, nil)
}

// launchIn opens a browser for a site, in a container of the engine's, or, without one, as a process.
func (o *Opener) launchIn(ctx context.Context, site Site, engine *container.Engine) (_ *Worker, err error) {
	o.mu.Lock()
	o.made++
	name := fmt.Sprintf("browser-%05d", o.made)
	o.mu.Unlock()
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("making an id: %w", err)
	}
	profile, err := o.profiles.Create(name)
	if err != nil {
		return nil, fmt.Errorf("making a profile: %w", err)
	}
	cfg := browser.DefaultConfig()
	cfg.Chrome, cfg.Sandbox, cfg.Headful, cfg.Proxy = o.Chrome, o.Sandbox, o.Headful, o.Proxy
	cfg.CA, cfg.Hardened = o.CA, o.Hardened
	cfg.ProfileDir, cfg.DownloadDir, cfg.Filled = profile.Path, profile.Downloads, o.Base != ""
	cfg.OnDisk = o.KeepProfiles
	if o.HangTimeout > 0 {
		cfg.HangCheck, cfg.HangTimeout = o.HangTimeout, o.HangTimeout
	}
	var recorded error
	cfg.OnProcess = func(pid int) {
		if recorded = profile.RecordProcess(pid, pid, time.Now()); engine != nil && pid == 0 {
			recorded = &container.UnusableError{Why: "Chrome is not to be found among this machine's processes: the image's label must name the program itself, no script, and " +
				"this process must see those in containers"}
		}
	}
	if err := site.Portal.Configure(&cfg); err != nil {
		return nil, errors.Join(err, o.profiles.Remove(profile))
	}
	if o.Attended {
		cfg.Attended, cfg.OnNewDocument, cfg.Inspector, cfg.BlockImages, cfg.BlockURLs = true, "", "", false, nil
		cfg.KeepCookie = nil
	}
	closeWayOut := func() {}
	if engine != nil {
		if closeWayOut, err = o.isolate(&cfg, site, engine); err != nil {
			return nil, errors.Join(err, o.profiles.Remove(profile))
		}
	}
	b, err := browser.Launch(ctx, cfg)
	if err != nil {
		closeWayOut()
		return nil, errors.Join(err, o.profiles.Remove(profile))
	}
	w := &Worker{opener: o, site: site, id: id, profile: profile, browser: b, scraper: site.Portal.Scraper(b, o.Places), closing: make(chan struct{}, 1),
		contained: engine != nil, closeWayOut: closeWayOut}
	if engine != nil {
		o.mu.Lock()
		o.containerFailures = 0
		o.mu.Unlock()
	}
	o.count(w, 1)
	o.fleet.add(w)
	if recorded != nil {
		o.mu.Lock()
		w.contained = false // begun counts that
		o.mu.Unlock()
		return nil, errors.Join(fmt.Errorf("noting the browser's process: %w", recorded), w.Close(ctx))
	}
	return w, nil
}

// Distrusted returns the latest error about a certificate if every attempt has met one, and
// otherwise nil.
func (o *Opener) Distrusted() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.answered {
		return nil
	}
	return o.distrusted
}

// note keeps what an attempt says of certificates.
func (o *Opener) note(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil && tasks.AsFailure(err).Class == tasks.ClassCertificate {
		o.distrusted = err
	} else {
		o.answered = true
	}
}

// count counts a worker whose browser is there, or gone. begin has counted its container.
func (o *Opener) count(w *Worker, by int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.live += by
	if w.contained && by < 0 {
		o.contained--
	}
}

// Kept returns the directory in which profiles were left to be looked at, or "".
func (o *Opener) Kept() string {
	if !o.KeepProfiles || o.profiles == nil {
		return ""
	}
	return o.profiles.Root()
}

// Left returns how many browsers are not proven gone, and how many profiles are there.
func (o *Opener) Left() (browsers, directories int) {
	o.mu.Lock()
	browsers = o.live
	o.mu.Unlock()
	if o.profiles != nil {
		directories = o.profiles.Len()
	}
	return browsers, directories
}

// Sandboxed returns the sandbox that the browsers are in. Start may have found that there can be none.
func (o *Opener) Sandboxed() browser.Sandbox { return o.Sandbox }

// Recall takes over the records of the workers of earlier runs, by slot. It is called before the
// work begins.
func (o *Opener) Recall(earlier map[string]tasks.Worker) { o.earlier = earlier }

// Used returns the record of a slot's worker with the id of its browser, with what its
// browsers use, as far as Watch has seen it, and with what was done there in earlier runs.
func (o *Opener) Used(slot string, record tasks.Worker) tasks.Worker {
	earlier := o.earlier[slot]
	record.Processed += earlier.Processed
	record.Failed += earlier.Failed
	record.Restarts += earlier.Restarts
	return o.fleet.of(slot, record)
}

// Memory returns how much memory the browser in each slot used when Watch last looked, in bytes.
func (o *Opener) Memory() map[string]int64 { return o.fleet.memory() }

// BrowserIn returns the id of the browser that was opened last in a slot before a moment, or
// the zero UUID where there was none, or one was just being opened. What came before that
// moment is forgotten: moments of one slot are asked about in their order.
func (o *Opener) BrowserIn(slot string, at time.Time) uuid.UUID { return o.fleet.at(slot, at) }

// Profiles returns the directories of the browsers that live.
func (o *Opener) Profiles() []string {
	var paths []string
	for _, w := range o.fleet.workers() {
		paths = append(paths, w.profile.Path)
	}
	return paths
}

// StartTook returns how long a worker's start really took: the first one was
// started before the pool asked for it.
func (o *Opener) StartTook(id string, took time.Duration) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	if id != o.spareFor {
		return took
	}
	o.spareFor = ""
	return o.spareTook
}

// takeSpare returns the first worker, if no slot has taken it, or nil.
func (o *Opener) takeSpare() *Worker {
	o.mu.Lock()
	defer o.mu.Unlock()
	spare := o.spare
	o.spare = nil
	return spare
}

func (o *Opener) closeSpare() error {
	spare := o.takeSpare()
	if spare == nil {
		return nil
	}
	return spare.Close(context.Background())
}

// Close closes the first worker, if no slot has taken it, and removes the directory of
// profiles. The other workers are the pool's to close, before.
func (o *Opener) Close() error {
	if o.profiles == nil {
		return nil
	}
	return errors.Join(o.closeSpare(), o.profiles.Close())
}
