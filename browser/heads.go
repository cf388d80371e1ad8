package browser

import (
	"sync"

	"github.com/chromedp/cdproto/fetch"
)

// heads are those of the answers that a page was given for documents while it was clicked
// on: a download itself tells its address and size, and nothing else of them.
type heads struct {
	mu sync.Mutex
	// by address, without its fragment.
	by map[string]head
}

// maxHeads bounds how many are kept of one page.
const maxHeads = 200

// note keeps what a paused answer says.
func (h *heads) note(e *fetch.EventRequestPaused) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.by == nil {
		h.by = map[string]head{}
	}
	if e.ResponseErrorReason == "" && len(h.by) < maxHeads {
		h.by[plain(e.Request.URL)] = pausedHead(e)
	}
}

func (h *heads) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.by = nil
}

// headOf returns what the answer said that became a download, if that was read.
func (t *Tab) headOf(address string) (head, bool) {
	t.heads.mu.Lock()
	defer t.heads.mu.Unlock()
	h, ok := t.heads.by[plain(address)]
	return h, ok
}
