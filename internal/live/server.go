package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/gallery"
	"github.com/poscrape/poscrape/internal/guard"
)

const (
	// requestTime bounds how long a request may take to arrive, and a part of an answer to
	// be taken.
	requestTime = 10 * time.Second
	// lingering is how long Close waits for viewers to learn that it is over.
	lingering = time.Second
	// maxViewers is how many may follow the session at once.
	maxViewers = 16
	// maxConnections is how many there may be at once; others wait.
	maxConnections = 64
	maxHeader      = 32 << 10
	maxBody        = 4 << 10
)

// Config says which session is served, and where.
type Config struct {
	Session control.Session
	// Gallery is what its workers' browsers show, or nil.
	Gallery *gallery.Gallery
	// SignIn is where a person signs in while the session waits for that, or nil.
	SignIn *Desk
	// Dir is the session folder.
	Dir string
	// Listener is what Listen has returned, and Addr what it was given. The server closes it.
	Listener net.Listener
	Addr     string
}

// Server serves the page until it is closed.
type Server struct {
	cfg     Config
	token   string
	http    *http.Server
	root    *os.Root
	report  *reports
	viewers chan struct{}
	life    context.Context
	end     context.CancelFunc
	serving sync.WaitGroup
	closing sync.Once
	closed  error
}

// Serve begins to serve, and returns at once.
func Serve(cfg Config) (*Server, error) {
	root, err := os.OpenRoot(cfg.Dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("serving the session's files: %w", err), cfg.Listener.Close())
	}
	s := &Server{cfg: cfg, token: rand.Text(), root: root, report: newReports(cfg.Dir), viewers: make(chan struct{}, maxViewers)}
	s.life, s.end = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           guard.Guard{Token: s.token, Addr: cfg.Addr, Policy: "frame-ancestors 'none'"}.Wrap(s.routes()),
		ReadHeaderTimeout: requestTime, IdleTimeout: time.Minute, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return s.life },
		ErrorLog:    log.New(io.Discard, "", 0), // it would have addresses in it, and so the token
	}
	s.serving.Go(func() { _ = s.http.Serve(netutil.LimitListener(cfg.Listener, maxConnections)) }) // its error is that it was closed
	return s, nil
}

// URL returns the address of the page. It is a secret.
func (s *Server) URL() string {
	return "http://" + s.cfg.Listener.Addr().String() + "/" + s.token + "/"
}

// Loopback reports whether the page can be reached from this machine only.
func (s *Server) Loopback() bool {
	at, ok := s.cfg.Listener.Addr().(*net.TCPAddr)
	return ok && at.IP.IsLoopback()
}

// Close lets viewers learn how the session ended, and frees everything. It blocks for about a
// second at the most, and may be called twice.
func (s *Server) Close() error {
	s.closing.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), lingering)
		defer cancel()
		err := s.http.Shutdown(ctx) // who follows the session is told of its end
		s.end()
		if errors.Is(err, context.DeadlineExceeded) {
			err = s.http.Close()
		}
		s.serving.Wait()
		s.closed = errors.Join(err, s.root.Close())
	})
	return s.closed
}
