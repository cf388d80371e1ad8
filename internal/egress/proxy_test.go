package egress_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/proxy"

	"github.com/poscrape/poscrape/internal/egress"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// wayOut is a proxy that listens, with the hosts that it has refused.
type wayOut struct {
	*egress.Proxy
	address string

	mu      sync.Mutex
	refused []string
}

// open lets through to names that begin with "127." or are localhost.
func open(t *testing.T, upstream *url.URL) *wayOut {
	t.Helper()
	w := &wayOut{}
	p, err := egress.New(egress.Config{
		Allowed: func(host, _ string) bool {
			return host == "127.0.0.1" || host == "localhost" || host == "nowhere.invalid"
		},
		Refused: func(host string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.refused = append(w.refused, host)
		},
		Upstream: upstream,
	})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.Serve(listener)
	t.Cleanup(p.Close)
	w.Proxy, w.address = p, listener.Addr().String()
	return w
}

// client goes by the way out.
func (w *wayOut) client(t *testing.T, user *url.Userinfo) *http.Client {
	t.Helper()
	transport := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: w.Scheme(), Host: w.address, User: user})}
	transport.TLSClientConfig = http.DefaultTransport.(*http.Transport).TLSClientConfig
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func body(t *testing.T, client *http.Client, address string) string {
	t.Helper()
	res, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(res.StatusCode, " ", string(text))
}

func TestSocks(t *testing.T) {
	t.Parallel()
	portal := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { fmt.Fprint(rw, r.Host, r.URL) }))
	t.Cleanup(portal.Close)
	w := open(t, nil)
	host := strings.TrimPrefix(portal.URL, "http://")
	if got := body(t, w.client(t, nil), portal.URL+"/order?a=b"); got != "200 "+host+"/order?a=b" {
		t.Errorf("got %q", got)
	}
	if got := w.From(portal.URL + "/x"); got != "127.0.0.1" {
		t.Errorf("it came from %q", got)
	}
	if got := w.From("http://127.0.0.2/"); got != "" {
		t.Errorf("what was never asked came from %q", got)
	}
}

// TestWhatFails: the browser only sees that its proxy could not connect. Why, is known here.
func TestWhatFails(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := gone.Addr().String()
	if err := gone.Close(); err != nil {
		t.Fatal(err)
	}
	dialer, err := proxy.SOCKS5("tcp", w.address, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for server, want := range map[string]string{
		closed:                "net::ERR_CONNECTION_REFUSED",
		"nowhere.invalid:443": "net::ERR_NAME_NOT_RESOLVED",
		"127.0.0.2:80":        "net::ERR_BLOCKED_BY_ADMINISTRATOR",
		"other.example:443":   "net::ERR_BLOCKED_BY_ADMINISTRATOR",
	} {
		conn, err := dialer.Dial("tcp", server)
		if err == nil {
			t.Errorf("%s: connected", server)
			_ = conn.Close()
		}
		scheme := map[bool]string{true: "https://", false: "http://"}[strings.HasSuffix(server, ":443")]
		if got := w.Failure(scheme + server + "/x"); got != want {
			t.Errorf("%s: %q, want %q", server, got, want)
		}
	}
	_, _ = dialer.Dial("tcp", "other.example:80")
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.refused) != 3 { // each once
		t.Errorf("it told of %q", w.refused)
	}
}

// TestBrokenConnection: a server that resets its connection resets the browser's.
func TestBrokenConnection(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		_, _ = bufio.NewReader(conn).ReadString('\n')
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}()
	dialer, err := proxy.SOCKS5("tcp", open(t, nil).address, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := dialer.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(conn); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("it ended with %v", err)
	}
}

// server listens, and has answer deal with each connection.
func server(t *testing.T, answer func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			work.Go(func() { answer(conn) })
		}
	})
	t.Cleanup(func() { _ = listener.Close(); work.Wait() })
	return listener.Addr().String()
}

func (w *wayOut) dial(t *testing.T, server string) net.Conn {
	t.Helper()
	dialer, err := proxy.SOCKS5("tcp", w.address, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := dialer.Dial("tcp", server)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// TestEndOfConnection: a server that ends its connection ends the browser's.
func TestEndOfConnection(t *testing.T) {
	t.Parallel()
	conn := open(t, nil).dial(t, server(t, func(conn net.Conn) {
		_, _ = io.WriteString(conn, "all of it")
		_ = conn.Close()
	}))
	defer conn.Close()
	if text, err := io.ReadAll(conn); string(text) != "all of it" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestCloseEndsAll: neither a server that does not read nor one that says nothing keeps the proxy open.
func TestCloseEndsAll(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	silent := make(chan struct{})
	address := server(t, func(conn net.Conn) { <-silent; _ = conn.Close() })
	t.Cleanup(func() { close(silent) })
	full := w.dial(t, address)
	defer full.Close()
	idle := w.dial(t, address)
	defer idle.Close()
	_ = full.SetWriteDeadline(time.Now().Add(time.Second)) // by then, nothing more is taken
	_, _ = full.Write(make([]byte, 64<<20))
	w.Close()
	if _, err := io.ReadAll(idle); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
}

// TestJudge: an address that a name stands for is judged before anything is sent there.
func TestJudge(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 10)
	address := server(t, func(conn net.Conn) { asked <- struct{}{}; _ = conn.Close() })
	p, err := egress.New(egress.Config{Allowed: func(string, string) bool { return true },
		Judge: func(host, port, ip string) error { return fmt.Errorf("%s port %s is %s", host, port, ip) }})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.Serve(listener)
	t.Cleanup(p.Close)
	dialer, err := proxy.SOCKS5("tcp", listener.Addr().String(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if conn, err := dialer.Dial("tcp", address); err == nil {
		t.Error("connected")
		_ = conn.Close()
	}
	if got := p.Failure("http://" + address + "/"); got != "net::ERR_BLOCKED_BY_ADMINISTRATOR" || len(asked) > 0 {
		t.Errorf("%s; it was asked %d times", got, len(asked))
	}
}

// TestManyServers: what is kept of servers is bounded.
func TestManyServers(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	dialer, err := proxy.SOCKS5("tcp", w.address, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1100 {
		if conn, err := dialer.Dial("tcp", fmt.Sprintf("%d.example:443", i)); err == nil {
			_ = conn.Close()
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.refused) != 1000 {
		t.Errorf("it told of %d servers", len(w.refused))
	}
}

// TestSmuggledRequests: two requests that look like one, and a request to be connected behind one that is
// not answered yet, reach no server that is not allowed.
func TestSmuggledRequests(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []string
	other := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, r.Method+" "+r.URL.String())
		fmt.Fprint(rw, "yes")
	}))
	t.Cleanup(other.Close)
	address, err := url.Parse(other.URL)
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, address)
	for _, text := range []string{
		"GET http://127.0.0.1/a HTTP/1.1\nHost: 127.0.0.1\n\nGET http://evil.example/b HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"GET http://127.0.0.1/c HTTP/1.1\r\nHost: a\r\n\r\nCONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: a\r\n\r\nGET http://evil.example/d HTTP/1.1\r\nHost: a\r\n\r\n",
		"POST http://127.0.0.1/e HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nGET http://evil.example/f HTTP/1.1\r\nHost: a\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", w.address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, text)
		_ = conn.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	}
	mu.Lock()
	defer mu.Unlock()
	for _, request := range got {
		if !strings.HasPrefix(request, "GET http://127.0.0.1/") {
			t.Errorf("the proxy was asked: %s", request)
		}
	}
}

// upstream is a proxy with a password, which notes what it was asked for.
func upstream(t *testing.T) (*url.URL, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var asked []string
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetXForwarded() }}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") == "" {
			rw.Header().Set("Proxy-Authenticate", `Basic realm="a"`)
			rw.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		mu.Lock()
		asked = append(asked, r.Method+" "+r.Host)
		mu.Unlock()
		if r.Method != http.MethodConnect {
			forward.ServeHTTP(rw, r)
			return
		}
		to, err := net.Dial("tcp", r.Host)
		if err != nil {
			rw.WriteHeader(http.StatusBadGateway)
			return
		}
		from, _, err := rw.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		fmt.Fprint(from, "HTTP/1.1 200 Connection established\r\n\r\n")
		go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
		_, _ = io.Copy(from, to)
		_ = from.Close()
	}))
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return address, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), asked...)
	}
}

func TestByAnotherProxy(t *testing.T) {
	t.Parallel()
	address, asked := upstream(t)
	w := open(t, address)
	if w.Scheme() != "http" {
		t.Fatalf("the browser is to speak %s", w.Scheme())
	}
	answer := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		fmt.Fprint(rw, r.Method, len(text))
	})
	plain, secure := httptest.NewServer(answer), httptest.NewTLSServer(answer)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)

	client := w.client(t, url.UserPassword("u", "p"))
	client.Transport.(*http.Transport).TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig
	for range 2 { // on one connection
		if got := body(t, client, plain.URL); got != "200 GET0" {
			t.Errorf("got %q", got)
		}
	}
	res, err := client.Post(plain.URL, "text/plain", strings.NewReader(strings.Repeat("x", 100_000)))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if string(text) != "POST100000" {
		t.Errorf("got %q", text)
	}
	if got := body(t, client, secure.URL); got != "200 GET0" {
		t.Errorf("got %q", got)
	}
	if n := len(asked()); n != 4 {
		t.Errorf("the proxy was asked %d times: %q", n, asked())
	}

	// Nothing reaches the proxy that is not allowed, not even by a connection that may be used.
	for _, other := range []string{strings.Replace(plain.URL, "127.0.0.1", "127.0.0.2", 1), "https://other.example/"} {
		if res, err := client.Get(other); err == nil {
			_ = res.Body.Close()
			t.Errorf("%s: %s", other, res.Status)
		}
	}
	if n := len(asked()); n != 4 {
		t.Errorf("the proxy was asked %d times: %q", n, asked())
	}
	// The password is the browser's to give.
	if got := body(t, w.client(t, nil), plain.URL); got != "407 " {
		t.Errorf("without a password: %q", got)
	}
	if _, err := w.client(t, nil).Get(secure.URL); err == nil || !strings.Contains(err.Error(), "Proxy Authentication Required") {
		t.Errorf("without a password: %v", err)
	}
}

// TestPasswordOnTheSameConnection: a browser answers a proxy's question for a password on the
// connection on which it was asked.
func TestPasswordOnTheSameConnection(t *testing.T) {
	t.Parallel()
	address, asked := upstream(t)
	w := open(t, address)
	echo, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer echo.Close()
	go func() {
		conn, err := echo.Accept()
		if err == nil {
			_, _ = io.Copy(conn, conn)
			_ = conn.Close()
		}
	}()
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", w.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	from := bufio.NewReader(conn)
	for _, step := range []struct {
		header string
		status int
	}{{"", http.StatusProxyAuthRequired}, {"Proxy-Authorization: Basic eDp5\r\n", http.StatusOK}} {
		fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n%s\r\n", echo.Addr(), step.header)
		res, err := http.ReadResponse(from, &http.Request{Method: http.MethodConnect})
		if err != nil || res.StatusCode != step.status {
			t.Fatalf("%v, %v; want %d", res, err, step.status)
		}
	}
	fmt.Fprint(conn, "hello\n")
	if line, err := from.ReadString('\n'); line != "hello\n" {
		t.Errorf("%q, %v", line, err)
	}
	if len(asked()) != 1 {
		t.Errorf("it was asked %q", asked())
	}
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	address, asked := upstream(t)
	for _, w := range []*wayOut{open(t, nil), open(t, address)} {
		for _, text := range []string{"", "\x04\x01", "\x05\x01\x00\x05\x02\x00\x01aaaaaa", "\x05\x01\x00\x05\x01\x00\x09", "GET / HTTP/1.1\r\n\r\n",
			"GET http://127.0.0.1/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n",
			"GET http://127.0.0.1/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n", strings.Repeat("a", 2<<20)} {
			conn, err := net.Dial("tcp", w.address)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(conn, text)
			_ = conn.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, conn) // it ends
			_ = conn.Close()
		}
	}
	if len(asked()) != 0 {
		t.Errorf("the proxy was asked for %q", asked())
	}
}

func TestUnknownUpstream(t *testing.T) {
	t.Parallel()
	var unknown *egress.UpstreamError
	if _, err := egress.New(egress.Config{Upstream: &url.URL{Scheme: "socks4", Host: "a:1"}}); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
}
