package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Why a session is stopped, for its report.
const (
	stopReason      = "stopped by 'poscrape worker stop'"
	forceStopReason = "stopped by 'poscrape worker stop --force'"
)

// The bodies of requests.
type (
	scaleRequest struct {
		Workers int `json:"workers"`
	}
	stopRequest struct {
		Force bool `json:"force"`
	}
)

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/status", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, s.session.Snapshot().Status)
	})
	mux.HandleFunc("GET /v1/workers", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, s.session.Snapshot().Workers)
	})
	mux.HandleFunc("GET /v1/watch", s.watch)
	mux.HandleFunc("GET /v1/end", s.awaitEnd)
	mux.HandleFunc("POST /v1/scale", s.ask("scale", func(r *http.Request) (string, error) {
		var asked scaleRequest
		if err := read(r, &asked); err != nil {
			return "", err
		}
		err := s.session.Scale(asked.Workers)
		return s.scaled(asked.Workers), err
	}))
	mux.HandleFunc("POST /v1/pause", s.ask("pause", func(r *http.Request) (string, error) {
		if err := read(r, &struct{}{}); err != nil {
			return "", err
		}
		already, err := s.session.Pause()
		if already {
			return "paused already: no order is begun; continue with 'poscrape worker resume'", err
		}
		return "paused: no order is begun, those in progress are finished; continue with 'poscrape worker resume'", err
	}))
	mux.HandleFunc("POST /v1/resume", s.ask("resume", func(r *http.Request) (string, error) {
		if err := read(r, &struct{}{}); err != nil {
			return "", err
		}
		ended, err := s.session.GoOn()
		return s.goneOn(ended), err
	}))
	mux.HandleFunc("POST /v1/stop", s.ask("stop", func(r *http.Request) (string, error) {
		var asked stopRequest
		if err := read(r, &asked); err != nil {
			return "", err
		}
		if asked.Force {
			return "stopping: orders in progress are put back", s.session.Stop(forceStopReason, true)
		}
		return "stopping: orders in progress are finished", s.session.Stop(stopReason, false)
	}))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusNotFound, map[string]*Error{"error": {
			Message: fmt.Sprintf("there is no %.100q: this session speaks version %d of the protocol", r.Method+" "+r.URL.Path, Protocol)}})
	})
	return mux
}

// scaled says what follows when a person asks for n workers.
func (s *Server) scaled(n int) string {
	text := fmt.Sprintf("%d workers are asked for", n)
	if n == 1 {
		text = "1 worker is asked for"
	}
	for _, l := range s.session.Snapshot().Status.Limits {
		if l.Workers < n {
			text += fmt.Sprintf("; there are %d at most for now: %s", l.Workers, l.Reason)
		}
	}
	return text
}

// goneOn says what follows when a person lets the session go on.
func (s *Server) goneOn(ended bool) string {
	text := "nobody had paused it"
	if ended {
		text = "going on"
	}
	for _, h := range s.session.Snapshot().Status.Holds {
		if h.Owner != HeldByPerson {
			text += "; it is still paused: " + h.Reason
		}
	}
	return text
}

// HeldByPerson is the owner of the hold that Pause begins.
const HeldByPerson = "person"

// ask returns the handler of a request to do something, which do carries out; it returns what
// follows.
func (s *Server) ask(what string, do func(*http.Request) (string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		message, err := do(r)
		if err != nil {
			refuse(w, asError(err))
			return
		}
		at := s.session.Snapshot().Status
		answer(w, http.StatusAccepted, Answer{Accepted: what, Message: message, Session: at.Session, Dir: at.Dir})
	}
}

// read reads the body of a request: one JSON value without fields that nobody knows. An empty
// one is the zero value.
func read(r *http.Request, into any) error {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil && decoder.More() {
		err = errors.New("something follows its value")
	}
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return &Error{Message: "the request cannot be read: " + err.Error(), err: err}
}

// watch answers with a Snapshot a line, as Watch tells them.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/jsonl")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	out := http.NewResponseController(w)
	if out.SetReadDeadline(time.Time{}) != nil { // else its end would be taken for the client's
		return
	}
	for now := range Watch(r.Context(), s.session) {
		if out.SetWriteDeadline(time.Now().Add(requestTime)) != nil || encoder.Encode(now) != nil || out.Flush() != nil {
			return
		}
	}
}

// awaitEnd answers with the last Status, when the session has ended.
func (s *Server) awaitEnd(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	if out.SetReadDeadline(time.Time{}) != nil {
		return
	}
	select {
	case <-s.session.Ended():
	case <-r.Context().Done():
		return
	}
	if out.SetWriteDeadline(time.Now().Add(requestTime)) != nil {
		return
	}
	answer(w, http.StatusOK, s.session.Snapshot().Status)
}
