package browser

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// head is what an answer says before its body.
type head struct {
	url    string
	status int
	// reason is the phrase that goes with the status: there is none since HTTP/2.
	reason string
	names  []string
	values []string
}

func pausedHead(e *fetch.EventRequestPaused) head {
	h := head{url: e.Request.URL, status: int(e.ResponseStatusCode), reason: e.ResponseStatusText}
	for _, field := range e.ResponseHeaders {
		h.names, h.values = append(h.names, field.Name), append(h.values, field.Value)
	}
	return h
}

func loadedHead(address string, r *network.LoadNetworkResourcePageResult) head {
	h := head{url: address, status: int(r.HTTPStatusCode)}
	for name, value := range r.Headers {
		if text, ok := value.(string); ok {
			h.names, h.values = append(h.names, name), append(h.values, text)
		}
	}
	return h
}

// get returns the values of a field as one, or nothing.
func (h head) get(name string) string {
	var all []string
	for i := range h.names {
		if strings.EqualFold(h.names[i], name) {
			all = append(all, h.values[i])
		}
	}
	return strings.Join(all, ", ")
}

// coding returns how the body is encoded on its way, or nothing.
func (h head) coding() string {
	coding := strings.TrimSpace(h.get("Content-Encoding"))
	if strings.EqualFold(coding, "identity") {
		return ""
	}
	return coding
}

func (h head) chunked() bool {
	return strings.HasSuffix(strings.ToLower(strings.TrimSpace(h.get("Transfer-Encoding"))), "chunked")
}

// length returns the size that is announced for the body on its way, or -1.
func (h head) length() int64 {
	text, _, _ := strings.Cut(h.get("Content-Length"), ",") // Chrome refuses lengths that differ
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 || h.chunked() {
		return -1
	}
	return n
}

// announced returns the size that is announced for the bytes on disk, or -1: the length
// of an encoded body is another one.
func (h head) announced() int64 {
	if h.coding() != "" {
		return -1
	}
	return h.length()
}

// validators returns what the head says of the version of its body (RFC 9110, 8.8): its
// tag, when it was made, and its size. It is empty where that is not enough to tell it
// from another.
func (h head) validators() string {
	tag, modified, size := h.get("ETag"), h.get("Last-Modified"), h.announced()
	if size < 0 || tag == "" && modified == "" {
		return ""
	}
	return fmt.Sprintf("%s\n%s\n%d", tag, modified, size)
}

// unproven says why a body that has ended may still lack a part, or returns "". Chrome
// tells when fewer bytes came than announced, and when the last chunk or the end of a stream
// is missing; it does not tell when an encoded body ends too early within its encoding
// (measured with Chromium 156).
func (h head) unproven() string {
	switch {
	case !h.ends():
		return "neither its length nor its end was announced"
	case h.coding() != "":
		return "it came encoded (" + h.coding() + "), and a browser does not tell whether that was whole"
	}
	return ""
}

// ends reports whether the end of the body is announced, and so a cut one told by Chrome.
func (h head) ends() bool { return h.length() >= 0 || h.chunked() || h.streams() }

// streams reports whether the answer came by HTTP/2 or later, which mark the end of each
// body: only by TLS, without a phrase behind the status, and with names in lower case.
func (h head) streams() bool {
	u, err := ParseURL(h.url)
	if err != nil || u.Scheme != "https" || h.reason != "" || h.get("Connection") != "" {
		return false
	}
	for _, name := range h.names {
		if strings.ContainsFunc(name, unicode.IsUpper) {
			return false
		}
	}
	return true
}

// partial reports whether the answer is a part of the document only, which nobody asked for.
func (h head) partial() bool {
	text := strings.TrimSpace(h.get("Content-Range"))
	if text == "" {
		return h.status == 206
	}
	first, total, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(strings.ToLower(text), "bytes")), "/")
	from, to, dash := strings.Cut(first, "-")
	last, err := strconv.ParseInt(to, 10, 64)
	size, sizeErr := strconv.ParseInt(strings.TrimSpace(total), 10, 64)
	if !ok || !dash || err != nil {
		return h.status == 206
	}
	return from != "0" || sizeErr != nil || last+1 != size
}
