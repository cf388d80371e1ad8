package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// closeTimeout bounds Close: after it, what is left of the process group is
// named in its error.
const closeTimeout = 10 * time.Second

// Browser is one running Chrome.
type Browser struct {
	cfg     Config
	group   Group
	version string
	started time.Time

	// life ends when the browser is closed; root is chromedp's context of the
	// first tab, which ends when the connection is lost.
	life     context.Context
	endLife  context.CancelFunc
	root     context.Context
	freeRoot func()
	// connection is closed when the connection is lost: a moment before root
	// ends, and before the calls that were under way return.
	connection <-chan struct{}

	downloads  *downloadBoard
	lanes      chan *lane
	inCache    atomic.Int64 // bytes of documents that may be in Chrome's cache
	unlisted   atomic.Bool  // this Chrome does not heed what a page may connect to
	gate       gate
	secrets    secrets
	challenges challenges
	put        putHeaders
	windows    windowList
	vigil      vigil
	jobs       sync.WaitGroup // see background

	mu sync.Mutex
	// closing: Close waits for the jobs, so none is begun any more.
	closing bool
	tab     *Tab
	// strays are the page targets that are not ours, each with the tab of ours whose
	// page has opened it, or nil.
	strays map[string]*Tab
	ours   map[string]*Tab // page targets that are
	// opening waits for a window of the tab's page, or is nil.
	opening *Opening
	// openings end the tabs that are being opened: of these it is not known yet
	// which targets they are.
	openings map[*context.CancelCauseFunc]struct{}
	// sessions are what tabs of the browser get as their session storage, by origin.
	sessions map[string][]Item
	strikes  int   // how many tabs were lost
	struck   error // why the last of them was
	tainted  error // why the browser should be replaced, or nil
	hung     error // why it was killed as hung, or nil

	// ending is taken while Close runs, and guards what follows.
	ending chan struct{}
	closed bool
	freed  chan struct{} // closed when chromedp has let go of everything
}

// Launch starts a Chrome and returns when its first tab answers. It blocks for
// at most cfg.StartTimeout. Its errors wrap ErrLaunch and say what Chrome
// printed, or are a *SandboxError; nothing of a failed start is left. The browser lives until Close,
// also when ctx ends after Launch has returned.
func Launch(ctx context.Context, cfg Config) (*Browser, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err := cfg.Sandbox.check(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(cfg.ProfileDir, tempDirName), 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLaunch, err)
	}
	if err := cfg.Sandbox.own(filepath.Join(cfg.ProfileDir, tempDirName)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLaunch, err)
	}
	if err := cfg.trustAuthority(); err != nil {
		return nil, err
	}
	b := &Browser{cfg: cfg, group: &processGroup{}, started: time.Now(), ending: make(chan struct{}, 1), downloads: newDownloadBoard(), gate: gate{switching: make(chan struct{}, 1)},
		challenges: challenges{answered: map[challenge]bool{}, refused: map[asker]bool{}},
		strays:     map[string]*Tab{}, ours: map[string]*Tab{}, openings: map[*context.CancelCauseFunc]struct{}{}}
	b.life, b.endLife = context.WithCancel(context.Background())

	alloc, freeAlloc := chromedp.NewExecAllocator(b.life, append(cfg.options(), chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) {
		if group, err := cfg.start(cmd); err != nil {
			cmd.Err = err
		} else {
			b.group = group
		}
	}))...)
	silence := func(string, ...any) {} // chromedp would write to standard error
	var freeTab func()
	b.root, freeTab = chromedp.NewContext(alloc, chromedp.WithBrowserOption(
		chromedp.WithBrowserLogf(silence), chromedp.WithBrowserErrorf(silence), chromedp.WithBrowserDebugf(b.vigil.onMessage)))
	b.freeRoot = func() { freeTab(); freeAlloc() }

	timeout := time.AfterFunc(cfg.StartTimeout, b.endLife)
	stop := context.AfterFunc(ctx, b.endLife)
	err := b.start()
	inTime := timeout.Stop()
	wanted := stop()
	if err == nil && inTime && wanted {
		return b, nil
	}
	closeErr := b.Close()
	switch {
	case !wanted:
		err = context.Cause(ctx)
	case !inTime:
		err = fmt.Errorf("%w: %s did not answer within %v", ErrLaunch, cfg.Chrome.Path, cfg.StartTimeout)
	default:
		said := err.Error() // with what Chrome has printed
		if refused := cfg.Sandbox.refused(cfg.Chrome, said); refused != nil {
			return nil, errors.Join(refused, closeErr)
		}
		if closeErr == nil {
			said += "\n" + b.group.Status()
		}
		err = fmt.Errorf("%w: %s: %s", ErrLaunch, cfg.Chrome.Path, strings.TrimSuffix(lastLines(said, 6), ":"))
	}
	return nil, errors.Join(err, closeErr)
}

func (b *Browser) start() error {
	if err := chromedp.Do(b.root); err != nil {
		return err
	}
	b.connection = chromedp.FromContext(b.root).Browser.LostConnection
	b.background(func() {
		<-b.connection
		b.group.Kill() // nobody can talk to it any more
	})
	if b.cfg.OnProcess != nil {
		b.cfg.OnProcess(b.PID())
	}
	version, err := chromedp.CallBrowser(b.root, browser.GetVersion, struct{}{})
	if err != nil {
		return err
	}
	b.version = version.Product
	enabled := true
	if _, err := chromedp.CallBrowser(b.root, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllowAndName, DownloadPath: b.cfg.DownloadDir, EventsEnabled: &enabled,
	}); err != nil {
		return fmt.Errorf("setting the download directory: %w", err)
	}
	if err := chromedp.ListenBrowser(b.root, b.onBrowserEvent); err != nil {
		return err
	}
	tab, err := b.adopt(b.root, func() {})
	if err != nil {
		return err
	}
	b.tab = tab
	if err := b.keepOwn(b.root); err != nil {
		return err
	}
	if err := b.intercept(b.root); err != nil {
		return err
	}
	if err := b.attendAll(); err != nil {
		return err
	}
	limitPages(b.PID(), b.cfg.MaxPageMemory)
	b.background(b.guard)
	b.lanes = make(chan *lane, b.cfg.Lanes)
	for range b.cfg.Lanes {
		b.lanes <- &lane{browser: b}
	}
	return nil
}

// background runs what ends with the browser at the latest, and has Close wait for it. It
// runs nothing any more once Close waits.
func (b *Browser) background(run func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closing {
		b.jobs.Go(run)
	}
}

// PID returns the id of the browser's main process, which is also that of its group.
func (b *Browser) PID() int { return b.group.PID() }

// Version returns the product and version that the browser names itself.
func (b *Browser) Version() string { return b.version }

// Started returns when the browser was launched.
func (b *Browser) Started() time.Time { return b.started }

// Fit returns nil if the browser can be used for another page, and otherwise
// why it should be replaced. It does not talk to the browser.
func (b *Browser) Fit() error {
	if b.lost() {
		return b.loss()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tainted
}

// Lost returns a channel that is closed when the browser is gone.
func (b *Browser) Lost() <-chan struct{} { return b.root.Done() }

// Close ends what the browser runs in and returns when none of it is left,
// or with an error that says what is left after ten seconds. It may be called
// again, and then tries again where something was left. The profile directory is
// temporary, so there is nothing that a gentler end would save.
func (b *Browser) Close() error {
	b.ending <- struct{}{}
	defer func() { <-b.ending }()
	if b.closed {
		return nil
	}
	b.mu.Lock()
	b.closing = true
	b.mu.Unlock()
	b.endLife()
	b.group.Kill()
	if b.freed == nil {
		b.freed = make(chan struct{})
		go func() {
			defer close(b.freed)
			b.freeRoot()
			b.jobs.Wait()
		}()
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	err := b.group.Gone(ctx)
	select {
	case <-b.freed:
	case <-ctx.Done():
		err = errors.Join(err, fmt.Errorf("browser %d: its connection did not close within %v", b.PID(), closeTimeout))
	}
	b.closed = err == nil
	return err
}
