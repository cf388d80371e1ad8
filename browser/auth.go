package browser

import (
	"net/url"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/fetch"
)

// Credentials answer a server that asks for a user and a password (HTTP Basic and Digest).
type Credentials struct {
	User, Password string
	// For says which servers may have them, by scheme and host. It must not block.
	For func(origin *url.URL) bool
}

// challenges are the questions for a password that were answered. An answer that was
// refused is given no second time in the life of the browser: servers lock out users whose
// password is wrong a few times.
type challenges struct {
	mu       sync.Mutex
	answered map[challenge]bool
	refused  map[asker]bool
}

// asker is what asks; challenge is one request of which it asks.
type (
	asker struct {
		source        fetch.AuthChallengeSource
		origin, realm string
	}
	challenge struct {
		asker
		request string
	}
)

// authenticates reports whether any question for a password could be answered.
func (c Config) authenticates() bool {
	_, proxyUser := c.proxy()
	return c.Credentials != nil || proxyUser != nil
}

// proxy returns the address of the proxy for Chrome's arguments, and the user that it asks
// for, or nil: a password must not be seen in the list of processes.
func (c Config) proxy() (address string, user *url.Userinfo) {
	u, err := url.Parse(c.Proxy)
	if err != nil || u.User == nil {
		return c.Proxy, nil
	}
	user, u.User = u.User, nil
	return u.String(), user
}

// answerTo returns the answer to a question for a password. What is not asked by the proxy,
// or by a server that may have the credentials, is left to Chrome.
func (b *Browser) answerTo(e *fetch.EventAuthRequired) *fetch.AuthChallengeResponse {
	user, password, known := b.credentialsFor(e.AuthChallenge)
	if !known {
		return &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseDefault}
	}
	asks := asker{e.AuthChallenge.Source, e.AuthChallenge.Origin, e.AuthChallenge.Realm}
	id, _, _ := strings.Cut(string(e.RequestID), ".") // what follows counts redirects
	c := &b.challenges
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answered[challenge{asks, id}] {
		c.refused[asks] = true
	}
	if c.refused[asks] {
		return &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseCancelAuth}
	}
	c.answered[challenge{asks, id}] = true
	return &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseProvideCredentials, Username: user, Password: password}
}

func (b *Browser) credentialsFor(asked *fetch.AuthChallenge) (user, password string, known bool) {
	origin, err := url.Parse(asked.Origin)
	if err != nil {
		return "", "", false
	}
	if asked.Source == fetch.AuthChallengeSourceProxy {
		address, info := b.cfg.proxy()
		if b.cfg.Egress != nil {
			address = b.cfg.Egress.Server()
		}
		proxy, err := url.Parse(address)
		if err != nil || info == nil || !strings.EqualFold(proxy.Hostname(), origin.Hostname()) {
			return "", "", false
		}
		password, _ = info.Password()
		return info.Username(), password, true
	}
	c := b.cfg.Credentials
	if c == nil || !c.For(origin) {
		return "", "", false
	}
	return c.User, c.Password, true
}

// onAuthRequired answers a question for a password. It does not block.
func (b *Browser) onAuthRequired(e *fetch.EventAuthRequired) {
	answer := b.answerTo(e)
	b.background(func() { // an error means that the request is gone
		_, _ = callBrowser(b.life, b, fetch.ContinueWithAuth, fetch.ContinueWithAuthParams{RequestID: e.RequestID, AuthChallengeResponse: answer})
	})
}
