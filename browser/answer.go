package browser

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// decide says what becomes of one answer. It is not final for a redirect that may be followed.
func (l *lane) decide(ctx context.Context, req Request, e *fetch.EventRequestPaused) (answer, bool) {
	h := pausedHead(e)
	v := answer{head: h, announced: h.announced()}
	refuse := func(err *DownloadError) (answer, bool) {
		err.Status, err.Announced = h.status, v.announced
		v.refusal = err
		if cerr := l.refuse(ctx, e); cerr != nil {
			v.refusal = cerr
		}
		return v, true
	}
	location, disposition := h.get("Location"), h.get("Content-Disposition")
	switch {
	case e.ResponseErrorReason != "":
		return refuse(&DownloadError{Kind: KindUnreachable, URL: h.url, Text: string(e.ResponseErrorReason)})
	case h.status >= 300 && h.status < 400 && location != "":
		next := redirected(h.url, location)
		if !req.Allowed(next) {
			return refuse(&DownloadError{Kind: KindHost, URL: next})
		}
		if _, err := call(ctx, l.tab, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID}); err != nil {
			v.refusal = err
			return v, true
		}
		v.leads = next
		return v, false
	case h.status < 200 || h.status >= 300 || h.status == 204 || h.status == 205:
		return refuse(&DownloadError{Kind: KindStatus, URL: h.url, RetryAfter: h.get("Retry-After")})
	case isPage(h.get("Content-Type")) && !req.WantsPage && !isAttachment(disposition) && !namesFile(h.url):
		return refuse(&DownloadError{Kind: KindPage, URL: h.url})
	case h.partial():
		return refuse(&DownloadError{Kind: KindPartial, URL: h.url, Text: h.get("Content-Range")})
	case v.announced > req.MaxSize:
		return refuse(&DownloadError{Kind: KindTooLarge, URL: h.url, Limit: req.MaxSize})
	}
	if valid := h.validators(); valid != "" && valid == req.Known {
		v.file = &File{URL: h.url, Validators: valid, Unchanged: true}
		v.refusal = l.refuse(ctx, e)
		return v, true
	}
	return l.take(ctx, e, v, req, disposition), true
}

// take has the body of an answer come that is accepted.
func (l *lane) take(ctx context.Context, e *fetch.EventRequestPaused, v answer, req Request, disposition string) answer {
	if v.announced < 0 || v.announced > streamAtMost || l.browser.cfg.tellsOf(v.head.url) { // of a body that is streamed Chrome tells nothing
		v.refusal = l.accept(ctx, e, disposition)
		v.download = v.refusal == nil
		return v
	}
	v.file, v.refusal = l.stream(ctx, e, req.Dir, v.head)
	if v.file != nil {
		v.file.Suggested, v.file.Unnamed = SuggestName(disposition, v.head.url, req.Charset), dispositionName(disposition, req.Charset) == ""
	}
	return v
}

// streamAtMost is how large a document may be whose body is streamed. A larger one is
// a download even if its length is known: messages of the protocol bring some 10 MB a
// second, and Chrome itself writes ten times as fast.
const streamAtMost = 2 << 20

// refuse ends a request whose answer is paused, and with it the navigation.
func (l *lane) refuse(ctx context.Context, e *fetch.EventRequestPaused) error {
	_, err := call(ctx, l.tab, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: network.ErrorReasonAborted})
	return err
}

// accept lets the body come, as a download also where a browser would show it.
func (l *lane) accept(ctx context.Context, e *fetch.EventRequestPaused, disposition string) error {
	params := fetch.ContinueResponseParams{RequestID: e.RequestID}
	if !isAttachment(disposition) {
		params.ResponseCode = e.ResponseStatusCode
		for _, h := range e.ResponseHeaders {
			if !strings.EqualFold(h.Name, "Content-Disposition") {
				params.ResponseHeaders = append(params.ResponseHeaders, h)
			}
		}
		_, names, _ := strings.Cut(disposition, ";")
		value := "attachment"
		if names != "" {
			value += ";" + names
		}
		params.ResponseHeaders = append(params.ResponseHeaders, &fetch.HeaderEntry{Name: "Content-Disposition", Value: value})
	}
	_, err := call(ctx, l.tab, fetch.ContinueResponse, params)
	return err
}

func redirected(from, location string) string {
	base, err := ParseURL(from)
	if err != nil {
		return location
	}
	next, err := Resolve(base, location)
	if err != nil {
		return location
	}
	return next.String()
}

func isPage(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return kind == "text/html" || kind == "application/xhtml+xml"
}

func isAttachment(disposition string) bool {
	kind, _, _ := strings.Cut(disposition, ";")
	return strings.EqualFold(strings.TrimSpace(kind), "attachment")
}
