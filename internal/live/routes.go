package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/nofollow"
)

// stopReason is why a session is stopped, for its report.
const stopReason = "stopped on the live page"

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.servePage)
	mux.HandleFunc("GET /events", s.serveEvents)
	mux.HandleFunc("GET /picture/{worker}", s.servePicture)
	mux.HandleFunc("GET /orders/", s.serveFile)
	mux.HandleFunc("GET /evidence/", s.serveFile)
	if s.cfg.SignIn != nil {
		mux.Handle("/sign-in/", http.StripPrefix("/sign-in", s.cfg.SignIn))
	}
	session := s.cfg.Session
	s.steer(mux, "pause", func(int) error { _, err := session.Pause(); return err })
	s.steer(mux, "resume", func(int) error { _, err := session.GoOn(); return err })
	s.steer(mux, "scale", session.Scale)
	s.steer(mux, "stop", func(int) error { return session.Stop(stopReason, false) })
	s.steer(mux, "stop-now", func(int) error { return session.Stop(stopReason, true) })
	return mux
}

// servePage answers with the report as it stands.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	now, err := s.report.page(r.Context())
	if err != nil {
		http.Error(w, "The report cannot be made now: "+err.Error()+". Try again.", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	s.take(w, now.page)
}

// take writes an answer to a viewer, who may be slow, but not for ever.
func (s *Server) take(w http.ResponseWriter, content []byte) {
	if http.NewResponseController(w).SetWriteDeadline(time.Now().Add(6*requestTime)) == nil {
		_, _ = w.Write(content) // an error means that the viewer is gone
	}
}

// servePicture answers with what a worker's browser showed last.
func (s *Server) servePicture(w http.ResponseWriter, r *http.Request) {
	if s.cfg.Gallery == nil {
		http.NotFound(w, r)
		return
	}
	shot, there := s.cfg.Gallery.Latest(r.PathValue("worker"))
	if !there {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	s.take(w, shot.PNG)
}

// serveFile answers with a document or with evidence, to be saved: what came from a portal
// is never shown as a page of this server.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	info, err := nofollow.Lstat(s.root, name)
	if err != nil || !info.Mode().IsRegular() {
		http.NotFound(w, r)
		return
	}
	f, err := s.root.Open(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
	w.Header().Set("Content-Disposition", "attachment")
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "", info.ModTime(), f)
}

// asked is the body of a request to steer.
type asked struct {
	Workers int `json:"workers"`
}

// steer has the session steered by POST /what.
func (s *Server) steer(mux *http.ServeMux, what string, do func(workers int) error) {
	mux.HandleFunc("POST /"+what, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") != "application/json" { // no form of another site can send that
			http.Error(w, "Not permitted: the request is not JSON.", http.StatusUnsupportedMediaType)
			return
		}
		var body asked
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&body); err != nil {
			http.Error(w, "The request cannot be read: "+err.Error(), http.StatusBadRequest)
			return
		}
		if err := do(body.Workers); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// event is what followers are told.
type event struct {
	control.Snapshot
	// Pictures are the workers of which there are pictures, and when they were taken.
	Pictures map[string]time.Time `json:"pictures"`
	// SignIn: the session waits until a person signs in.
	SignIn bool `json:"sign_in"`
	// Ended: nothing more will come.
	Ended bool `json:"ended"`
}

// serveEvents tells how the session goes on, as server-sent events.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	select {
	case s.viewers <- struct{}{}:
		defer func() { <-s.viewers }()
	default:
		http.Error(w, "There are too many viewers.", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	for now := range control.Watch(r.Context(), s.cfg.Session) {
		if s.cfg.Gallery != nil {
			s.cfg.Gallery.Watched()
		}
		if out.SetWriteDeadline(time.Now().Add(requestTime)) != nil || tell(w, s.eventOf(now)) != nil || out.Flush() != nil {
			return
		}
	}
}

func (s *Server) eventOf(now control.Snapshot) event {
	e := event{Snapshot: now, Pictures: map[string]time.Time{}}
	if s.cfg.Gallery != nil {
		e.Pictures = s.cfg.Gallery.Taken()
	}
	e.SignIn = s.cfg.SignIn != nil && s.cfg.SignIn.Wanted()
	select {
	case <-s.cfg.Session.Ended():
		e.Ended = true
	default:
	}
	return e
}

// tell writes an event.
func tell(w http.ResponseWriter, e event) error {
	text, err := json.Marshal(e)
	if err != nil {
		return errors.Join(errors.New("telling how the session goes on"), err)
	}
	_, err = fmt.Fprintf(w, "data: %s\n\n", text)
	return err
}
