package session

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// looker looks at hosts from here, without a browser.
type looker interface {
	// reach connects to host and port, and hangs up.
	reach(ctx context.Context, address string) error
	// ask asks for a page. Any answer will do.
	ask(ctx context.Context, site string) error
}

// network is the looker of a session. With a proxy, that is what is connected to:
// nothing else can be known from here.
type network struct{ proxy *url.URL }

func newNetwork(proxy string) network {
	u, err := url.Parse(proxy)
	if err != nil || u.Host == "" {
		return network{}
	}
	return network{u}
}

func (n network) reach(ctx context.Context, address string) error {
	if n.proxy != nil {
		address = dialAddress(n.proxy)
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}

func (n network) ask(ctx context.Context, site string) error {
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

// look connects to every host that is down, all at once, and has the orders that
// wait look again. It blocks for lookTimeout at most.
func (b *breaker) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	var down []*circuit
	b.mu.Lock()
	for _, c := range b.troubled() {
		if c.state == breakerOpen && !c.refuses {
			down = append(down, c)
		}
	}
	b.mu.Unlock()
	var looks sync.WaitGroup
	for _, c := range down {
		looks.Go(func() {
			err := b.looker.reach(ctx, c.address)
			b.mu.Lock()
			defer b.mu.Unlock()
			c.looked(time.Now(), err == nil)
		})
	}
	looks.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nextLook = time.Now().Add(lookEvery)
	b.stir()
}
