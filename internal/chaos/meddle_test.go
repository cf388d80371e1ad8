//go:build linux

package chaos

import (
	"net/http"
	"strconv"
	"sync/atomic"
)

// countdown lets all requests pass but the n-th of those that number knows.
func countdown(n int, number func(*http.Request) string, meet meddler) meddler {
	var left atomic.Int64
	left.Store(int64(n))
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if number(r) != "" && left.Add(-1) == 0 {
			meet(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	}
}

// atHalf sends half of the n-th document, closes reached, and then nothing more.
func atHalf(n int, reached chan struct{}) meddler {
	return countdown(n, documentOf, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&halved{ResponseWriter: w, at: func() {
			close(reached)
			<-r.Context().Done()
		}}, r)
	})
}

// halved passes on the first half of a document and then calls at.
type halved struct {
	http.ResponseWriter
	sent int64
	at   func()
}

// Unwrap is for http.ResponseController.
func (h *halved) Unwrap() http.ResponseWriter { return h.ResponseWriter }

func (h *halved) Write(b []byte) (int, error) {
	size, _ := strconv.ParseInt(h.Header().Get("Content-Length"), 10, 64) // none: a page of an error
	n, err := h.ResponseWriter.Write(b[:min(int64(len(b)), max(0, size/2-h.sent))])
	h.sent += int64(n)
	if err != nil || h.sent < size/2 {
		return n, err
	}
	if err := http.NewResponseController(h.ResponseWriter).Flush(); err != nil {
		return n, err
	}
	h.at()
	return n, http.ErrAbortHandler
}
