// Package guard keeps a page that poscrape serves to those who know its address: that holds a
// secret, and requests which lack it, or which another site's page makes, are refused. It does
// not know what the page is for.
package guard

import (
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"time"
)

// Guard says who may use a page.
type Guard struct {
	// Token is the secret: the first part of each path.
	Token string
	// Addr is where the page was asked to be, host and port.
	Addr string
	// Policy is the page's Content-Security-Policy.
	Policy string
}

// Wrap refuses requests that do not know the token, and those that another site's page
// makes: a portal's page that runs on this machine, too. The others reach next without the
// token in their path.
func (g Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"Cache-Control": "no-store", "Content-Security-Policy": g.Policy, "Referrer-Policy": "no-referrer",
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			w.Header().Set(name, value)
		}
		token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if !Named(g.Addr, r.Host) || !fromHere(r) || subtle.ConstantTimeCompare([]byte(token), []byte(g.Token)) != 1 {
			// A body that never comes would keep the connection.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now())
			w.Header().Set("Connection", "close")
			http.Error(w, "Not permitted: use the whole address that poscrape has printed.", http.StatusForbidden)
			return
		}
		inner := r.Clone(r.Context())
		inner.URL.Path, inner.URL.RawPath = "/"+rest, ""
		next.ServeHTTP(w, inner)
	})
}

// Named reports whether a server that was asked to be at addr is asked for by an address, or by a
// name that it was given: a page whose own name is made to lead here would use that one. host is a
// request's.
func Named(addr, host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	own, _, _ := net.SplitHostPort(addr)
	name = strings.Trim(name, "[]")
	return net.ParseIP(name) != nil || strings.EqualFold(name, "localhost") || own != "" && strings.EqualFold(name, own)
}

// fromHere reports whether a request is one of the page itself, or opens it.
func fromHere(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host && origin != "https://"+r.Host {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	// A link to the page may stand anywhere.
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}
