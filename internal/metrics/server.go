// Package metrics tells Prometheus how a session stands, in figures that are those of
// control.Snapshot. It measures nothing itself.
package metrics

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"

	"github.com/poscrape/poscrape/internal/guard"
)

const (
	// requestTime bounds how long a request may take to arrive, and its answer to be taken.
	requestTime = 10 * time.Second
	// atOnce is how many requests are answered at once; others are refused.
	atOnce = 4
	// maxConnections is how many there may be at once; others wait.
	maxConnections = 32
	// lingering is how long Close waits for an answer on its way.
	lingering = time.Second
)

// Server answers requests for /metrics until it is closed.
type Server struct {
	Collector
	listener net.Listener
	http     *http.Server
	serving  sync.WaitGroup
}

// Serve begins to answer at an address, host and port; without a host that is loopback, and port
// 0 is a free one. It does not block.
func Serve(addr string) (*Server, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	s := &Server{}
	if s.listener, err = net.Listen("tcp", net.JoinHostPort(host, port)); err != nil {
		return nil, err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(&s.Collector)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: atOnce}))
	s.http = &http.Server{Handler: s.byName(addr, mux), ReadTimeout: requestTime, WriteTimeout: requestTime, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0)}
	s.serving.Go(func() { _ = s.http.Serve(netutil.LimitListener(s.listener, maxConnections)) }) // its error is that it was closed
	return s, nil
}

// byName refuses requests for a name that the server was not given, where only this machine is to
// reach it: a page whose own name is made to lead here could read the answers. Elsewhere whoever
// reaches it may read them, by whatever name.
func (s *Server) byName(addr string, next http.Handler) http.Handler {
	if at, ok := s.listener.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !guard.Named(addr, r.Host) {
			http.Error(w, "Not permitted: ask for the metrics by the address that poscrape has printed.", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// URL returns the address of the metrics.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/metrics" }

// Close ends the server. It takes at most about a second, and may be called twice.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), lingering)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close()
	}
	s.serving.Wait()
	return err
}
