package browser

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// look decides about one answer. It is not final for a redirect that may be followed.
func (l *lane) look(ctx context.Context, req Request, e *fetch.EventRequestPaused) (verdict, bool) {
	header := func(name string) string {
		for _, h := range e.ResponseHeaders {
			if strings.EqualFold(h.Name, name) {
				return h.Value
			}
		}
		return ""
	}
	address, status := e.Request.URL, int(e.ResponseStatusCode)
	v := verdict{url: address, kind: header("Content-Type"), announced: announced(header)}
	refuse := func(err *DownloadError) (verdict, bool) {
		err.Status, err.Announced = status, v.announced
		v.refusal = err
		if cerr := l.refuse(ctx, e); cerr != nil {
			v.refusal = cerr
		}
		return v, true
	}
	switch {
	case e.ResponseErrorReason != "":
		return refuse(&DownloadError{Kind: KindUnreachable, URL: address, Text: string(e.ResponseErrorReason)})
	case status >= 300 && status < 400 && header("Location") != "":
		next := redirected(address, header("Location"))
		if !req.Allowed(next) {
			return refuse(&DownloadError{Kind: KindHost, URL: next})
		}
		if _, err := call(ctx, l.tab, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID}); err != nil {
			v.refusal = err
			return v, true
		}
		return v, false
	case status < 200 || status >= 300 || status == 204 || status == 205:
		return refuse(&DownloadError{Kind: KindStatus, URL: address, RetryAfter: header("Retry-After")})
	case isPage(v.kind) && !req.WantsPage && !isAttachment(header("Content-Disposition")):
		return refuse(&DownloadError{Kind: KindPage, URL: address})
	case v.announced > req.MaxSize:
		return refuse(&DownloadError{Kind: KindTooLarge, URL: address, Limit: req.MaxSize})
	}
	return l.take(ctx, e, v, req.Dir, header("Content-Disposition")), true
}

// take has the body of an answer come that is accepted.
func (l *lane) take(ctx context.Context, e *fetch.EventRequestPaused, v verdict, dir, disposition string) verdict {
	if v.announced < 0 || v.announced > streamAtMost {
		v.refusal = l.accept(ctx, e, disposition)
		v.download = v.refusal == nil
		return v
	}
	v.file, v.refusal = l.stream(ctx, e, dir, v.announced)
	if v.file != nil {
		v.file.URL, v.file.Type = v.url, v.kind
		v.file.Suggested = SuggestName(disposition, v.url)
	}
	return v
}

// streamAtMost is how large a document may be whose body is streamed. A larger one is
// a download even if its length is known: messages of the protocol bring some 10 MB a
// second, and Chrome itself writes ten times as fast. Where such a download is cut,
// only the stall timeout tells.
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

// announced returns the size of the bytes on disk that the head announces, or -1:
// the length of a compressed body is another one.
func announced(header func(string) string) int64 {
	if coding := header("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return -1
	}
	n, err := strconv.ParseInt(strings.TrimSpace(header("Content-Length")), 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

func redirected(from, location string) string {
	base, err := url.Parse(from)
	if err != nil {
		return location
	}
	next, err := base.Parse(location)
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
