package browser

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"golang.org/x/text/encoding/charmap"
)

// Reply is what came to a request for data or a document that a page, or a frame of its
// process, has made. What web workers and pages of other processes ask for is not known.
type Reply struct {
	// Method and URL are those of the request, From is where the reply came from, redirects
	// followed.
	Method, URL, From string
	// Key is what the request has in common with another try of it.
	Key string
	// Status is the HTTP status, 0 while there is none.
	Status int
	// Asked is what the request says besides its URL: what was posted, and its Range header.
	Asked string
	// MIME type as announced, and what the headers Link, X-Total-Count and Content-Range say.
	MIME, Link, Total, Range string
	// Ended: all of it is there. Failed says why it never will be, or is empty.
	Ended  bool
	Failed string
	// Worked: a service worker of the portal has made it.
	Worked bool

	id    network.RequestID
	plain bool // the server does not say which characters it is made of
}

// The bounds of what is kept of replies: Chrome keeps their bodies until the page is left, at
// most so many bytes of one, and of all together.
const (
	maxReplies    = 2000
	MaxReply      = 20 << 20
	maxAllReplies = 3 * MaxReply
)

// replies are those of the document that the tab shows. The tab's mu guards them.
type replies struct {
	list []*Reply
	at   map[network.RequestID]*Reply
	// lost: there were more.
	lost bool
}

// Replies returns the replies to what the tab's page has requested since it was navigated to,
// in the order of the requests, and whether these are all. It needs Config.KeepReplies.
func (t *Tab) Replies() (list []Reply, all bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.replies.list {
		list = append(list, *r)
	}
	return list, !t.replies.lost
}

// Body returns the body of a reply that has ended, as it came from the server: no script of the
// page has a part in that. A text is UTF-8. It returns an error where Chrome does not have it
// any more, as one of more than MaxReply bytes, or never had it, as one that the page has
// not read.
func (t *Tab) Body(ctx context.Context, r Reply) ([]byte, error) {
	res, err := call(ctx, t, network.GetResponseBody, network.GetResponseBodyParams{RequestID: r.id})
	if err != nil || res.Base64encoded || !r.plain {
		return res.Body, err
	}
	// Chrome takes a text of which nothing is known for one of Windows-1252.
	if bytes, err := charmap.Windows1252.NewEncoder().Bytes(res.Body); err == nil && utf8.Valid(bytes) {
		return bytes, nil
	}
	return res.Body, nil
}

// shows forgets what was requested before the document that is shown now.
func (p *replies) shows(document cdp.LoaderID) {
	own := p.at[network.RequestID(document)]
	*p = replies{}
	if own != nil {
		p.add(own)
	}
}

func (p *replies) add(r *Reply) {
	if p.at == nil {
		p.at = map[network.RequestID]*Reply{}
	}
	if p.lost = p.lost || len(p.list) >= maxReplies; !p.lost {
		p.at[r.id] = r
		p.list = append(p.list, r)
	}
}

// on notes what an event says. It runs on chromedp's read loop.
func (p *replies) on(event any) {
	switch e := event.(type) { // the other events are not about replies
	case *network.EventRequestWillBeSent:
		data := e.Type == network.ResourceTypeXHR || e.Type == network.ResourceTypeFetch || e.Type == network.ResourceTypeDocument
		if p.at[e.RequestID] != nil || !data || e.LoaderID == "" || !strings.HasPrefix(e.Request.URL, "http") {
			return
		}
		p.add(&Reply{id: e.RequestID, Method: e.Request.Method, URL: e.Request.URL, From: e.Request.URL, Asked: askedBesides(e.Request),
			Key: sameRequest(e.Request.Method, e.Request.URL, posted(e))})
	case *network.EventResponseReceived:
		if r := p.at[e.RequestID]; r != nil {
			r.Status, r.MIME, r.From, r.Worked = int(e.Response.Status), e.Response.MimeType, e.Response.URL, e.Response.FromServiceWorker
			for name, value := range e.Response.Headers {
				switch text, _ := value.(string); strings.ToLower(name) {
				case "link":
					r.Link = text
				case "x-total-count":
					r.Total = text
				case "content-range":
					r.Range = text
				}
			}
			r.plain = e.Response.Charset == "" && r.MIME == "text/plain"
		}
	case *network.EventLoadingFinished:
		if r := p.at[e.RequestID]; r != nil {
			r.Ended = true
		}
	case *network.EventLoadingFailed:
		if r := p.at[e.RequestID]; r != nil {
			r.Failed = e.ErrorText
		}
	}
}

// maxAsked bounds what is kept of a request.
const maxAsked = 16 << 10

// askedBesides returns what a request says besides its URL of what it asks for.
func askedBesides(r *network.Request) string {
	asked := formOf(r)
	asked = strings.Clone(asked[:min(len(asked), maxAsked)])
	for name, value := range r.Headers {
		if text, _ := value.(string); strings.EqualFold(name, "range") {
			asked += "\n" + text
		}
	}
	return asked
}
