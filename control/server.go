package control

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// requestTime bounds how long a request may take to arrive, and an answer to be taken.
	requestTime = 5 * time.Second
	// idleTime is how long a connection may be silent between two requests.
	idleTime = 30 * time.Second
	// lingering is how long Close waits for answers on their way.
	lingering = time.Second
	// maxConnections is how many clients there may be; others are turned away.
	maxConnections = 32
	maxHeader      = 16 << 10
	maxBody        = 16 << 10
)

// Config says which session is served, and where.
type Config struct {
	Session Session
	// Dir is the session's folder, which this process owns.
	Dir string
	// Loopback serves on a port of this machine, with a token, even where there are sockets.
	Loopback bool
}

// Server serves a session until it is closed.
type Server struct {
	session Session
	at      *endpoint
	http    *http.Server
	life    context.Context
	end     context.CancelFunc
	serving sync.WaitGroup
	closing sync.Once
	closed  error
}

// permitted is the key of a connection's context that says whether it is this user's.
type permitted struct{}

// Serve begins to serve a session, and returns at once.
func Serve(cfg Config) (*Server, error) {
	p, err := settle(cfg.Dir, cfg.Loopback)
	if err != nil {
		return nil, fmt.Errorf("listening in %s: %w", cfg.Dir, err)
	}
	s := &Server{session: cfg.Session, at: p}
	s.life, s.end = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler: s.guard(s.routes()), MaxHeaderBytes: maxHeader,
		ReadHeaderTimeout: requestTime, IdleTimeout: idleTime,
		ErrorLog:    log.New(io.Discard, "", 0), // what clients do wrong is theirs to know
		BaseContext: func(net.Listener) context.Context { return s.life },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, permitted{}, c.(*conn).ours)
		},
	}
	s.serving.Go(func() { _ = s.http.Serve(newListener(p.listener)) }) // its error is that it was closed
	return s, nil
}

// guard answers who may not ask, and bounds what is asked.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		ours, _ := r.Context().Value(permitted{}).(bool)
		if !ours || !s.knowsToken(r) || r.Header.Get("Origin") != "" {
			refuse(w, Errorf(NotPermitted, "only the user who runs the session may look at it and steer it"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		now, out := time.Now(), http.NewResponseController(w)
		if out.SetReadDeadline(now.Add(requestTime)) != nil || out.SetWriteDeadline(now.Add(2*requestTime)) != nil {
			return // the connection is gone
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) knowsToken(r *http.Request) bool {
	if s.at.token == "" {
		return true
	}
	return subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+s.at.token)) == 1
}

// Close lets no more requests come, has those that wait for the session's end answered, and
// frees everything. It takes at most about a second. It may be called twice.
func (s *Server) Close() error {
	s.closing.Do(func() {
		s.closed = s.at.hide()
		select {
		case <-s.session.Ended():
		default:
			s.end() // who waits for the session's end waits in vain
		}
		ctx, cancel := context.WithTimeout(context.Background(), lingering)
		defer cancel()
		if err := s.http.Shutdown(ctx); err != nil {
			s.closed = errors.Join(s.closed, s.http.Close())
		}
		s.end()
		s.serving.Wait()
	})
	return s.closed
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, e *Error) {
	answer(w, e.status(), map[string]*Error{"error": e})
}

// answer answers in JSON.
func answer(w http.ResponseWriter, status int, message any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(message) // a client that is gone needs no answer
}
