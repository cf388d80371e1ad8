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
	state           browser.DownloadProgressState
	changed         chan struct{} // closed and replaced at each change
}

// downloadBoard matches the browser's download events with those who wait.
type downloadBoard struct {
	mu      sync.Mutex
	running map[string]*Download
	waiters []*Expectation
	// unclaimed are downloads that began while nobody waited for one.
	unclaimed []*Download
}

func newDownloadBoard() *downloadBoard { return &downloadBoard{running: map[string]*Download{}} }

// Expectation waits for a download that is about to be caused.
type Expectation struct {
	browser *Browser
	wants   func(*Download) bool
	begun   chan *Download
}

// ExpectDownload returns an expectation of the next download that no lane has
// asked for. It is made before the click that causes the download.
func (b *Browser) ExpectDownload() *Expectation {
	return b.expect(func(d *Download) bool { return !b.isLane(d.frame) })
}

func (b *Browser) expect(wants func(*Download) bool) *Expectation {
	e := &Expectation{browser: b, wants: wants, begun: make(chan *Download, 1)}
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

// Begun waits until the download begins, for at most limit. It returns
// ErrNotBegun when it does not.
func (e *Expectation) Begun(ctx context.Context, limit time.Duration) (*Download, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	answered := e.browser.watch(nil)
	defer answered()
	select {
	case d := <-e.begun:
		return d, nil
	case <-timer.C:
		if err := e.browser.confirm(ctx); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w within %v", ErrNotBegun, limit)
	case <-e.browser.Lost():
		return nil, e.browser.loss()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (b *downloadBoard) begin(e *browser.EventDownloadWillBegin) {
	d := &Download{GUID: e.GUID, URL: e.URL, frame: string(e.FrameID), Suggested: e.SuggestedFilename,
		total: -1, changed: make(chan struct{})}
	b.mu.Lock()
	b.running[e.GUID] = d
	waiters := append([]*Expectation{}, b.waiters...)
	b.mu.Unlock()
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
	b.mu.Lock()
	b.unclaimed = append(b.unclaimed, d)
	b.mu.Unlock()
}

func (b *downloadBoard) takeUnclaimed() []*Download {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.unclaimed
	b.unclaimed = nil
	return all
}

// Unclaimed returns how many downloads have begun, since the last TidyUp, that
// nobody was waiting for.
func (b *Browser) Unclaimed() int {
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	return len(b.downloads.unclaimed)
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
	// A download that was cut reports in the end that it has received nothing.
	d.received, d.state = max(d.received, int64(e.ReceivedBytes)), e.State
	if e.TotalBytes > 0 {
		d.total = int64(e.TotalBytes)
	}
	close(d.changed)
	d.changed = make(chan struct{})
}

// look returns how the download stands, and a channel that is closed when that
// has changed.
func (d *Download) look() (received, total int64, state browser.DownloadProgressState, changed <-chan struct{}) {
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
	last := int64(-1)
	for {
		received, total, state, changed := d.look()
		switch {
		case received > maxSize || total > maxSize:
			b.Discard(ctx, d)
			return nil, &DownloadError{Kind: KindTooLarge, URL: d.URL, Received: received, Announced: total, Limit: maxSize}
		case state == browser.DownloadProgressStateCompleted:
			return &File{Path: filepath.Join(b.cfg.DownloadDir, d.GUID), Suggested: d.Suggested, URL: d.URL, Size: received, Announced: -1}, nil
		case state == browser.DownloadProgressStateCanceled:
			return nil, &DownloadError{Kind: KindCut, URL: d.URL, Received: received, Announced: total}
		}
		if received != last {
			last = received
			stalled.Reset(b.cfg.StallTimeout)
		}
		select {
		case <-changed:
		case <-stalled.C:
			// Also what a cut connection looks like in a lane: there, Chrome
			// goes on reporting a download in progress.
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

// cancelTimeout bounds the attempt to cancel a download.
const cancelTimeout = 5 * time.Second

func (b *Browser) cancelDownload(ctx context.Context, d *Download) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer cancel()
	if _, err := callBrowser(ctx, b, browser.CancelDownload, browser.CancelDownloadParams{GUID: d.GUID}); err != nil {
		b.taint(fmt.Errorf("a download could not be cancelled: %w", err))
	}
}

// Discard ends a download that is not wanted, and removes what came of it.
func (b *Browser) Discard(ctx context.Context, d *Download) {
	if _, _, state, _ := d.look(); state == "" || state == browser.DownloadProgressStateInProgress {
		b.cancelDownload(ctx, d)
	}
	if err := os.Remove(filepath.Join(b.cfg.DownloadDir, d.GUID)); err != nil && !errors.Is(err, os.ErrNotExist) {
		b.taint(fmt.Errorf("a download could not be removed: %w", err))
	}
}
