package browser

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// frames are the frames of a tab's page, the main one left out.
type frames struct {
	mu  sync.Mutex
	ids map[string]bool
}

func (f *frames) add(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ids == nil {
		f.ids = map[string]bool{}
	}
	f.ids[id] = true
}

func (f *frames) remove(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.ids, id)
}

func (f *frames) has(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ids[id]
}

// owns reports whether a frame is one of the tab's page, or the page of a window that
// this page has opened.
func (t *Tab) owns(frame string) bool {
	if frame == t.id || t.frames.has(frame) {
		return true
	}
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	if window := t.browser.ours[frame]; window != nil {
		return window.opener == t
	}
	return frame != "" && t.browser.strays[frame] == t
}

// began reports whether the tab's page has begun a download.
func (t *Tab) began(d *Download) bool {
	if !t.owns(d.frame) {
		return false
	}
	inPage := d.frame == t.id || t.frames.has(d.frame)
	return !inPage || t.followed.take(d.URL)
}

// opened returns our tab whose page opened a window, directly or through another window,
// or nil. The caller holds b.mu.
func (b *Browser) opened(opener string) *Tab {
	if t := b.ours[opener]; t != nil {
		return t
	}
	return b.strays[opener]
}

// disown notes that the page that opened the windows is left: their downloads belong to
// nobody now.
func (b *Browser) disown() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id := range b.strays {
		b.strays[id] = nil
	}
}

// followed are the documents that a page asks for while it is clicked on. A link with a
// download attribute is asked for beside the page: its request outlives the page, keeps
// the page's frame, and shows in no account of the page's requests, but it is paused as
// a navigation is.
type followed struct {
	mu sync.Mutex
	on bool
	// addresses counts what was asked for and has not begun a download; open are the
	// requests without an end, by the name that Chrome's account of requests has for
	// them, or by that of their pause.
	addresses map[string]int
	open      map[string]string
	// links counts the downloads that were asked for by links with a download attribute.
	links int
}

// FollowRequests has the browser know, until the next TidyUp, which documents the page
// of its tab asks for. From then on a download that begins in a frame of the page
// belongs to it only if the page has asked for its address since, or made it itself:
// an earlier page of the tab may have asked for something that begins later.
func (b *Browser) FollowRequests(ctx context.Context) error {
	t := b.Tab()
	t.followed.mu.Lock()
	was := t.followed.on
	if !was {
		t.followed.on, t.followed.addresses, t.followed.open = true, map[string]int{}, map[string]string{}
		t.followed.links = 0
	}
	t.followed.mu.Unlock()
	if was {
		return nil
	}
	_, err := call(ctx, t, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{
		{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageRequest},
		{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageResponse}}})
	if err != nil {
		return fmt.Errorf("following what the page asks for: %w", err)
	}
	return nil
}

// Pending reports whether the page of the browser's tab, which is followed, has asked for
// a document that may still become a download.
func (b *Browser) Pending() bool { return b.Tab().followed.pending() }

// LinksFollowed returns how many downloads the page of the browser's tab was seen to ask
// for, since it is followed, by links with a download attribute. The page itself knows
// sooner.
func (b *Browser) LinksFollowed() int {
	f := &b.Tab().followed
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.links
}

func (f *followed) pending() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.open) > 0
}

// paused notes a request, or the head of its answer, and lets it go on. It runs on
// chromedp's read loop.
func (f *followed) paused(t *Tab, e *fetch.EventRequestPaused) {
	f.mu.Lock()
	on := f.on
	f.mu.Unlock()
	if !on {
		return // it is a lane's
	}
	if answered := e.ResponseStatusCode != 0 || e.ResponseErrorReason != ""; answered {
		t.heads.note(e)
	} else {
		f.request(e)
	}
	t.browser.background(func() { // an error means that the request, or its page, is gone
		_, _ = call(t.live, t, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
	})
}

// request notes a request that is paused.
func (f *followed) request(e *fetch.EventRequestPaused) {
	name := string(e.NetworkID)
	if name == "" {
		name = string(e.RequestID)
	}
	f.asked(name, string(e.RedirectedRequestID), e.Request.URL)
	if e.NetworkID == "" && e.RedirectedRequestID == "" {
		f.linked()
	}
}

// asked notes a request by its name, once, and forgets the one that was redirected to it.
func (f *followed) asked(name, redirected, address string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if address = plain(address); !f.on || f.open[name] == address {
		return
	}
	delete(f.open, redirected)
	f.addresses[address]++
	f.open[name] = address
}

// stopped forgets a request that the gate has ended.
func (f *followed) stopped(address string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	address = plain(address)
	for name, of := range f.open {
		if of == address {
			delete(f.open, name)
			f.addresses[address]--
			return
		}
	}
}

func (f *followed) linked() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.links++
}

// ended notes that a request has ended, and how. One that was aborted may be about to
// begin its download.
func (f *followed) ended(id network.RequestID, failure string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if address, ok := f.open[string(id)]; ok && failure != aborted {
		delete(f.open, string(id))
		f.addresses[address]--
	}
}

// aborted is what Chrome says of a navigation that became a download.
const aborted = "net::ERR_ABORTED"

// take reports whether a download can be of the page that is followed, and notes that it
// has begun.
func (f *followed) take(address string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if scheme, _, _ := strings.Cut(address, ":"); !f.on || scheme == "blob" || scheme == "data" || scheme == "filesystem" {
		f.links++
		return true
	}
	address = plain(address)
	if f.addresses[address] == 0 {
		return false
	}
	f.addresses[address]--
	for name, of := range f.open {
		if of == address {
			delete(f.open, name)
			break
		}
	}
	return true
}

// unfollow ends the following. It reports whether nothing can come any more of what the
// page has asked for; otherwise the tab is not to be used for another page.
func (t *Tab) unfollow(ctx context.Context) bool {
	f := &t.followed
	f.mu.Lock()
	on, pending := f.on, len(f.open) > 0
	f.mu.Unlock()
	if !on {
		return true
	}
	if pending {
		return false
	}
	if _, err := call(ctx, t, fetch.Disable, cdp.Empty{}); err != nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.on, f.addresses, f.open = false, nil, nil
	t.heads.forget()
	return true
}

// plain returns an address without its fragment, which no server sees.
func plain(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}
