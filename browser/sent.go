package browser

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// Headers are request headers by their names in lower case. Their values may be secrets:
// no verb of fmt shows them, and neither does JSON.
type Headers struct{ values map[string]string }

// Format writes the names alone.
func (h Headers) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "headers%v", h.Names()) }

// Names returns the names, in order.
func (h Headers) Names() []string { return slices.Sorted(maps.Keys(h.values)) }

// Value returns the value of the name, or an empty text.
func (h Headers) Value(name string) string { return h.values[strings.ToLower(name)] }

// With returns the headers with one more, or with another value of one.
func (h Headers) With(name, value string) Headers {
	values := map[string]string{}
	maps.Copy(values, h.values)
	values[strings.ToLower(name)] = value
	return Headers{values}
}

// SentHeaders are what scripts of pages have put into their requests, with the origins that
// these went to. The zero value has none.
type SentHeaders struct {
	// by origin.
	by map[string]sentTo
}

// sentTo is what one origin was sent.
type sentTo struct {
	values map[string][]sentValue
	// credentials: the last answer to another origin's page was one to a request with cookies;
	// answered: there was one.
	credentials, answered bool
}

// Format writes nothing of what was sent.
func (s SentHeaders) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "headers to %d origins", len(s.by)) }

// To returns the headers of these names that were sent to the origin of the address, scheme,
// host and port, those of the names that never were, and those that were sent with several
// values of which nothing says which one belongs to the address.
func (s SentHeaders) To(address string, names []string) (sent Headers, missing, unclear []string) {
	sent.values = map[string]string{}
	to, path := s.by[originOf(address)], pathOf(address)
	for _, name := range names {
		lower := strings.ToLower(name)
		text, known, clear := choose(lower, to.values[lower], path)
		switch {
		case !known:
			missing = append(missing, name)
		case !clear:
			unclear = append(unclear, name)
		default:
			sent.values[lower] = text
		}
	}
	return sent, missing, unclear
}

// Names returns the names of all headers that were sent to the origin of the address, in order.
func (s SentHeaders) Names(address string) []string {
	var names []string
	for name, values := range s.by[originOf(address)].values {
		if slices.ContainsFunc(values, func(v sentValue) bool { return !v.past }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Credentials reports whether the origin of the address has allowed pages of other origins to
// send cookies, in its latest answer to a script. known: there was an answer.
func (s SentHeaders) Credentials(address string) (allowed, known bool) {
	to := s.by[originOf(address)]
	return to.credentials, to.answered
}

// Then returns these headers with those that were sent later in their place: what had another value
// before is not sent any more.
func (s SentHeaders) Then(later SentHeaders) SentHeaders {
	all := SentHeaders{by: maps.Clone(s.by)}
	if all.by == nil {
		all.by = map[string]sentTo{}
	}
	for origin, to := range later.by {
		values := maps.Clone(all.by[origin].values)
		if values == nil {
			values = map[string][]sentValue{}
		}
		for name, latest := range to.values {
			values[name] = replaced(values[name], latest)
		}
		all.by[origin] = sentTo{values, to.credentials, to.answered}
	}
	return all
}

// Past returns these headers as what is not sent any more.
func (s SentHeaders) Past() SentHeaders {
	past := SentHeaders{by: map[string]sentTo{}}
	for origin, to := range s.by {
		values := map[string][]sentValue{}
		for name, all := range to.values {
			values[name] = replaced(all, nil)
		}
		past.by[origin] = sentTo{values: values}
	}
	return past
}

// originOf returns scheme, host and port of an address, or an empty text.
func originOf(address string) string {
	u, err := ParseURL(address)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(u.Scheme + "://" + u.Hostname() + ":" + port)
}

// putHeaders are all values that scripts of a browser's pages have put into headers, answered or not, by
// the headers' names.
type putHeaders struct {
	mu     sync.Mutex
	values map[string][]string
}

// maxPutValues is how many values of one name are kept, the latest.
const maxPutValues = 500

// EachHeader calls do for each value of a header that scripts of the browser's pages have put into
// requests since ForgetHeaders, whether these were answered or not. It needs Config.KeepHeaders.
func (b *Browser) EachHeader(do func(name, value string)) {
	b.put.mu.Lock()
	all := maps.Clone(b.put.values)
	b.put.mu.Unlock()
	for name, values := range all {
		for _, value := range values {
			do(name, value)
		}
	}
}

// ForgetHeaders has EachHeader begin anew.
func (b *Browser) ForgetHeaders() {
	b.put.mu.Lock()
	defer b.put.mu.Unlock()
	b.put.values = nil
}

// on notes what an event says. It runs on chromedp's read loop.
func (p *putHeaders) on(event any) {
	e, is := event.(*network.EventRequestWillBeSent)
	if !is || !ofScript(e) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.values == nil {
		p.values = map[string][]string{}
	}
	for name, value := range e.Request.Headers {
		text, isText := value.(string)
		name = strings.ToLower(name)
		values := p.values[name]
		if !isText || len(text) > maxSentValue || slices.Contains(values, text) || values == nil && len(p.values) >= maxSentNames {
			continue
		}
		values = append(slices.Clip(values), text) // EachHeader may have the others
		p.values[name] = values[max(0, len(values)-maxPutValues):]
	}
}

// ofScript reports whether a request is one that a script of a page has made.
func ofScript(e *network.EventRequestWillBeSent) bool {
	return (e.Type == network.ResourceTypeXHR || e.Type == network.ResourceTypeFetch) && !ofWorld(e.Initiator)
}

// sentLog notes what the page of a tab sends. The tab's mu guards it.
type sentLog struct {
	by map[string]sentTo
	// open are the requests that are not answered yet; asked counts all.
	open  map[network.RequestID]sentRequest
	asked int
	// frames are the documents of the page's frames.
	frames map[cdp.LoaderID]bool
}

type sentRequest struct {
	origin, path string
	headers      network.Headers
	at           int
}

// The bounds of what is kept: a page can send anything.
const (
	maxSentOrigins = 100
	maxSentNames   = 200
	maxSentValue   = 16 << 10
	maxSentValues  = 50 // of one name
	maxSentPaths   = 50 // of one value
)

// SentHeaders returns what the scripts of the tab's page, and of its frames in the same process,
// have put into requests that were answered, since the page was navigated to. Requests of EvaluateApart do not count. It needs
// Config.KeepHeaders.
func (t *Tab) SentHeaders() SentHeaders {
	t.mu.Lock()
	defer t.mu.Unlock()
	return SentHeaders{}.Then(SentHeaders{by: t.sent.by})
}

// on notes what an event says. own is the document that the tab shows. It runs on chromedp's read
// loop.
func (s *sentLog) on(event any, own cdp.LoaderID) {
	switch e := event.(type) { // the other events are not about requests
	case *network.EventRequestWillBeSent:
		if e.RedirectResponse != nil { // what goes on to another address is not chosen by the page
			s.answered(e.RequestID, e.RedirectResponse)
			return
		}
		if !ofScript(e) || e.LoaderID != own && !s.frames[e.LoaderID] || len(s.open) >= maxRequests {
			return
		}
		if s.open == nil {
			s.open = map[network.RequestID]sentRequest{}
		}
		s.asked++
		s.open[e.RequestID] = sentRequest{originOf(e.Request.URL), pathOf(e.Request.URL), e.Request.Headers, s.asked}
	case *network.EventResponseReceived:
		s.answered(e.RequestID, e.Response)
	case *network.EventLoadingFailed:
		delete(s.open, e.RequestID)
	}
}

// answered notes that a server has got a request.
func (s *sentLog) answered(id network.RequestID, response *network.Response) {
	r, known := s.open[id]
	if !known {
		return
	}
	delete(s.open, id)
	to, known := s.by[r.origin]
	if !known && len(s.by) >= maxSentOrigins {
		return
	}
	if !known {
		to.values = map[string][]sentValue{}
	}
	to.credentials, to.answered = false, true
	for name, value := range response.Headers {
		if strings.EqualFold(name, "Access-Control-Allow-Credentials") {
			to.credentials = value == "true"
		}
	}
	for name, value := range r.headers {
		text, isText := value.(string)
		name = strings.ToLower(name)
		if before, had := to.values[name]; isText && len(text) <= maxSentValue && (had || len(to.values) < maxSentNames) {
			to.values[name] = withSent(before, text, r, isRefusal(response.Status))
		}
	}
	if s.by == nil {
		s.by = map[string]sentTo{}
	}
	s.by[r.origin] = to
}

// shows forgets what was sent before the document that is shown now.
func (s *sentLog) shows() { *s = sentLog{} }

// frame notes the document of a frame of the page.
func (s *sentLog) frame(document cdp.LoaderID) {
	if s.frames == nil {
		s.frames = map[cdp.LoaderID]bool{}
	}
	if len(s.frames) < maxRequests {
		s.frames[document] = true
	}
}
