package browser

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
)

// A form takes what is written into its fields to wherever its markup says, into any frame or window too. So from the
// first secret that is written into a page until that is left, a request for a document that posts something, or whose
// address has the secret in it, is not sent to other origins than the secret's own. Other frames go where they go.

// secrets are those that stand in a page of a tab.
type secrets struct {
	mu   sync.Mutex
	tab  *Tab
	page cdp.LoaderID
	all  []writtenSecret
	// withheld is the address that the page's form would have taken one to, or empty.
	withheld string
}

// writtenSecret is a secret, and the origins that it may go to.
type writtenSecret struct {
	text    string
	origins []string
}

// keepSecret notes that a secret is about to be written into the tab's page.
func (t *Tab) keepSecret(ctx context.Context, text string, origins []string) error {
	t.mu.Lock()
	page := t.committed
	t.mu.Unlock()
	s := &t.browser.secrets
	s.mu.Lock()
	if s.tab != t || s.page != page {
		s.tab, s.page, s.all, s.withheld = t, page, nil, ""
	}
	secret := writtenSecret{text: text}
	for _, origin := range origins {
		secret.origins = append(secret.origins, originOf(origin))
	}
	s.all = append(s.all, secret)
	s.mu.Unlock()
	return t.browser.intercept(ctx)
}

// any reports whether there are some.
func (s *secrets) any() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all) > 0
}

// withholds reports whether a paused request would take a secret to an origin that it is not for.
func (b *Browser) withholds(e *fetch.EventRequestPaused) bool {
	s := &b.secrets
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) == 0 || asksNobody(e.Request.URL) {
		return false
	}
	s.tab.mu.Lock()
	left := s.tab.committed != s.page
	s.tab.mu.Unlock()
	if left {
		s.tab, s.page, s.all = nil, "", nil
		return false
	}
	if string(e.FrameID) != s.tab.id && b.isOurs(e) {
		return false
	}
	posts := e.Request.Method != http.MethodGet && e.Request.Method != http.MethodHead
	takes := slices.ContainsFunc(s.all, func(secret writtenSecret) bool {
		return !slices.Contains(secret.origins, originOf(e.Request.URL)) && (posts || secret.standsIn(e.Request.URL))
	})
	if takes {
		s.withheld = e.Request.URL
	}
	return takes
}

// Withheld returns the latest address to which a form of the page of the browser's tab, or of the one before, would
// have taken a secret that is not for its origin, and which was not asked for; or "".
func (b *Browser) Withheld() string {
	b.secrets.mu.Lock()
	defer b.secrets.mu.Unlock()
	return b.secrets.withheld
}

// standsIn reports whether an address may have the secret in it. A form may write its fields in another character set,
// and with other breaks of lines, so that letters and digits of ASCII count.
func (w writtenSecret) standsIn(address string) bool {
	_, query, _ := strings.Cut(address, "?")
	if plain, err := url.QueryUnescape(query); err == nil {
		query = plain
	}
	return query != "" && strings.Contains(lettersOf(query), lettersOf(w.text))
}

// lettersOf returns the letters and digits of a text that are ASCII.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, text)
}
