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
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// TestHungBrowser stops the browser's main process while this and that is waited
// for: whoever waits learns that it hangs.
func TestHungBrowser(t *testing.T) {
	t.Parallel()
	sending := make(chan struct{}, 8)
	url := serve(t, map[string]http.HandlerFunc{
		"/": html(`<a id=a href="/slow.bin" download>a</a>`),
		"/slow.bin": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			if r.URL.RawQuery != "" {
				w.Header().Set("Content-Length", "1000000")
			}
			fmt.Fprint(w, strings.Repeat("begun ", 1000)) // Chrome looks at the first bytes before it begins
			_ = http.NewResponseController(w).Flush()     // an error means that the browser is gone
			sending <- struct{}{}
			<-r.Context().Done()
		},
	})
	stop := func(b *browser.Browser) { signal(t, syscall.SIGSTOP, b.PID()) }
	for name, wait := range map[string]func(*testing.T, *browser.Browser) error{
		"a script": func(t *testing.T, b *browser.Browser) error {
			result := pending(t, b.Tab(), forever)
			stop(b)
			return <-result
		},
		"the next order": func(t *testing.T, b *browser.Browser) error {
			stop(b)
			_, err := b.Tab().Navigate(t.Context(), url, "")
			return err
		},
		"a document": func(t *testing.T, b *browser.Browser) error {
			go func() { <-sending; stop(b) }()
			_, err := b.Fetch(t.Context(), browser.Request{URL: url + "/slow.bin?sized", MaxSize: 1 << 20, Allowed: func(string) bool { return true }})
			return err
		},
		"the first document": func(t *testing.T, b *browser.Browser) error {
			stop(b)
			_, err := b.Fetch(t.Context(), browser.Request{URL: url + "/slow.bin?sized", MaxSize: 1 << 20, Allowed: func(string) bool { return true }})
			return err
		},
		"a download to begin": func(t *testing.T, b *browser.Browser) error {
			expected := b.ExpectDownload()
			stop(b)
			_, err := expected.Begun(t.Context(), time.Minute)
			return err
		},
		"a download": func(t *testing.T, b *browser.Browser) error {
			expected := b.ExpectDownload()
			if err := b.Tab().Evaluate(t.Context(), `a.click()`, nil); err != nil {
				return err
			}
			d, err := expected.Begun(t.Context(), time.Minute)
			if err != nil {
				return err
			}
			stop(b)
			_, err = b.Wait(t.Context(), d, 1<<20)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := launch(t, impatient, func(c *browser.Config) { c.StallTimeout = time.Second })
			open(t, b.Tab(), url)
			err := wait(t, b)
			if !errors.Is(err, browser.ErrHung) || !errors.Is(err, browser.ErrLost) || !strings.Contains(err.Error(), fmt.Sprint(b.PID())) {
				t.Errorf("got %v", err)
			}
			if err := b.Fit(); !errors.Is(err, browser.ErrHung) {
				t.Errorf("a hung browser is fit: %v", err)
			}
			<-b.Lost()
		})
	}
}

// TestHeartbeat: each message that Chrome sends is a sign of life, and none that it is sent,
// or else TestHungBrowser would fail.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	b := share(t)
	before := time.Now()
	if err := b.Tab().Evaluate(t.Context(), "0", nil); err != nil {
		t.Fatal(err)
	}
	if !b.HeardSince(before) {
		t.Error("an answer of Chrome's was no sign of life")
	}
}

// TestTidyingUpAHungBrowserEnds: what is done between orders is bounded, though
// nothing of it is answered.
func TestTidyingUpAHungBrowserEnds(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/": html("fine")})
	b := launch(t)
	open(t, b.Tab(), url)
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- b.Tab().Evaluate(ctx, forever, nil) }()
	signal(t, syscall.SIGSTOP, b.PID())
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	b.TidyUp(ctx)
	if err := b.Fit(); err == nil {
		t.Error("a browser that answers nothing is fit")
	}
}

func TestHangWhileLaunching(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	chrome, err := browser.Find(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	cfg := browser.DefaultConfig()
	cfg.Chrome, cfg.Sandbox = chrome, browser.NoSandbox()
	cfg.ProfileDir, cfg.DownloadDir = dirs(t)
	var group int
	ctx, cancel := context.WithCancelCause(t.Context())
	mine := errors.New("enough")
	cfg.OnProcess = func(pid int) {
		group = pid
		signal(t, syscall.SIGSTOP, pid)
		cancel(mine)
	}
	if _, err := browser.Launch(ctx, cfg); !errors.Is(err, mine) {
		t.Errorf("got %v", err)
	}
	if running(t, group) {
		t.Errorf("processes of group %d are left", group)
	}
}

// TestNotLaunched: who has given up before gets no Chrome.
func TestNotLaunched(t *testing.T) {
	t.Parallel()
	cfg := browser.DefaultConfig()
	started := filepath.Join(t.TempDir(), "started")
	cfg.Chrome, cfg.Sandbox = browser.Chrome{Path: filepath.Join(t.TempDir(), "chrome")}, browser.NoSandbox()
	if err := os.WriteFile(cfg.Chrome.Path, []byte("#!/bin/sh\n: > "+started), 0o700); err != nil {
		t.Fatal(err)
	}
	cfg.ProfileDir, cfg.DownloadDir = dirs(t)
	mine := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(mine)
	if _, err := browser.Launch(ctx, cfg); !errors.Is(err, mine) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(started); err == nil {
		t.Error("a Chrome was started")
	}
}

// TestSilenceIsNoHang: a browser that has nothing to say for long, and a page
// that takes its time, are both well.
func TestSilenceIsNoHang(t *testing.T) {
	t.Parallel()
	// It answers after twice the time that a page may keep its tab from answering.
	const pageTimeout = 4 * time.Second // enough for one on a busy machine to answer
	late := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(2 * pageTimeout):
			html("late")(w, r)
		case <-r.Context().Done():
		}
	}
	url := serve(t, map[string]http.HandlerFunc{"/": html("fine"), "/late": late})
	for name, wait := range map[string]func(*browser.Tab) error{
		"a script": func(tab *browser.Tab) error {
			open(t, tab, url)
			return tab.Evaluate(t.Context(), `new Promise((done) => setTimeout(done, 5000))`, nil)
		},
		"a server": func(tab *browser.Tab) error {
			_, err := tab.Navigate(t.Context(), url+"/late", "")
			return err
		},
		"a server that the page asks itself": func(tab *browser.Tab) error {
			open(t, tab, url)
			if err := tab.Evaluate(t.Context(), `location.href = "/late"; `+forever, nil); !errors.Is(err, browser.ErrNavigated) {
				return fmt.Errorf("it did not navigate: %w", err)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := launch(t, settings, func(c *browser.Config) { c.HangCheck, c.PageTimeout = 50*time.Millisecond, pageTimeout })
			if err := wait(b.Tab()); err != nil {
				t.Error(err)
			}
			usable(t, b, b.PID(), url)
		})
	}
}
