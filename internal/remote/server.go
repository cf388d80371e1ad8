package remote

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/poscrape/poscrape/browser"
)

//go:embed page
var files embed.FS

var pageTemplate = template.Must(template.ParseFS(files, "page/index.html"))

// Config says what is served, and where.
type Config struct {
	Browser *browser.Browser
	// Addr is host and port to listen on; without a host it is loopback, and port 0 is a
	// free one.
	Addr string
	// Title says what the page is for.
	Title string
	// Mount, if it is not nil, is given the page to be served by another server, which keeps it to
	// those who may use it. Then Addr is not used. What it was given may be used after Close.
	Mount func(http.Handler)
	// Confirm: the page has a button by which a person says that it is done, see Confirmed.
	Confirm bool
}

// Server serves the windows of a browser until it is closed.
type Server struct {
	cfg      Config
	listener net.Listener
	http     *http.Server
	token    string
	life     context.Context
	end      context.CancelFunc
	jobs     sync.WaitGroup
	asked    chan struct{}
	askOnce  sync.Once
	// viewers are those who look at the page, and told is closed when one has learnt how it ended.
	viewers  viewers
	told     chan struct{}
	tellOnce sync.Once

	state    latest[state]
	pictures latest[picture]
	hands    hands
}

// picture is what a window shows.
type picture struct {
	browser.Picture
	tab   *browser.Tab
	taken bool
}

// lingering is how long Close waits for viewers to learn that it is over.
const lingering = 2 * time.Second

// Serve begins to serve. It does not block.
func Serve(cfg Config) (*Server, error) {
	s := &Server{cfg: cfg, token: rand.Text(), asked: make(chan struct{}), told: make(chan struct{})}
	if cfg.Mount == nil {
		if err := s.listen(); err != nil {
			return nil, err
		}
	}
	s.life, s.end = context.WithCancel(context.Background())
	s.state.set(func(st *state) { st.Confirm = cfg.Confirm })
	s.hands = hands{server: s, queue: make(chan event, 1000)}
	if cfg.Mount != nil {
		cfg.Mount(s.mounted())
	} else {
		s.jobs.Go(func() { _ = s.http.Serve(s.listener) }) // its error is that it was closed
	}
	s.jobs.Go(s.follow)
	s.jobs.Go(s.hands.work)
	return s, nil
}

// listen begins to listen for requests.
func (s *Server) listen() error {
	host, port, err := net.SplitHostPort(s.cfg.Addr)
	if err != nil {
		return err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if s.listener, err = net.Listen("tcp", net.JoinHostPort(host, port)); err != nil {
		return fmt.Errorf("serving the page to sign in on: %w", err)
	}
	s.http = &http.Server{
		Handler: s.guard(s.routes()), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // it would have addresses in it, and so the token
	}
	return nil
}

// mounted returns the page for another server.
func (s *Server) mounted() http.Handler {
	routes := s.routes()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		routes.ServeHTTP(w, r)
	})
}

// URL returns the address of the page, which is not mounted. It is a secret.
func (s *Server) URL() string {
	return "http://" + s.listener.Addr().String() + "/" + s.token + "/"
}

// Loopback reports whether the page can be reached from this machine only.
func (s *Server) Loopback() bool {
	at, ok := s.listener.Addr().(*net.TCPAddr)
	return ok && at.IP.IsLoopback()
}

// Confirmed is closed when a person has said on the page that it is done.
func (s *Server) Confirmed() <-chan struct{} { return s.asked }

// Close tells those who look at the page how it ended, and ends it. It blocks for some seconds
// at the most.
func (s *Server) Close(how string) error {
	s.state.set(func(st *state) { st.Over = how })
	if s.viewers.there() { // and may be about to ask
		late := time.NewTimer(lingering)
		defer late.Stop()
		select {
		case <-s.told:
		case <-late.C:
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), lingering)
	defer cancel()
	s.end()
	var err error
	if s.http != nil {
		err = s.http.Shutdown(ctx) // requests that wait are answered with how it ended
		if errors.Is(err, context.DeadlineExceeded) {
			err = s.http.Close()
		}
	}
	s.jobs.Wait()
	return err
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = pageTemplate.Execute(w, s.cfg.Title) // an error means that the viewer is gone
	})
	for _, name := range []string{"page.js", "page.css"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "page/"+name) })
	}
	mux.HandleFunc("GET /state", s.serveState)
	mux.HandleFunc("GET /picture", s.servePicture)
	mux.HandleFunc("POST /input", s.takeInput)
	return mux
}
