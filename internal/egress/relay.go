package egress

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
)

// maxHead bounds the beginning of a request, in bytes. Chrome's own are smaller: servers refuse
// those over 64 KB or less.
const maxHead = 1 << 20

// relay passes on what a browser asks the upstream proxy for, as long as that is allowed.
func (p *Proxy) relay(client net.Conn) {
	server, err := p.dialUpstream(p.life)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	answers := &answers{from: server, to: client, ended: make(chan struct{}), connected: make(chan bool, 1)}
	p.work.Go(answers.pass)
	defer func() { _ = server.Close(); <-answers.ended }()

	requests := bufio.NewReader(client)
	for {
		r, err := readRequest(requests)
		if err != nil || !p.allows(r.host, r.port) {
			return
		}
		answers.connecting.Store(r.connects)
		if _, err := server.Write(r.head); err != nil {
			return
		}
		if _, err := io.CopyN(server, requests, r.body); err != nil {
			return
		}
		if !r.connects {
			continue
		}
		select {
		case tunnel := <-answers.connected:
			if tunnel {
				_, _ = io.Copy(server, requests)
				return
			}
		case <-answers.ended:
			return
		}
	}
}

func (p *Proxy) dialUpstream(ctx context.Context) (net.Conn, error) {
	if p.cfg.Upstream.Scheme == "https" {
		dialer := &tls.Dialer{Config: &tls.Config{RootCAs: p.cfg.Roots, ServerName: p.cfg.Upstream.Hostname(), MinVersion: tls.VersionTLS12}}
		return dialer.DialContext(ctx, "tcp", withPort(p.cfg.Upstream))
	}
	return p.direct.DialContext(ctx, "tcp", withPort(p.cfg.Upstream))
}

// request is one that a browser makes of a proxy.
type request struct {
	// head is its beginning, with the empty line after it, and body how many bytes follow.
	head []byte
	body int64
	// host and port are where it is to go; connects: what follows is no request, but what the
	// two tell each other.
	host, port string
	connects   bool
}

var errRequest = errors.New("this is no request to a proxy")

// readRequest reads a request's beginning.
func readRequest(from *bufio.Reader) (request, error) {
	head, err := readHead(from)
	if err != nil {
		return request{}, err
	}
	lines := textproto.NewReader(bufio.NewReader(bytes.NewReader(head)))
	first, err := lines.ReadLine()
	if err != nil {
		return request{}, err
	}
	header, err := lines.ReadMIMEHeader()
	if err != nil {
		return request{}, err
	}
	parts := strings.Split(first, " ")
	if len(parts) != 3 || header.Get("Transfer-Encoding") != "" {
		return request{}, errRequest
	}
	r := request{head: head, connects: parts[0] == http.MethodConnect}
	if length := header.Get("Content-Length"); length != "" {
		if r.body, err = strconv.ParseInt(length, 10, 64); err != nil || r.body < 0 {
			return request{}, errRequest
		}
	}
	server := parts[1]
	if !r.connects {
		u, err := url.Parse(parts[1])
		if err != nil || u.Host == "" {
			return request{}, errRequest
		}
		server = serverOf(parts[1])
	}
	r.host, r.port, err = net.SplitHostPort(strings.ToLower(server))
	return r, err
}

// readHead reads up to an empty line.
func readHead(from *bufio.Reader) ([]byte, error) {
	var head []byte
	for !bytes.HasSuffix(head, []byte("\r\n\r\n")) {
		line, err := from.ReadSlice('\n')
		head = append(head, line...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return nil, err
		}
		if len(head) > maxHead {
			return nil, errRequest
		}
	}
	return head, nil
}

// answers are what the upstream proxy answers.
type answers struct {
	from, to net.Conn
	ended    chan struct{}
	// connecting: the next answer is one to CONNECT. connected says whether it lets through.
	connecting atomic.Bool
	connected  chan bool
}

// pass passes them on until they end.
func (a *answers) pass() {
	defer close(a.ended)
	var head, b []byte
	b = make([]byte, 32<<10)
	for {
		n, err := a.from.Read(b)
		if n > 0 {
			if _, werr := a.to.Write(b[:n]); werr != nil {
				break
			}
		}
		if a.connecting.Load() {
			head = append(head, b[:n]...)
			if bytes.Contains(head, []byte("\r\n\r\n")) || len(head) > maxHead {
				a.connecting.Store(false)
				a.connected <- succeeded(head)
				head = nil
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			reset(a.to)
			return
		}
		if err != nil {
			break
		}
	}
	_ = a.to.Close()
}

// succeeded reports whether an answer says that it did: "HTTP/1.1 200 OK".
func succeeded(head []byte) bool {
	_, rest, _ := bytes.Cut(head, []byte(" "))
	return bytes.HasPrefix(rest, []byte("2"))
}
