package login

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/signin"
)

const (
	// lookEvery is how often the page is searched for the sign of success, lookAtMost how long
	// one look may take.
	lookEvery  = 500 * time.Millisecond
	lookAtMost = 3 * time.Second
	// takeAtMost bounds how long it takes to read what the portal keeps.
	takeAtMost = 30 * time.Second
	// looks is how often in a row the sign of success must be seen: a page may show it while
	// it is still storing what came with it.
	looks = 2
)

// visit is one sign-in by hand.
type visit struct {
	cfg     Config
	recipe  *scrape.Recipe
	browser *browser.Browser
	start   string
	portal  *scrape.Portal
	file    *signin.File
	// copied are the cookies that the browser began with.
	copied  []browser.Cookie
	origins []string
	seen    int
}

// startAddress returns where signing in begins.
func startAddress(recipe *scrape.Recipe, template string) (string, error) {
	for _, address := range []string{startURL(recipe), recipe.BaseURL, siteOf(template)} {
		u, err := url.Parse(address)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && !strings.ContainsAny(u.Host, "{}") {
			return address, nil
		}
	}
	return "", &setup.ConfigError{Field: "recipe", Message: "says neither login.start_url nor base_url, so it is not known where to sign in; add one of them, or use --url https://portal.example/"}
}

// siteOf returns a template's address, or its site where that is an order's.
func siteOf(template string) string {
	before, _, varies := strings.Cut(template, "{")
	u, err := url.Parse(before)
	if !varies || err != nil {
		return template
	}
	return u.Scheme + "://" + u.Host + "/"
}

// recognises reports whether the recipe says what is there once somebody is signed in.
func (v *visit) recognises() bool {
	selector, text := success(v.recipe)
	return selector != "" || len(text) > 0
}

// tellHow says how to go on.
func (v *visit) tellHow() {
	if v.recognises() {
		v.cfg.Tell("Sign in; it ends by itself when the recipe's login.success is seen. Ctrl-C gives up.")
		return
	}
	onPage := ""
	if v.cfg.Remote != "" {
		onPage = `, or "I am signed in" there`
	}
	v.cfg.Tell("Sign in, and then press Enter here%s. Ctrl-C gives up.", onPage)
}

// wait returns when the person is signed in.
func (v *visit) wait(ctx context.Context, confirmed <-chan struct{}) error {
	ctx, cancel := context.WithCancelCause(ctx)
	arrival := make(chan error, 1)
	var arriving sync.WaitGroup
	arriving.Go(func() { arrival <- v.browser.Tab().Visit(ctx, v.start) })
	defer arriving.Wait()
	defer cancel(nil)
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		changed := v.browser.WindowsChanged()
		if v.closed() {
			return ErrClosed
		}
		v.note()
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-arrival:
			if unreached := (*browser.NavigationError)(nil); errors.As(err, &unreached) {
				v.cfg.Tell("Warning: %v", err)
			}
		case <-confirmed:
			return nil
		case <-v.cfg.Enter:
			if !v.recognises() {
				return nil
			}
			v.cfg.Tell("Not yet: the recipe's login.success is not on the page. Go on there, or press Ctrl-C and correct the recipe.")
		case <-v.browser.Lost():
		case <-changed:
		case <-tick.C:
			if v.looks(ctx) {
				return nil
			}
		}
	}
}

// closed reports whether there is no window any more.
func (v *visit) closed() bool {
	return v.browser.Fit() != nil && errors.Is(v.browser.Fit(), browser.ErrLost) || len(v.browser.Windows()) == 0
}

// note remembers the origins that the windows have shown.
func (v *visit) note() {
	for _, t := range v.browser.Windows() {
		u, err := url.Parse(t.Address())
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			continue
		}
		if origin := u.Scheme + "://" + u.Host; !slices.Contains(v.origins, origin) {
			v.origins = append(v.origins, origin)
		}
	}
}

// looks reports whether the sign of success is there.
func (v *visit) looks(ctx context.Context) bool {
	if !v.recognises() {
		return false
	}
	for _, t := range v.browser.Windows() {
		if t.Dialog() != nil {
			continue
		}
		if v.shows(ctx, t) {
			v.seen++
			return v.seen >= looks
		}
	}
	v.seen = 0
	return false
}

// shows reports whether the sign of success is in a window: the element, and one of the texts, as
// far as the recipe names them. One that is about to show another page has none.
func (v *visit) shows(ctx context.Context, t *browser.Tab) bool {
	ctx, cancel := context.WithTimeout(ctx, lookAtMost)
	defer cancel()
	selector, texts := success(v.recipe)
	if selector != "" {
		if shown, err := t.Shown(ctx, browser.Target{Selector: selector}); err != nil || !shown {
			return false
		}
	}
	if len(texts) == 0 {
		return selector != ""
	}
	wanted, err := json.Marshal(texts)
	found := false
	if err == nil {
		const squeeze = `((text) => text.replace(/\s+/g, " ").trim().toLowerCase())`
		err = t.EvaluateApart(ctx, "", fmt.Sprintf("%s.some((text) => document.body && %[2]s(document.body.innerText).includes(%[2]s(text)))", wanted, squeeze), &found)
	}
	return err == nil && found
}

// begin notes what a base profile has brought.
func (v *visit) begin(ctx context.Context) error {
	if v.cfg.BaseProfile == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, takeAtMost)
	defer cancel()
	state, err := v.browser.State(ctx, nil)
	if err != nil {
		return fmt.Errorf("reading what the base profile has brought: %w", err)
	}
	v.copied = state.Cookies
	return nil
}

// take returns what the browser keeps, but for cookies of the base profile that are not the portal's, and that signing
// in has not changed.
func (v *visit) take(ctx context.Context) (*browser.State, error) {
	ctx, cancel := context.WithTimeout(ctx, takeAtMost)
	defer cancel()
	v.note()
	state, err := v.browser.State(ctx, v.origins)
	if err != nil {
		return nil, fmt.Errorf("reading the sign-in from the browser: %w", err)
	}
	state.Cookies = slices.DeleteFunc(state.Cookies, func(c browser.Cookie) bool {
		return slices.Contains(v.copied, c) && !v.portal.OwnCookie(c)
	})
	return state, nil
}
