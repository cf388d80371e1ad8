package egress

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/proxy"
)

// Config says what may be reached, and how.
type Config struct {
	// Allowed reports whether a host may be connected to: a name, or an IP address without
	// brackets, as the browser spells it.
	Allowed func(host, port string) bool
	// Judge returns why the IP address that an allowed host's name stands for is not to be connected
	// to, or nil. It is asked before anything is sent there. A nil Judge lets all pass.
	Judge func(host, port, ip string) error
	// Refused is told of a host and port that were not allowed, the first time. nil is fine.
	Refused func(server string)
	// Upstream is the proxy that connections go by, or nil: http, https or socks5. Who uses it
	// is the browser's to say, see Proxy.Scheme.
	Upstream *url.URL
	// Roots are the authorities whose certificate an https proxy may have; nil: the system's.
	Roots *x509.CertPool
}

// upstreams are the kinds of proxies that connections can go by.
var upstreams = []string{"http", "https", "socks", "socks5"}

// UpstreamError says that connections cannot go by such a proxy.
type UpstreamError struct{ Scheme string }

func (e *UpstreamError) Error() string {
	return fmt.Sprintf("no way out by a proxy of the kind %s:// is known", e.Scheme)
}

// Proxy is such a proxy for one browser. Its methods may be called by several goroutines.
type Proxy struct {
	cfg    Config
	direct proxy.ContextDialer // nil: with a net.Dialer of each connection's own
	places chan struct{}       // one for each connection
	life   context.Context
	end    context.CancelFunc
	work   sync.WaitGroup

	mu       sync.Mutex
	refused  map[string]bool
	from     map[string]string // by host and port: the IP address that was connected to last
	failures map[string]string // by host and port: why the last connection failed
}

// New returns one that takes no connections yet. Its error is an *UpstreamError.
func New(cfg Config) (*Proxy, error) {
	p := &Proxy{cfg: cfg, places: make(chan struct{}, maxConnections), refused: map[string]bool{}, from: map[string]string{}, failures: map[string]string{}}
	if up := cfg.Upstream; up != nil && !slices.Contains(upstreams, up.Scheme) {
		return nil, &UpstreamError{up.Scheme}
	} else if up != nil && strings.HasPrefix(up.Scheme, "socks") {
		dialer, err := proxy.SOCKS5("tcp", withPort(up), nil, nil)
		if err != nil {
			return nil, err
		}
		p.direct = dialer.(proxy.ContextDialer)
	}
	p.life, p.end = context.WithCancel(context.Background())
	return p, nil
}

// withPort returns a proxy's host with its port, which each kind has one for.
func withPort(u *url.URL) string {
	if u.Port() != "" {
		return u.Host
	}
	port := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	if port == "" {
		port = "1080"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// Scheme is how the browser has to talk to the proxy: "socks5", or "http" where Config.Upstream is
// an HTTP proxy, which then may ask the browser for a password.
func (p *Proxy) Scheme() string {
	if p.relays() {
		return "http"
	}
	return "socks5"
}

func (p *Proxy) relays() bool {
	return p.cfg.Upstream != nil && strings.HasPrefix(p.cfg.Upstream.Scheme, "http")
}

// maxConnections is how many a browser may have at once, of which each takes two open files: Chrome
// has 32 to a proxy, and as many for WebSockets.
const maxConnections = 128

// Serve takes the browser's connections until the listener is closed, or Close is called. It owns
// the listener.
func (p *Proxy) Serve(listener net.Listener) {
	stop := context.AfterFunc(p.life, func() { _ = listener.Close() })
	p.work.Go(func() {
		defer stop()
		defer func() { _ = listener.Close() }()
		for {
			p.places <- struct{}{}
			client, err := listener.Accept()
			if err == nil {
				p.work.Go(func() { p.serve(client) })
				continue
			}
			<-p.places
			if errors.Is(err, net.ErrClosed) || !p.rest() {
				return
			}
		}
	})
}

// rest waits a moment after an error that may pass, such as too many open files. It returns false
// when the proxy is closed.
func (p *Proxy) rest() bool {
	select {
	case <-time.After(100 * time.Millisecond):
		return true
	case <-p.life.Done():
		return false
	}
}

// Close ends all connections, and returns once they have ended.
func (p *Proxy) Close() {
	p.end()
	p.work.Wait()
}

func (p *Proxy) serve(client net.Conn) {
	defer func() { <-p.places }()
	release := p.hold(client)
	defer release()
	if p.relays() {
		p.relay(client)
	} else {
		p.socks(client)
	}
}

// hold has a connection closed when the proxy is, or when what it returns is called.
func (p *Proxy) hold(conn net.Conn) (release func()) {
	stop := context.AfterFunc(p.life, func() { _ = conn.Close() })
	return func() { stop(); _ = conn.Close() }
}

// From returns the IP address that was connected to last for an address's host, or "" where there
// was none, or it is the upstream proxy that knows it.
func (p *Proxy) From(address string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.from[serverOf(address)]
}

// Failure returns why the last connection to an address's host failed, in Chrome's words
// ("net::ERR_CONNECTION_REFUSED"), or "".
func (p *Proxy) Failure(address string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failures[serverOf(address)]
}

// serverOf returns the host and port that an address is asked from.
func serverOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// maxKept bounds of how many servers something is kept: a page may ask for any number.
const maxKept = 1000

// keep notes something of a server. The caller holds mu.
func keep[T any](of map[string]T, server string, what T) {
	if _, there := of[server]; there || len(of) < maxKept {
		of[server] = what
	}
}

// allows reports whether a host may be connected to, and tells of one that may not.
func (p *Proxy) allows(host, port string) bool {
	if p.cfg.Allowed(host, port) {
		return true
	}
	server := net.JoinHostPort(host, port)
	p.mu.Lock()
	first := !p.refused[server]
	keep(p.refused, server, true)
	keep(p.failures, server, refusedHere)
	first = first && p.refused[server]
	p.mu.Unlock()
	if first && p.cfg.Refused != nil {
		p.cfg.Refused(server)
	}
	return false
}

// refusedHere is Chrome's word for what is not allowed.
const refusedHere = "net::ERR_BLOCKED_BY_ADMINISTRATOR"

// judgedError says that an address is not to be connected to.
type judgedError struct{ why error }

func (e *judgedError) Error() string { return e.why.Error() }

// dial connects to a host, and keeps what came of it.
func (p *Proxy) dial(ctx context.Context, host, port string) (net.Conn, error) {
	server := net.JoinHostPort(host, port)
	conn, err := p.dialer(host, port).DialContext(ctx, "tcp", server)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		keep(p.failures, server, chromeName(err))
		return nil, err
	}
	delete(p.failures, server)
	if from, ok := conn.RemoteAddr().(*net.TCPAddr); ok && p.cfg.Upstream == nil {
		keep(p.from, server, from.IP.String())
	}
	return conn, nil
}

// dialer returns what connects to a host.
func (p *Proxy) dialer(host, port string) proxy.ContextDialer {
	if p.direct != nil {
		return p.direct
	}
	if p.cfg.Judge == nil {
		return &net.Dialer{}
	}
	return &net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		ip, _, err := net.SplitHostPort(address)
		if err != nil {
			return err
		}
		if why := p.cfg.Judge(host, port, ip); why != nil {
			return &judgedError{why}
		}
		return nil
	}}
}

// chromeName returns what Chrome calls an error of connecting (net/base/net_error_list.h).
func chromeName(err error) string {
	var name *net.DNSError
	switch {
	case errors.As(err, new(*judgedError)):
		return refusedHere
	case errors.As(err, &name):
		return "net::ERR_NAME_NOT_RESOLVED"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "net::ERR_CONNECTION_REFUSED"
	case errors.Is(err, syscall.ECONNRESET):
		return "net::ERR_CONNECTION_RESET"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "net::ERR_ADDRESS_UNREACHABLE"
	case errors.Is(err, syscall.ETIMEDOUT), errors.Is(err, context.DeadlineExceeded):
		return "net::ERR_CONNECTION_TIMED_OUT"
	}
	return "net::ERR_CONNECTION_FAILED"
}

// join passes bytes on in both directions until the browser has closed its connection: it closes
// none by halves, and one that the server has ended, it closes too. What breaks on the server's
// side breaks on the browser's.
func join(client, server net.Conn) {
	var both sync.WaitGroup
	both.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	})
	both.Go(func() {
		if _, err := io.Copy(client, server); err != nil && !errors.Is(err, net.ErrClosed) {
			reset(client)
		} else if c := tcpOf(client); c != nil {
			_ = c.CloseWrite() // it may be gone
		}
	})
	both.Wait()
}

// reset closes a connection so that its other end sees that it broke.
func reset(conn net.Conn) {
	if c := tcpOf(conn); c != nil {
		_ = c.SetLinger(0)
	}
	_ = conn.Close()
}

// tcpOf returns the connection that one is, or nil.
func tcpOf(conn net.Conn) *net.TCPConn {
	if b, ok := conn.(buffered); ok {
		conn = b.Conn
	}
	c, _ := conn.(*net.TCPConn)
	return c
}
