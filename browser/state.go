package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
)

// State is what portals keep in a browser, as a sign-in: in the JSON shape of Playwright's
// storage state. All of it is secret.
type State struct {
	Cookies []Cookie `json:"cookies"`
	Origins []Origin `json:"origins"`
}

// Cookie is one of a State's.
type Cookie struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Domain begins with a dot where the cookie is also for the hosts below it.
	Domain string `json:"domain"`
	Path   string `json:"path"`
	// Expires is in seconds since 1970, or -1 where it ends with the browser.
	Expires  float64 `json:"expires"`
	HTTPOnly bool    `json:"httpOnly"`
	Secure   bool    `json:"secure"`
	// SameSite is Strict, Lax, None or empty.
	SameSite string `json:"sameSite,omitempty"`
	// PartitionKey is the site of the pages in which the cookie is, or empty. CrossSite:
	// in frames of other sites there.
	PartitionKey string `json:"partitionKey,omitempty"`
	CrossSite    bool   `json:"_crHasCrossSiteAncestor,omitempty"`
}

// Origin is what an origin keeps besides cookies.
type Origin struct {
	// Origin is scheme, host and port, as "https://portal.example".
	Origin       string `json:"origin"`
	LocalStorage []Item `json:"localStorage"`
	// IndexedDB is a list of databases in Playwright's shape. Records that hold what cannot
	// leave a browser, such as certain keys, are not in it.
	IndexedDB json.RawMessage `json:"indexedDB,omitempty"`
	// SessionStorage belongs to a tab. Playwright ignores it.
	SessionStorage []Item `json:"sessionStorage,omitempty"`
}

// Item is one of a storage's.
type Item struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Expired reports whether the cookie's time is over.
func (c Cookie) Expired(now time.Time) bool {
	return c.Expires >= 0 && c.Expires <= float64(now.Unix())
}

// State returns the browser's cookies, and what these origins keep, which need not be those
// of its page. The page is not touched. No server is asked for anything. It blocks for some
// 100 ms, in which nothing else may use the browser's tab.
func (b *Browser) State(ctx context.Context, origins []string) (*State, error) {
	cookies, err := b.cookies(ctx)
	if err != nil {
		return nil, err
	}
	s := &State{Cookies: cookies, Origins: []Origin{}}
	b.keepSession(ctx, origins)
	if len(origins) == 0 {
		return s, nil
	}
	t, err := b.openTab(ctx)
	if err != nil {
		return nil, fmt.Errorf("opening a tab to read what origins keep: %w", err)
	}
	defer t.close(ctx)
	for _, origin := range origins {
		o := Origin{Origin: origin}
		if err := t.storage(ctx, origin, "readStorage()", &o); err != nil {
			return nil, fmt.Errorf("reading what %s keeps in the browser: %w", origin, err)
		}
		if string(o.IndexedDB) == "[]" {
			o.IndexedDB = nil
		}
		b.mu.Lock()
		o.SessionStorage = slices.Clone(b.sessions[origin])
		b.mu.Unlock()
		s.Origins = append(s.Origins, o)
	}
	return s, nil
}

// SetState gives the browser another state: its cookies are replaced, and what the state's
// origins keep. Other origins keep what they have. The page is left, and its tab replaced. No server is
// asked for anything.
func (b *Browser) SetState(ctx context.Context, s *State) error {
	b.setSessions(s)
	// A page that is there still could write what it keeps anew.
	if err := b.replace(ctx); err != nil {
		return fmt.Errorf("leaving the page before its state is replaced: %w", err)
	}
	if _, err := callBrowser(ctx, b, storage.ClearCookies, storage.ClearCookiesParams{}); err != nil {
		return fmt.Errorf("removing the browser's cookies: %w", err)
	}
	if err := b.setCookies(ctx, s.Cookies); err != nil {
		return err
	}
	if len(s.Origins) == 0 {
		return nil
	}
	t, err := b.openTab(ctx)
	if err != nil {
		return fmt.Errorf("opening a tab to write what origins keep: %w", err)
	}
	defer t.close(ctx)
	for _, o := range s.Origins {
		o.SessionStorage = nil
		text, err := json.Marshal(o)
		if err == nil {
			err = t.storage(ctx, o.Origin, "writeStorage("+string(text)+")", nil)
		}
		if err != nil {
			return fmt.Errorf("writing what %s keeps in the browser: %w", o.Origin, err)
		}
	}
	return nil
}

func (b *Browser) cookies(ctx context.Context) ([]Cookie, error) {
	res, err := callBrowser(ctx, b, storage.GetCookies, storage.GetCookiesParams{})
	if err != nil {
		return nil, fmt.Errorf("reading the browser's cookies: %w", err)
	}
	list := []Cookie{}
	for _, c := range res.Cookies {
		if c.PartitionKeyOpaque { // of a frame without an origin, which no other browser has
			continue
		}
		kept := Cookie{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: c.Expires,
			HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: string(c.SameSite)}
		if c.Session {
			kept.Expires = -1
		}
		if k := c.PartitionKey; k != nil {
			kept.PartitionKey, kept.CrossSite = k.TopLevelSite, k.HasCrossSiteAncestor
		}
		list = append(list, kept)
	}
	return list, nil
}

// keepOwn removes the cookies of the profile that the browser began with and is not to keep.
func (b *Browser) keepOwn(ctx context.Context) error {
	if !b.cfg.Filled || b.cfg.KeepCookie == nil {
		return nil
	}
	all, err := b.cookies(ctx)
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(slices.Clone(all), func(c Cookie) bool { return !b.cfg.KeepCookie(c) })
	if len(own) == len(all) {
		return nil
	}
	if _, err := callBrowser(ctx, b, storage.ClearCookies, storage.ClearCookiesParams{}); err != nil {
		return fmt.Errorf("removing the cookies of other portals: %w", err)
	}
	return b.setCookies(ctx, own)
}

// setCookies adds cookies, but for those whose time is over. It sets one at a time, so that
// its error names the one that Chrome does not take, without its value.
func (b *Browser) setCookies(ctx context.Context, cookies []Cookie) error {
	for _, c := range cookies {
		if c.Expired(time.Now()) {
			continue
		}
		param := &network.CookieParam{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path,
			HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: network.CookieSameSite(c.SameSite)}
		if c.Expires >= 0 {
			param.Expires = cdp.TimeSinceEpoch(c.Expires)
		}
		if c.PartitionKey != "" {
			param.PartitionKey = &network.CookiePartitionKey{TopLevelSite: c.PartitionKey, HasCrossSiteAncestor: c.CrossSite}
		}
		if _, err := callBrowser(ctx, b, storage.SetCookies, storage.SetCookiesParams{Cookies: []*network.CookieParam{param}}); err != nil {
			return fmt.Errorf("Chrome does not take the cookie %q of %s: %w", c.Name, c.Domain, err)
		}
	}
	return nil
}
