//go:build unix

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

func TestNavigateAndEvaluate(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/ok":   html(`<title>one</title><script>console.error("broken", 7)</script>`),
		"/gone": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) },
		"/busy": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(503)
			fmt.Fprint(w, "busy")
		},
		"/to": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ok", http.StatusFound) },
	})
	tab := share(t).Tab()
	res, err := tab.Navigate(t.Context(), url+"/to", "")
	if err != nil || res.Status != 200 || res.URL != url+"/ok" {
		t.Fatalf("got %+v, %v", res, err)
	}
	var title string
	if err := tab.Evaluate(t.Context(), `document.readyState === "complete" ? document.title : new Promise(r => onload = () => r(document.title))`, &title); err != nil || title != "one" {
		t.Fatalf("got %q, %v", title, err)
	}
	if p := tab.Problems(); len(p) == 0 || !strings.Contains(p[0].Text, "broken") {
		t.Errorf("the console error was not noted: %v", p)
	}
	var script *browser.ScriptError
	if err := tab.Evaluate(t.Context(), `(() => { throw new Error("mine") })()`, nil); !errors.As(err, &script) || !strings.Contains(script.Text, "mine") {
		t.Errorf("got %v", err)
	}
	for range 2 { // the second time only the fragment differs, and it must be a new document all the same
		if err := tab.Evaluate(t.Context(), `window.marked = true`, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := tab.Navigate(t.Context(), url+"/ok#part", ""); err != nil {
			t.Fatal(err)
		}
		var marked bool
		if err := tab.Evaluate(t.Context(), `!!window.marked`, &marked); err != nil || marked {
			t.Errorf("the document is an old one (%v)", err)
		}
	}
	if res, err := tab.Navigate(t.Context(), url+"/gone", ""); err != nil || res.Status != 404 {
		t.Errorf("404 without a body: got %+v, %v", res, err)
	}
	if res, err := tab.Navigate(t.Context(), url+"/busy", ""); err != nil || res.Status != 503 || res.Header["retry-after"] != "7" {
		t.Errorf("got %+v, %v", res, err)
	}
	var nav *browser.NavigationError
	if _, err := tab.Navigate(t.Context(), "http://127.0.0.1:1/", ""); !errors.As(err, &nav) {
		t.Errorf("got %v", err)
	}
	if res, err := tab.Navigate(t.Context(), url+"/ok", ""); err != nil || res.Status != 200 {
		t.Errorf("after a failed navigation: got %+v, %v", res, err)
	}
}

func TestNavigationThatNeverAnswersIsGivenUp(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(release) })
	var once sync.Once
	url := serve(t, map[string]http.HandlerFunc{
		"/never": func(_ http.ResponseWriter, r *http.Request) {
			once.Do(func() { close(asked) })
			select {
			case <-release:
			case <-r.Context().Done():
			}
		},
		"/ok": html("fine"),
	})
	b := share(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	mine := errors.New("enough")
	go func() { <-asked; cancel(mine) }()
	if _, err := b.Tab().Navigate(ctx, url+"/never", ""); !errors.Is(err, mine) {
		t.Fatalf("got %v", err)
	}
	if err := b.Fit(); err != nil {
		t.Fatalf("the browser is unfit: %v", err)
	}
	if res, err := b.Tab().Navigate(t.Context(), url+"/ok", ""); err != nil || res.Status != 200 {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestDialogsAreAnswered(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/": html(`<script>alert("hello"); window.answer = confirm("sure?"); onbeforeunload = e => e.preventDefault()</script>`),
	})
	for _, accept := range []bool{true, false} {
		tab := launch(t, func(c *browser.Config) { c.AcceptDialogs = accept }).Tab()
		for range 2 {
			open(t, tab, url)
			var answer bool
			if err := tab.Evaluate(t.Context(), `window.answer`, &answer); err != nil || answer != accept {
				t.Errorf("accept %v: the page got %v, %v", accept, answer, err)
			}
		}
	}
}

func TestLaunchFailures(t *testing.T) {
	t.Parallel()
	fake := func(t *testing.T, script string) browser.Chrome {
		t.Helper()
		path := filepath.Join(t.TempDir(), "chrome")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
		return browser.Chrome{Path: path}
	}
	for name, c := range map[string]struct {
		script, want string
		timeout      time.Duration
	}{
		"dies at once":   {"echo no display here >&2; exit 3", "no display here", time.Minute},
		"says nothing":   {"exit 7", "exit status 7", time.Minute},
		"never answers":  {"exec sleep 1000", "did not answer", 200 * time.Millisecond},
		"leaves a child": {"sleep 1000 & exit 1", "did not answer", 200 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := browser.DefaultConfig()
			cfg.Chrome, cfg.StartTimeout, cfg.Sandbox = fake(t, c.script), c.timeout, browser.NoSandbox()
			cfg.ProfileDir, cfg.DownloadDir = dirs(t)
			_, err := browser.Launch(t.Context(), cfg)
			if !errors.Is(err, browser.ErrLaunch) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}
