package browser

import (
	"fmt"
	"maps"
	"net/http"

	"github.com/chromedp/cdproto/network"
)

// cutOffs keeps account of the requests by which a page gets its content: the
// document, its frames and scripts, and what these fetch. The tab's mu guards it.
type cutOffs struct {
	// asked has the addresses of the requests that are under way.
	asked map[network.RequestID]string
	// cut has the addresses whose last request had no whole answer, or was refused,
	// and why.
	cut map[string]string
}

// CutOff returns the addresses from which the page has not had a whole answer
// since its navigation, or was refused one, and the reason: Chrome's name of it, or
// the status. What was blocked or given up on this side is not among them, nor is
// what came at a second try.
func (t *Tab) CutOff() map[string]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.cutOffs.cut)
}

// onRequest runs on chromedp's read loop.
func (t *Tab) onRequest(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &t.cutOffs
	switch e := event.(type) { // the other events are not about requests
	case *network.EventRequestWillBeSent:
		switch e.Type {
		case network.ResourceTypeDocument, network.ResourceTypeScript, network.ResourceTypeXHR, network.ResourceTypeFetch:
			if c.asked == nil {
				c.asked = map[network.RequestID]string{}
			}
			c.asked[e.RequestID] = e.Request.URL
		}
	case *network.EventResponseReceived:
		address, known := c.asked[e.RequestID]
		delete(c.cut, address)
		if status := int(e.Response.Status); known && refuses(status) {
			c.fail(address, fmt.Sprintf("status %d", status))
		}
	case *network.EventLoadingFinished:
		delete(c.asked, e.RequestID)
	case *network.EventLoadingFailed:
		address, known := c.asked[e.RequestID]
		delete(c.asked, e.RequestID)
		if known && !e.Canceled && e.BlockedReason == "" && e.CorsErrorStatus == nil {
			c.fail(address, e.ErrorText)
		}
	}
}

func (c *cutOffs) fail(address, why string) {
	if c.cut == nil {
		c.cut = map[string]string{}
	}
	c.cut[address] = why
}

// refuses reports whether a status says that there may be something that was not
// sent: unlike one that says that there is nothing.
func refuses(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	}
	return status >= 500
}
