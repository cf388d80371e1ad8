package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/google/uuid"
)

// ErrNotBegun: nothing was downloaded in the time that was given for it.
var ErrNotBegun = errors.New("no download began")

// Download is a document on its way into the download directory. Chrome names
// the file by its GUID, so no two downloads clash.
type Download struct {
	GUID string
	// URL it came from, and the frame that asked for it.
	URL, frame string
	// Suggested is the file name that the server or the page suggests.
	Suggested string

	mu              sync.Mutex
	received, total int64
	// announced is what the answer's head said of the size, or -1: the total becomes what
	// was received once that has ended.
	announced int64
	state     browser.DownloadProgressState
	changed   chan struct{} // closed and replaced at each change
}

// downloadBoard matches the browser's download events with those who wait. A download
// belongs to the frame that began it; one that nobody waits for is ended at once.
type downloadBoard struct {
	mu      sync.Mutex
	running map[string]*Download
	waiters []*Expectation
	// unclaimed counts the downloads of the browser's page that nobody waited for.
	unclaimed int
}

func newDownloadBoard() *downloadBoard { return &downloadBoard{running: map[string]*Download{}} }

// Expectation waits for a download that is about to be caused.
type Expectation struct {
	browser *Browser
	wants   func(*Download) bool
	begun   chan *Download
	// stopped has what the page was kept from asking for meanwhile, or is nil.
	stopped chan stopped
}

// stopped is an address that was not asked for, and whether the page itself led there, and
// not a window that it has opened.
type stopped struct {
	address string
	itself  bool
}

// ExpectDownload returns an expectation of the next download that the page of the
// browser's tab begins, in one of its frames or in a window that it has opened. It is
// made before the click that causes the download. See FollowRequests for what else ties
// a download to its page.
func (b *Browser) ExpectDownload() *Expectation {
	tab := b.Tab()
	e := &Expectation{wants: func(d *Download) bool { return tab.began(d) }, stopped: make(chan stopped, 4)}
	return b.expect(e)
}

func (b *Browser) expect(e *Expectation) *Expectation {
	e.browser, e.begun = b, make(chan *Download, 1)
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	b.downloads.waiters = append(b.downloads.waiters, e)
	return e
}

// Cancel ends the expectation.
func (e *Expectation) Cancel() {
	board := e.browser.downloads
	board.mu.Lock()
	defer board.mu.Unlock()
	for i, w := range board.waiters {
		if w == e {
			board.waiters = append(board.waiters[:i], board.waiters[i+1:]...)
			return
		}
	}
}

// Has reports whether the download has begun.
func (e *Expectation) Has() bool { return len(e.begun) > 0 }

// Begun waits until the download begins, for at most limit. It returns
// ErrNotBegun when it does not, and a *DownloadError when the page was kept from asking
// for it.
func (e *Expectation) Begun(ctx context.Context, limit time.Duration) (*Download, error) {
	return e.BegunOr(ctx, limit, nil)
}

// BegunOr is Begun, and calls otherwise each second until the download begins: it may begin one in its place. It
// blocks while otherwise does.
func (e *Expectation) BegunOr(ctx context.Context, limit time.Duration, otherwise func()) (*Download, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var each <-chan time.Time
	if otherwise != nil {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		each = ticker.C
	}
	answered := e.browser.watch(nil)
	defer answered()
	window := "" // a window may be there for something else, such as an advertisement
	for {
		select {
		case d := <-e.begun:
			return d, nil
		case s := <-e.stopped:
			if s.itself {
				return nil, &DownloadError{Kind: KindHost, URL: s.address}
			}
			window = s.address
		case <-each:
			otherwise()
		case <-timer.C:
			if err := e.browser.confirm(ctx); err != nil {
				return nil, err
			}
			if window != "" {
				return nil, &DownloadError{Kind: KindHost, URL: window}
			}
			return nil, fmt.Errorf("%w within %v", ErrNotBegun, limit)
		case <-e.browser.Lost():
			return nil, e.browser.loss()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// stop tells those who wait for a download of the page that a request of the page was
// stopped. It does not block.
func (b *downloadBoard) stop(s stopped) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.waiters {
		select {
		case w.stopped <- s:
		default: // it does not wait for the page, or has heard of enough
		}
	}
}

// begin hands a download that has begun to the one who waits for it. It runs on chromedp's
// read loop.
func (b *Browser) begin(e *browser.EventDownloadWillBegin) {
	if uuid.Validate(e.GUID) != nil { // it names a file
		b.taint(fmt.Errorf("a download is called %q, which is no id", e.GUID))
		return
	}
	board := b.downloads
	d := &Download{GUID: e.GUID, URL: e.URL, frame: string(e.FrameID), Suggested: e.SuggestedFilename,
		total: -1, announced: -1, changed: make(chan struct{})}
	board.mu.Lock()
	board.running[e.GUID] = d
	waiters := append([]*Expectation{}, board.waiters...)
	board.mu.Unlock()
	for _, w := range waiters {
		if w.wants(d) {
			select {
			case w.begun <- d:
				w.Cancel()
				return
			default: // it has one already
			}
		}
	}
	if tab := b.Tab(); tab != nil && tab.owns(d.frame) {
		board.mu.Lock()
		board.unclaimed++
		board.mu.Unlock()
	}
	b.background(func() { b.Discard(b.life, d) })
}

// Unclaimed returns how many downloads the page of the browser's tab has begun, since
// the last TidyUp, that nobody was waiting for.
func (b *Browser) Unclaimed() int {
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	return b.downloads.unclaimed
}

func (b *downloadBoard) tidyUp() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unclaimed = 0
}

func (b *downloadBoard) progress(e *browser.EventDownloadProgress) {
	b.mu.Lock()
	d := b.running[e.GUID]
	if e.State != browser.DownloadProgressStateInProgress {
		delete(b.running, e.GUID)
	}
	b.mu.Unlock()
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if e.TotalBytes > 0 {
		d.total = int64(e.TotalBytes)
		if d.state == "" {
			d.announced = d.total
		}
	}
	// A download that was cut reports in the end that it has received nothing.
	d.received, d.state = max(d.received, int64(e.ReceivedBytes)), e.State
	close(d.changed)
	d.changed = make(chan struct{})
}

// snapshot returns how the download stands, and a channel that is closed when that
// has changed.
func (d *Download) snapshot() (received, total int64, state browser.DownloadProgressState, changed <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.received, d.total, d.state, d.changed
}

// Wait returns the file when the download is complete. It cancels the download,
// and returns a *DownloadError, when it grows beyond maxSize bytes or brings no
// byte for the stall timeout; and it cancels it when ctx ends.
func (b *Browser) Wait(ctx context.Context, d *Download, maxSize int64) (*File, error) {
	stalled := time.NewTimer(b.cfg.StallTimeout)
	defer stalled.Stop()
	answered := b.watch(nil)
	defer answered()
	grown := time.NewTicker(sizeInterval)
	defer grown.Stop()
	last := int64(-1)
	for {
		received, total, state, changed := d.snapshot()
		if total < 0 {
			received = max(received, b.onDisk(d))
		}
		switch {
		case received > maxSize || total > maxSize:
			b.Discard(ctx, d)
			return nil, &DownloadError{Kind: KindTooLarge, URL: d.URL, Received: received, Announced: total, Limit: maxSize}
		case state == browser.DownloadProgressStateCompleted:
			return b.had(d)
		case state == browser.DownloadProgressStateCanceled:
			return nil, &DownloadError{Kind: KindCut, URL: d.URL, Received: received, Announced: total}
		}
		if received != last {
			last = received
			stalled.Reset(b.cfg.StallTimeout)
		}
		select {
		case <-changed:
		case <-grown.C:
		case <-stalled.C:
			if err := b.confirm(ctx); err != nil {
				return nil, err
			}
			b.cancelDownload(ctx, d)
			return nil, &DownloadError{Kind: KindStalled, URL: d.URL, Received: received, Announced: total, After: b.cfg.StallTimeout}
		case <-b.Lost():
			return nil, b.loss()
		case <-ctx.Done():
			b.cancelDownload(ctx, d)
			return nil, context.Cause(ctx)
		}
	}
}

// fileOf returns the file of a download.
func (b *Browser) fileOf(d *Download) *File {
	return &File{Path: filepath.Join(b.cfg.DownloadDir, d.GUID), below: b.cfg.chromes()}
}

// sizeInterval is how often the size of a file is read whose length is not known: Chrome
// tells of it twice a second, in which a fast server sends some hundred megabytes.
const sizeInterval = 5 * time.Millisecond

// partly is what Chrome adds to the name of a download that is not complete.
const partly = ".crdownload"

// onDisk returns how much of a download has been written, as far as that shows.
func (b *Browser) onDisk(d *Download) int64 {
	for _, ending := range []string{partly, ""} {
		size := int64(-1)
		_ = inside(b.cfg.chromes(), filepath.Join(b.cfg.DownloadDir, d.GUID+ending), func(root *os.Root, name string) error {
			info, err := root.Stat(name)
			if err == nil {
				size = info.Size()
			}
			return err
		})
		if size >= 0 {
			return size
		}
	}
	return 0
}

// cancelTimeout bounds the attempt to cancel a download.
const cancelTimeout = 5 * time.Second

func (b *Browser) cancelDownload(ctx context.Context, d *Download) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer cancel()
	if _, err := callBrowser(ctx, b, browser.CancelDownload, browser.CancelDownloadParams{GUID: d.GUID}); err != nil && !b.lost() {
		b.taint(fmt.Errorf("a download could not be cancelled: %w", err))
	}
}

// Discard ends a download that is not wanted, and removes what came of it.
func (b *Browser) Discard(ctx context.Context, d *Download) {
	if _, _, state, _ := d.snapshot(); state == "" || state == browser.DownloadProgressStateInProgress {
		b.cancelDownload(ctx, d)
	}
	if err := b.fileOf(d).Remove(); err != nil && !errors.Is(err, os.ErrNotExist) {
		b.taint(fmt.Errorf("a download could not be removed: %w", err))
	}
}
