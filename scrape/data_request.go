package scrape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// question is a request for data that poscrape makes itself.
type question struct {
	method, address string
	headers         browser.Headers
	// body is of this kind; both are empty where there is none.
	body, kind string
	// alone: no cookies go with it to another origin than the page's.
	alone bool
}

func (q question) String() string { return q.method + " " + browser.Redact(q.address) }

// got is what fetch.js returns of data.
type got struct {
	Text   string `json:"text"`
	Status int    `json:"status"`
	// Why says why there is no text, or is empty.
	Why        string `json:"why"`
	RetryAfter string `json:"retryAfter"`
	// Type is the content type; Link, Total and Range are what the headers Link, X-Total-Count and Content-Range say.
	Type  string `json:"type"`
	Link  string `json:"link"`
	Total string `json:"total"`
	Range string `json:"range"`
}

// key tells a source from any other.
func (s DataSource) key() string {
	var headers []string
	for _, h := range s.Headers {
		headers = append(headers, strings.ToLower(h.Name)+": "+h.Text+h.Secret.Env+h.Secret.File)
	}
	slices.Sort(headers)
	return strings.Join(append([]string{s.Answer, s.Get, s.Post, s.Body.key(), s.Script, s.Cookie, s.Storage}, headers...), "\x00")
}

// needs returns the templates of what is requested, as far as they differ from order to order.
func (s DataSource) needs() string { return s.Get + s.Post + s.Body.needs() }

// needsFields returns the names of the fields that a request is made of.
func (s DataSource) needsFields() []string { return fieldNames(s.template()) }

// template returns needs and the templates of the headers.
func (s DataSource) template() string {
	text := s.needs()
	for _, h := range s.Headers {
		text += h.Text
	}
	return text
}

// request asks for data in the page's session. told tells the values of fields.
func (a *attempt) request(ctx context.Context, source DataSource, told tellField) (*dataset, error) {
	q, asked, why := a.question(source, told)
	if why != "" {
		return &dataset{asked: asked, why: why}, nil
	}
	if q.method == http.MethodPost {
		return a.post(ctx, source, q)
	}
	return a.exchange(ctx, source, q)
}

// question returns the request for a source, or why none is to be made. asked: the order has all
// that it needs.
func (a *attempt) question(source DataSource, told tellField) (q question, asked bool, why string) {
	q.method, q.address = http.MethodGet, source.Get
	if source.Post != "" {
		q.method, q.address = http.MethodPost, source.Post
	}
	text, why := a.fillIn(q.address, told)
	if why != "" {
		return q, false, why
	}
	address, err := a.address.Parse(text)
	if err != nil {
		return q, false, fmt.Sprintf("%q is no address: %v", q.address, err)
	}
	q.address = address.String()
	if source.Body != nil {
		if q.body, why = source.Body.fill(func(name string) (string, string) { return a.standsFor(source.Body.String(), name, told) }); why != "" {
			return q, false, why
		}
		q.kind = source.Body.kind()
	}
	if !a.allowed(q.address) {
		return q, true, fmt.Sprintf("%v was not sent: the recipe's allowed_hosts do not name %s", q, address.Host)
	}
	if why := a.withheld(a.fieldsOf, source.needs(), q.address); why != "" {
		return q, true, fmt.Sprintf("%v was not sent: %s", q, why)
	}
	if q.headers, why = a.headersFor(q.address, source.Headers, told); why != "" {
		return q, true, fmt.Sprintf("%v was not sent: %s", q, why)
	}
	if source.Post != "" || len(source.Headers) > 0 {
		allowed, known := a.sent.Credentials(q.address)
		q.alone = known && !allowed
	}
	return q, true, ""
}

// exchange sends a request, and returns what its answer says.
func (a *attempt) exchange(ctx context.Context, source DataSource, q question) (*dataset, error) {
	if err := a.portal.wait(ctx, q.address); err != nil {
		return nil, err
	}
	got, err := a.get(ctx, q)
	if err != nil {
		return nil, err
	}
	switch {
	case got.Status == http.StatusUnauthorized && a.refusedPart(source):
		got.Why = "was answered with status 401, though the page is shown; what does the portal ask for besides cookies (headers)?"
		if len(source.Headers) > 0 {
			got.Why = "was answered with status 401, though the page is shown, and " + strings.Join(headerNames(source.Headers), ", ") + " went along"
		}
	case got.Status == http.StatusUnauthorized, got.Status == http.StatusTooManyRequests, got.Status == http.StatusServiceUnavailable:
		return nil, a.checkStatus(&browser.Response{URL: q.address, Status: got.Status, Header: map[string]string{"retry-after": got.RetryAfter}}, q.address)
	case got.Status/100 == 2:
		a.portal.refusals.answered(source.key())
	}
	value, why := any(nil), got.Why
	if why == "" {
		value, why = readJSON([]byte(got.Text))
	}
	set := &dataset{asked: true, of: a.number()}
	if why != "" {
		set.why = fmt.Sprintf("%s %s %s", q.method, a.shortened(q.address), why)
		return set, nil
	}
	tasks.Active(ctx)
	d := a.ofRequest(source, q, value, got.Type)
	d.head, d.asked = pagedHead{got.Link, got.Total, got.Range}, q.address+"\n"+q.body+"\n"+q.headers.Value("range")
	set.add(d)
	return set, nil
}

// ofRequest says whose the answer to a request is. One to a search, or to a POST, that has another order's
// number and not this one's is that order's, whatever was asked for; and so is one to an address that
// names the order, if it is called by the other number.
func (a *attempt) ofRequest(source DataSource, q question, value any, kind string) datum {
	d := datum{value: value, from: q.address, named: !fieldsAlone(source.needs()), fault: a.fault(value, kind), search: a.asksBy(q.method, q.address)}
	if d.named && !d.search {
		d.other = a.number().stranger(value)
		d.named = d.other == ""
		return d
	}
	if shown := anyScalar(value, a.number().Alone); shown {
		d.shown = !d.named
		return d
	}
	if d.other = cmp.Or(a.otherIn(value), a.number().otherBeside(value)); d.other != "" {
		d.named = false
	}
	return d
}

// get asks for data beside the order's page, with its cookies and out of its scripts' reach.
func (a *attempt) get(ctx context.Context, q question) (*got, error) {
	headers := map[string]string{}
	for _, name := range q.headers.Names() {
		headers[name] = q.headers.Value(name)
	}
	if q.kind != "" {
		headers["content-type"] = q.kind
	}
	asked := map[string]any{"url": q.address, "method": q.method, "headers": headers, "alone": q.alone}
	if q.kind != "" {
		asked["body"] = q.body
	}
	tab, id, answer := a.browser.Tab(), uuid.NewString(), &got{}
	err := tab.EvaluateApart(ctx, fetchLibrary(), call("get", id, asked, browser.MaxReply), answer)
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		a.abort(ctx, id)
		return nil, err
	case errors.Is(err, browser.ErrLost), pageLost(err):
		return nil, err
	}
	return &got{Why: "was given up, as the page went away meanwhile"}, nil
}

// abort ends a request of fetch.js that is not wanted any more.
func (a *attempt) abort(ctx context.Context, id string) {
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTimeout)
	defer cancel()
	_ = a.browser.Tab().EvaluateApart(late, fetchLibrary(), call("abort", id), nil) // it ends with its page at the latest
}
