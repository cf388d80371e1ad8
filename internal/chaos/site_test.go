//go:build linux

package chaos

import (
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
)

// meddler stands before the portal. It answers itself, or lets next answer.
type meddler func(w http.ResponseWriter, r *http.Request, next http.Handler)

// site is a portal whose server can be stopped, started again on the same port,
// and meddled with.
type site struct {
	*portal.Portal
	t    *testing.T
	addr string

	handling sync.WaitGroup
	mu       sync.Mutex
	server   *http.Server
	served   chan struct{}
	meddle   meddler
}

// open serves a portal on a port that no outgoing connection is given: while the
// portal is down, nobody else may come to have it.
func open(t *testing.T, cfg portal.Config) *site {
	t.Helper()
	p, err := portal.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{Portal: p, t: t}
	for s.addr == "" {
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(20_000+rand.IntN(12_000)))
		if s.listen(addr) == nil {
			s.addr = addr
		}
	}
	t.Cleanup(func() {
		s.stop()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		s.handling.Wait()
	})
	return s
}

func (s *site) listen(addr string) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(s.handle)}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener) // ends by stop
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server, s.served = server, served
	return nil
}

// start serves again after stop.
func (s *site) start() {
	s.t.Helper()
	testkit.Wait(s.t, "the portal's port", func() bool { return s.listen(s.addr) == nil })
}

// stop cuts all connections and refuses new ones.
func (s *site) stop() {
	s.mu.Lock()
	server, served := s.server, s.served
	s.server = nil
	s.mu.Unlock()
	if server == nil {
		return
	}
	if err := server.Close(); err != nil {
		s.t.Error(err)
	}
	<-served
}

// meddleWith puts m before the portal; nil takes it away.
func (s *site) meddleWith(m meddler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meddle = m
}

func (s *site) handle(w http.ResponseWriter, r *http.Request) {
	s.handling.Add(1)
	defer s.handling.Done()
	s.mu.Lock()
	m := s.meddle
	s.mu.Unlock()
	if m == nil {
		s.ServeHTTP(w, r)
		return
	}
	m(w, r, s.Portal)
}

// writeSheet writes the orders, with further rows of number and address.
func (s *site) writeSheet(file string, more ...[2]string) {
	s.t.Helper()
	f, err := os.Create(file)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	if err := s.WriteCSV(f, "http://"+s.addr); err != nil {
		s.t.Fatal(err)
	}
	for _, row := range more {
		if _, err := f.WriteString(row[0] + ",Nowhere Ltd,1.00,EUR," + row[1] + "\n"); err != nil {
			s.t.Fatal(err)
		}
	}
}

// asked returns how often each order's page and documents were asked for.
func (s *site) asked() map[string]portal.Requests {
	all := map[string]portal.Requests{}
	for _, o := range s.Orders() {
		r := s.Requests(o.Number)
		r.Assets, r.Polls = 0, 0
		all[o.Number] = r
	}
	return all
}

// orderOf returns the number of the order whose page is asked for, or "".
func orderOf(r *http.Request) string {
	number, ok := strings.CutPrefix(r.URL.Path, "/orders/")
	if !ok || strings.Contains(number, "/") {
		return ""
	}
	return number
}

// documentOf returns the number of the order one of whose documents is asked
// for, or "".
func documentOf(r *http.Request) string {
	number, _, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/orders/"), "/attachments/")
	if !ok {
		return ""
	}
	return number
}
