package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// Part is a request by which a page gets its content: a frame, a script, or data.
type Part struct {
	Method, URL string
	// Data: it is for neither a script nor a frame.
	Data bool
	// Since is when it was asked for.
	Since time.Time
	// Why says what kept it from being loaded. It is empty while an answer is due.
	Why string
	// Begun: the head of the answer is there.
	Begun bool
	// Status is that of an answer that refuses it, or 0. SignIn: it was refused, or answered
	// with a form, because nobody is signed in.
	Status int
	SignIn bool
	// RetryAfter is the header of that name of such an answer, or empty.
	RetryAfter string
	// Again: it failed, and another try of it is under way.
	Again bool
	// Barred: Config.Egress does not let through to its host, or to the one that it was led on to.
	Barred bool
}

// parts keeps account of these requests. The tab's mu guards it.
type parts struct {
	open map[network.RequestID]*openPart
	// failed and faulty have the requests whose last try failed, or was answered with
	// what is not the content; by what they have in common with another try.
	failed, faulty map[string]Part
	rounds         map[string]*rounds
}

type openPart struct {
	Part
	key string
	// settled: its status says that there is nothing, so that its end does not matter.
	settled bool
	// script: a web page in its place is none.
	script bool
	// streams: it goes on for as long as the page does, once it has begun.
	streams bool
}

// rounds counts how often the same request was answered without changing the page, as far
// as that is told.
type rounds struct {
	first time.Time
	count int
}

// A request that was answered so often, or again and again for so long, is a poll.
const (
	pollRounds = 10
	pollTime   = 10 * time.Second
)

// PartBinding is the function by which a script of Config.OnNewDocument tells what was
// wrong with an answer that the page got, and that the page has changed between two
// answers to the same request. It takes a FaultyPart as JSON.
const PartBinding = "poscrapePart"

// SignInForm is what FaultyPart.Why says of an answer that was a sign-in form.
const SignInForm = "was answered with a sign-in form"

// FaultyPart is what a page tells of an answer. Why is empty where nothing is wrong with
// it, after an earlier one was faulty.
type FaultyPart struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Body   string `json:"body"`
	Why    string `json:"why"`
	// Changed: nothing is said of this answer, but that the page is another one than at
	// the last one.
	Changed bool `json:"changed"`
}

// maxFaultyParts and maxBody in bytes bound what a page can make us keep, and how long the
// body of a request is that another try is recognised by.
const (
	maxFaultyParts = 100
	maxBody        = 64 << 10
)

// Unloaded returns the requests by which the page, since it is shown, has not got all of
// its content: those that failed, and those still open, the earliest first. What was
// blocked, or given up by the page, is not among them, nor is what came at another try,
// nor a poll.
func (t *Tab) Unloaded() []Part {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &t.parts
	var found []Part
	for key, part := range p.failed {
		if !p.polls(key) {
			part.Again = p.tries(key)
			found = append(found, part)
		}
	}
	for key, part := range p.faulty {
		if _, known := p.failed[key]; !known {
			found = append(found, part)
		}
	}
	for id, o := range p.open {
		if o.Why == "" && string(id) != string(t.committed) && !p.polls(o.key) {
			found = append(found, o.Part)
		}
	}
	slices.SortFunc(found, func(a, b Part) int { return a.Since.Compare(b.Since) })
	return found
}

// tries reports whether a request that failed is open once more.
func (p *parts) tries(key string) bool {
	for _, o := range p.open {
		if o.key == key && o.Why == "" && !o.settled {
			return true
		}
	}
	return false
}

// polls reports whether a request comes round and round.
func (p *parts) polls(key string) bool {
	r := p.rounds[key]
	return r != nil && (r.count >= pollRounds || r.count > 1 && time.Since(r.first) >= pollTime)
}

// shows forgets what the page has asked for that another one now takes the place of.
func (p *parts) shows(document cdp.LoaderID) {
	own := p.open[network.RequestID(document)]
	*p = parts{}
	if own != nil {
		p.open = map[network.RequestID]*openPart{network.RequestID(document): own}
	}
}

// onRequest runs on chromedp's read loop.
func (t *Tab) onRequest(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &t.parts
	if t.browser.cfg.KeepReplies {
		t.replies.on(event)
	}
	if t.browser.cfg.KeepHeaders {
		t.sent.on(event, t.committed)
		t.browser.put.on(event)
	}
	switch e := event.(type) { // the other events are not about requests
	case *network.EventRequestWillBeSent:
		switch e.Type {
		case network.ResourceTypeDocument, network.ResourceTypeScript, network.ResourceTypeXHR, network.ResourceTypeFetch, network.ResourceTypeEventSource:
			p.ask(e)
		}
	case *network.EventResponseReceived:
		if o := p.open[e.RequestID]; o != nil {
			p.begin(e.RequestID, o, e.Response)
		}
	case *network.EventLoadingFinished:
		p.end(e.RequestID, "")
	case *network.EventLoadingFailed:
		p.cutOff(e, t.browser.bars(e.ErrorText))
	case *network.EventWebSocketCreated:
		p.add(e.RequestID, &openPart{Part: Part{Method: http.MethodGet, URL: "http" + strings.TrimPrefix(e.URL, "ws"), Data: true}, streams: true}, "")
	case *network.EventWebSocketHandshakeResponseReceived:
		if o := p.open[e.RequestID]; o != nil {
			p.begin(e.RequestID, o, &network.Response{Status: e.Response.Status})
		}
	case *network.EventWebSocketClosed:
		if o := p.open[e.RequestID]; o != nil && !o.Begun && t.browser.bars(t.browser.reason(socketFailed, o.URL)) {
			o.Barred = true
			p.end(e.RequestID, whyBarred)
		}
		delete(p.open, e.RequestID)
	case *runtime.EventBindingCalled:
		if e.Name == PartBinding {
			p.noteFaulty(e.Payload)
		}
	}
}

// whyBarred is why a part is not there to whose host there is no way.
const whyBarred = "was not let out of the container, as the recipe's allowed_hosts do not name its host, or one that it leads to"

// cutOff notes that a request ended without its answer, or was barred.
func (p *parts) cutOff(e *network.EventLoadingFailed, barred bool) {
	why := "was cut off (" + e.ErrorText + ")"
	o := p.open[e.RequestID]
	switch {
	case barred && o != nil:
		o.Barred, why = true, whyBarred
	case e.CorsErrorStatus != nil:
		why = "was not given to the page (" + string(e.CorsErrorStatus.CorsError) + ")"
	}
	switch {
	case e.Canceled && o != nil && o.Begun: // the page has not read the body
		why = ""
	case e.Canceled || e.BlockedReason != "" || e.ErrorText == blockedHere:
		delete(p.open, e.RequestID)
	}
	p.end(e.RequestID, why)
}

// blockedHere is Chrome's name of what was stopped on this side.
const blockedHere = "net::ERR_BLOCKED_BY_CLIENT"

func (p *parts) ask(e *network.EventRequestWillBeSent) {
	switch {
	case p.open[e.RequestID] != nil: // led on by its server, it stays what was asked for
		return
	case e.LoaderID == "" || !strings.HasPrefix(e.Request.URL, "http"): // the end of a worker's script is told to the worker
		return
	case ofWorld(e.Initiator): // it is none of the page's
		return
	}
	p.add(e.RequestID, &openPart{Part: Part{Method: e.Request.Method, URL: e.Request.URL, Data: e.Type != network.ResourceTypeScript && e.Type != network.ResourceTypeDocument},
		streams: e.Type == network.ResourceTypeEventSource, script: e.Type == network.ResourceTypeScript}, posted(e))
}

// posted returns the body of a request, by which another try of it is recognised.
func posted(e *network.EventRequestWillBeSent) string {
	body := formOf(e.Request)
	if e.Request.HasPostData && body == "" {
		return string(e.RequestID) // it is too long to be compared
	}
	return body
}

func (p *parts) add(id network.RequestID, o *openPart, body string) {
	if p.open == nil {
		p.open = map[network.RequestID]*openPart{}
	}
	o.Since, o.key = time.Now(), sameRequest(o.Method, o.URL, body)
	if len(p.open) < maxRequests {
		p.open[id] = o
	}
}

// begin notes the head of an answer.
func (p *parts) begin(id network.RequestID, o *openPart, answer *network.Response) {
	status, kind := int(answer.Status), answer.MimeType
	switch o.Begun = true; {
	case refuses(status):
		o.Why, o.Status, o.SignIn = fmt.Sprintf("was answered with status %d", status), status, status == http.StatusUnauthorized
		o.RetryAfter = headersOf(answer.Headers)["retry-after"]
		p.fail(o)
	case o.script && status < http.StatusBadRequest && isPage(kind):
		o.Why = "was answered with a web page in place of a script"
		p.fail(o)
	case status >= http.StatusBadRequest:
		o.settled = true
		p.mend(o)
	case o.streams || kind == "text/event-stream":
		p.mend(o)
		delete(p.open, id)
	}
}

// end notes the end of an answer, and what was wrong with that.
func (p *parts) end(id network.RequestID, why string) {
	o := p.open[id]
	if o == nil {
		return
	}
	delete(p.open, id)
	switch {
	case o.settled || o.Why != "":
	case why != "":
		o.Why = why
		p.fail(o)
	default:
		p.mend(o)
		r := p.rounds[o.key]
		if r == nil {
			if p.rounds == nil {
				p.rounds = map[string]*rounds{}
			}
			r = &rounds{first: o.Since}
			p.rounds[o.key] = r
		}
		r.count++
	}
}

// mend forgets a failure of which this answer is another try: one that was asked for before it is none, such as the
// page itself, whose end comes after what it asks for by its own address.
func (p *parts) mend(o *openPart) {
	if failed, known := p.failed[o.key]; known && !o.Since.Before(failed.Since) {
		delete(p.failed, o.key)
	}
}

func (p *parts) fail(o *openPart) {
	if p.failed == nil {
		p.failed = map[string]Part{}
	}
	if _, known := p.failed[o.key]; known || len(p.failed) < maxRequests {
		p.failed[o.key] = o.Part
	}
}

// noteFaulty notes what the page says of an answer.
func (p *parts) noteFaulty(payload string) {
	var said FaultyPart
	if json.Unmarshal([]byte(payload), &said) != nil || len(payload) > 4*maxBody {
		return
	}
	key := sameRequest(said.Method, said.URL, said.Body)
	if said.Changed { // it is no poll, or begins to be one now
		delete(p.rounds, key)
		return
	}
	if said.Why == "" {
		delete(p.faulty, key)
		return
	}
	if p.faulty == nil {
		p.faulty = map[string]Part{}
	}
	if len(p.faulty) < maxFaultyParts {
		p.faulty[key] = Part{Method: said.Method, URL: said.URL, Since: time.Now(), Why: shorten(said.Why), Begun: true, SignIn: said.Why == SignInForm}
	}
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

// sameRequest returns what a request has in common with another try of it, which may
// carry another number to pass by caches.
func sameRequest(method, address, body string) string {
	u, err := ParseURL(address)
	if err != nil {
		return method + " " + address + " " + body
	}
	query := u.Query()
	for name, values := range query {
		if len(values) == 1 && passesCaches(name, values[0]) {
			delete(query, name)
		}
	}
	u.RawQuery, u.Fragment = query.Encode(), ""
	return method + " " + u.String() + " " + body
}

var (
	busterName  = regexp.MustCompile(`(?i)^(_|_?ts?|_?time(stamp)?|no_?cache|cache_?bust(er)?|cb|_?dc|bust|rnd|rand(om)?)$`)
	busterValue = regexp.MustCompile(`^[0-9a-fA-F.-]{6,}$`)
	// A time in milliseconds, or what Math.random returns.
	chanceValue = regexp.MustCompile(`^(1\d{12}|0\.\d{6,})$`)
)

func passesCaches(name, value string) bool {
	return chanceValue.MatchString(value) || busterName.MatchString(name) && busterValue.MatchString(value) ||
		value == "" && chanceValue.MatchString(name)
}
