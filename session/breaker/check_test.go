package breaker

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestDialAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://portal.example/x": "portal.example:80", "https://portal.example": "portal.example:443",
		"http://portal.example:8080/x": "portal.example:8080", "https://[::1]/": "[::1]:443", "socks5://proxy.example": "proxy.example:1080",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := dialAddress(u); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}

// hangUp takes connections and closes them without a word, until the test ends.
func hangUp(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = conn.Close() // what a portal does whose program is gone behind its balancer
		}
	}()
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		<-over
	})
	return l.Addr().String()
}

func TestLooksAtRealHosts(t *testing.T) {
	errorPage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }))
	defer errorPage.Close()
	leadsAway := httptest.NewServer(http.RedirectHandler("http://127.0.0.1:1/", http.StatusFound))
	defer leadsAway.Close()
	ownCertificate := httptest.NewUnstartedServer(http.NotFoundHandler())
	ownCertificate.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of the caller
	ownCertificate.StartTLS()
	defer ownCertificate.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, c := range map[string]struct {
		proxy, site       string
		reached, answered bool
	}{
		"an error page":                {"", errorPage.URL, true, true},
		"a redirect":                   {"", leadsAway.URL, true, true},
		"an unknown certificate":       {"", ownCertificate.URL, true, true},
		"a connection without a word":  {"", "http://" + hangUp(t), true, false},
		"nobody":                       {"", gone.URL, false, false},
		"by a proxy that answers":      {errorPage.URL, gone.URL, true, true},
		"by a proxy that is not there": {gone.URL, errorPage.URL, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			n := NewNetwork(c.proxy)
			address := strings.TrimPrefix(strings.TrimPrefix(c.site, "http://"), "https://")
			if err := n.Reach(t.Context(), address); (err == nil) != c.reached {
				t.Errorf("reached: %v", err)
			}
			if err := n.Ask(t.Context(), c.site+"/"); (err == nil) != c.answered {
				t.Errorf("answered: %v", err)
			}
		})
	}
}

// An attempt that ends because the work is stopped says nothing about its host.
func TestLooksThatAreStopped(t *testing.T) {
	t.Parallel()
	r := newRig(t, 3)
	r.well(0)
	r.network.set(portalAddress, true)
	ctx, cancel := context.WithCancelCause(t.Context())
	p, err := r.Admit(ctx, r.orders[1], stays)
	if err != nil {
		t.Fatal(err)
	}
	cancel(errors.New("the session was interrupted"))
	p.Observe(ctx, nil, refused())
	r.is(stateClosed)
}
