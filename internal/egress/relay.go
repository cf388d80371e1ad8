package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxRefusal bounds what is passed on of an upstream proxy's answer that is no connection, in bytes.
const maxRefusal = 1 << 20

// relay passes on what a browser asks the upstream proxy for, as long as that is allowed. Requests are
// read and written again, so that both ends see the same ones. A connection either carries requests,
// whose answers are passed on as they are, or asks to be connected to a server, and then to nothing else.
func (p *Proxy) relay(client net.Conn) {
	server, err := p.dialUpstream(p.life)
	if err != nil {
		return
	}
	release := p.hold(server)
	defer release()
	requests := bufio.NewReader(client)
	first, err := http.ReadRequest(requests)
	switch {
	case err != nil:
	case first.Method == http.MethodConnect:
		p.connect(client, server, requests, first)
	default:
		p.forward(client, server, requests, first)
	}
}

func (p *Proxy) dialUpstream(ctx context.Context) (net.Conn, error) {
	dialer := &net.Dialer{}
	if p.cfg.Upstream.Scheme == "https" {
		dialer := &tls.Dialer{NetDialer: dialer, Config: &tls.Config{RootCAs: p.cfg.Roots, ServerName: p.cfg.Upstream.Hostname(), MinVersion: tls.VersionTLS12}}
		return dialer.DialContext(ctx, "tcp", withPort(p.cfg.Upstream))
	}
	return dialer.DialContext(ctx, "tcp", withPort(p.cfg.Upstream))
}

// lets reports whether a request may be passed on.
func (p *Proxy) lets(r *http.Request) bool {
	server := r.Host
	if r.Method != http.MethodConnect {
		if r.URL.Host == "" || r.URL.Scheme != "http" {
			return false
		}
		server = serverOf((&url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host}).String())
	}
	host, port, err := net.SplitHostPort(strings.ToLower(server))
	return err == nil && p.allows(host, port)
}

// forward passes on requests, and all that comes as answers.
func (p *Proxy) forward(client, server net.Conn, requests *bufio.Reader, r *http.Request) {
	p.work.Go(func() {
		if _, err := io.Copy(client, server); err != nil && !errors.Is(err, net.ErrClosed) {
			reset(client)
		}
		_ = client.Close()
	})
	for r.Method != http.MethodConnect && p.lets(r) && write(server, r) == nil {
		var err error
		if r, err = http.ReadRequest(requests); err != nil {
			return
		}
	}
}

// write writes a request as a proxy gets it.
func write(to io.Writer, r *http.Request) error {
	if r.Header.Get("User-Agent") == "" {
		r.Header.Set("User-Agent", "") // Go would add its own
	}
	return r.WriteProxy(to)
}

// connect passes on a request to be connected, and again one that answers the proxy's question for a
// password; and then all that the two sides say.
func (p *Proxy) connect(client, server net.Conn, requests *bufio.Reader, r *http.Request) {
	answers := bufio.NewReader(server)
	for r.Method == http.MethodConnect && p.lets(r) && write(server, r) == nil {
		answer, err := http.ReadResponse(answers, r) //nolint:bodyclose // Write closes it, and that of a connection is empty
		if err != nil {
			return
		}
		if answer.StatusCode/100 == 2 {
			if _, err := io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n"); err == nil {
				join(buffered{client, requests}, buffered{server, answers})
			}
			return
		}
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, maxRefusal), answer.Body}
		_ = client.SetWriteDeadline(time.Now().Add(time.Minute))
		if err := answer.Write(client); err != nil || answer.Close {
			return
		}
		_ = client.SetWriteDeadline(time.Time{})
		if r, err = http.ReadRequest(requests); err != nil {
			return
		}
	}
}

// buffered is a connection of which something has been read already.
type buffered struct {
	net.Conn
	read *bufio.Reader
}

// Read implements net.Conn.
func (b buffered) Read(to []byte) (int, error) { return b.read.Read(to) }
