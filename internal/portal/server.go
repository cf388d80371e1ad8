package portal

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// ErrClosed is returned by Start after Close.
var ErrClosed = errors.New("portal: it is closed")

// ErrStarted is returned by Start if the portal was started before.
var ErrStarted = errors.New("portal: it is started already")

// Start listens on addr, such as "127.0.0.1:0" for a free port, serves in the
// background, and returns the address of the landing page without its final
// slash. An address without a host is reached by 127.0.0.1.
func (p *Portal) Start(addr string) (baseURL string, err error) {
	p.life.Lock()
	defer p.life.Unlock()
	if p.closed {
		return "", ErrClosed
	}
	if p.server != nil {
		return "", ErrStarted
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return "", fmt.Errorf("portal: listening on %q: %w", addr, err)
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	p.serving = make(chan struct{})
	go func() {
		defer close(p.serving)
		// Serve returns when Close closes the server; nothing else ends it
		// that anybody could mend.
		_ = p.server.Serve(listener)
	}()
	return "http://" + reachable(listener.Addr()), nil
}

// reachable returns host and port by which this machine reaches the address.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return (&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: tcp.Port}).String()
}

// Close ends all requests, also those that hang, and returns when none is left.
// It is final, may be called again, and works without Start.
func (p *Portal) Close() error {
	p.life.Lock()
	first := !p.closed
	p.closed = true
	server, serving := p.server, p.serving
	p.life.Unlock()

	// Connections go before handlers are woken: what hung is never answered.
	var err error
	if server != nil {
		err = server.Close()
		<-serving
	}
	if first {
		close(p.stopping)
	}
	p.handling.Wait()
	if err != nil {
		return fmt.Errorf("portal: closing: %w", err)
	}
	return nil
}

// ServeHTTP answers one request.
func (p *Portal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !p.enter() {
		http.Error(w, "The portal is closed.", http.StatusServiceUnavailable)
		return
	}
	defer p.handling.Done()
	p.mux.ServeHTTP(w, r)
}

// enter counts a request in, or refuses it after Close.
func (p *Portal) enter() bool {
	p.life.Lock()
	defer p.life.Unlock()
	if p.closed {
		return false
	}
	p.handling.Add(1)
	return true
}
