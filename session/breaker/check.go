package breaker

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Checker checks hosts from here, without a browser. Its methods block until ctx ends at
// the latest.
type Checker interface {
	// Reach connects to host and port, and hangs up.
	Reach(ctx context.Context, address string) error
	// Ask asks for a page. Any answer will do.
	Ask(ctx context.Context, site string) error
}

// network is the Checker where none is given. With a proxy, that is what is connected to:
// nothing else can be known from here.
type network struct{ proxy *url.URL }

// NewNetwork returns the Checker of this machine, which connects through the proxy, if any.
// One that a script chooses is not known here.
func NewNetwork(proxy string) Checker {
	u, err := url.Parse(proxy)
	if err != nil || u.Host == "" || strings.Contains(u.Scheme, "+") {
		return network{}
	}
	return network{u}
}

func (n network) Reach(ctx context.Context, address string) error {
	if n.proxy != nil {
		address = dialAddress(n.proxy)
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}

func (n network) Ask(ctx context.Context, site string) error {
	transport := &http.Transport{Proxy: http.ProxyURL(n.proxy), DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, site, http.NoBody)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return nil // it has answered, and the browser may know its issuer
	}
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// check connects to every host that is down, all at once, and wakes the orders that
// wait. It blocks for checkTimeout at most.
func (b *Breaker) check(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	var down []*circuit
	b.mu.Lock()
	for _, c := range b.troubled() {
		if c.state == stateOpen && !c.refuses {
			down = append(down, c)
		}
	}
	b.mu.Unlock()
	var checks sync.WaitGroup
	for _, c := range down {
		checks.Go(func() {
			err := b.Checker.Reach(ctx, c.address)
			b.mu.Lock()
			defer b.mu.Unlock()
			c.checked(time.Now(), err == nil)
		})
	}
	checks.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nextCheck = time.Now().Add(checkEvery)
	b.stir()
}
