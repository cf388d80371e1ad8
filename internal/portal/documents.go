package portal

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
)

// document returns the document that the request's path names, and its order.
func (p *Portal) document(r *http.Request) (*order, *Document) {
	o := p.byNumber[r.PathValue("number")]
	n, err := strconv.Atoi(r.PathValue("n"))
	if o == nil || err != nil || n < 1 || n > len(o.Documents) {
		return nil, nil
	}
	return o, &o.Documents[n-1]
}

// serveDocument answers with a document, in the way that it is delivered.
func (p *Portal) serveDocument(w http.ResponseWriter, r *http.Request) {
	o, doc := p.document(r)
	if doc == nil {
		p.serveElse(w, r)
		return
	}
	before := p.counter.document(o.Number, doc.Name)
	if !p.pause(r, p.config.Latency) {
		return
	}
	switch doc.delivery {
	case deliverError:
		p.serveNotice(w, http.StatusInternalServerError, serverError())
	case deliverLogin:
		p.serveLogin(w)
	case deliverDisguisedLogin:
		documentHeader(w, doc)
		p.serveLogin(w)
	case deliverMoved:
		http.Redirect(w, r, "/files/"+o.Number+"/"+r.PathValue("n"), http.StatusFound)
	case deliverTruncated:
		p.truncate(w, doc)
	case deliverNothing:
		documentHeader(w, doc)
		w.Header().Set("Content-Length", "0")
	case deliverSlow:
		if p.pause(r, p.config.Slow) {
			documentHeader(w, doc)
			send(p.newDripper(w, r, doc.Size), doc)
		}
	case deliverForm, deliverOnce, deliverBriefly, deliverCompressed, deliverChunked, deliverCutOnce:
		p.serveOdd(w, r, doc, before)
	default:
		documentHeader(w, doc)
		send(w, doc)
	}
}

// serveMoved answers at the address that documents have moved to.
func (p *Portal) serveMoved(w http.ResponseWriter, r *http.Request) {
	_, doc := p.document(r)
	if doc == nil || doc.delivery != deliverMoved {
		p.serveElse(w, r)
		return
	}
	documentHeader(w, doc)
	send(w, doc)
}

// serveContent answers a script with the bytes of a document that it makes.
func (p *Portal) serveContent(w http.ResponseWriter, r *http.Request) {
	o, doc := p.document(r)
	if doc == nil || doc.Path != "" {
		p.serveElse(w, r)
		return
	}
	p.counter.document(o.Number, doc.Name)
	wait := p.config.Latency
	if doc.link == linkLate {
		wait = p.config.Slow
	}
	if !p.pause(r, wait) {
		return
	}
	documentHeader(w, doc)
	w.Header().Del("Content-Disposition")
	send(w, doc)
}

// serveList answers a script with the list of an order's documents.
func (p *Portal) serveList(w http.ResponseWriter, r *http.Request) {
	o := p.byNumber[r.PathValue("number")]
	if o == nil || o.fetched == 0 {
		p.serveElse(w, r)
		return
	}
	p.counter.list(o.Number)
	if !p.pause(r, p.config.Latency) {
		return
	}
	writeJSON(w, listFiles(o, r.Host))
}

// serveNews answers a script that keeps asking whether there is any news.
func (p *Portal) serveNews(w http.ResponseWriter, _ *http.Request) {
	p.counter.poll()
	writeJSON(w, map[string]int{"unread": 0})
}

// writeJSON sends v. An error means that the client has gone: nothing that is
// sent here can fail to be encoded.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(v)
}

// documentHeader sets what the server says about a document.
func documentHeader(w http.ResponseWriter, doc *Document) {
	h := w.Header()
	h.Set("Content-Type", doc.MIME)
	if doc.delivery == deliverBare {
		h.Set("Content-Type", "application/octet-stream")
	}
	if d := doc.disposition(); d != "" {
		h.Set("Content-Disposition", d)
	}
	h.Set("Cache-Control", "private, no-store")
	if !doc.Broken {
		h.Set("Content-Length", strconv.FormatInt(doc.Size, 10))
		h.Set("ETag", `"`+doc.SHA256[:16]+`"`)
	}
}

// send writes the document. An error means that the client has gone.
func send(w io.Writer, doc *Document) { _ = doc.content.write(w) }

// truncate announces the whole document, sends half of it and cuts the
// connection.
func (p *Portal) truncate(w http.ResponseWriter, doc *Document) {
	documentHeader(w, doc)
	w.Header().Set("Content-Length", strconv.FormatInt(doc.Size, 10))
	send(&cutter{to: w, left: doc.Size / 2}, doc)
	// An error means that the client has gone.
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// errCut ends the writing of a document that is cut.
var errCut = errors.New("portal: cut")

// cutter passes on the first bytes of what is written.
type cutter struct {
	to   io.Writer
	left int64
}

func (c *cutter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b[:min(int64(len(b)), c.left)])
	c.left -= int64(n)
	if err == nil && c.left == 0 {
		err = errCut
	}
	return n, err
}

// serveLogin answers with a login page and status 200. Headers that are set
// already stay.
func (p *Portal) serveLogin(w http.ResponseWriter) {
	page, err := p.render("login", nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if w.Header().Get("Content-Type") == "" {
		pageHeader(w)
	}
	// An error means that the client has gone.
	_, _ = w.Write(page)
}
