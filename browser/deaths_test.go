//go:build unix

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

// impatient makes what is waited for short, and still long enough for a Chrome on
// a busy machine, which gets three times as long.
func impatient(c *browser.Config) {
	c.HangCheck, c.HangTimeout, c.PageTimeout = time.Second, 3*time.Second, 4*time.Second
}

// pending starts a script that never ends by itself, and returns its error.
func pending(t *testing.T, tab *browser.Tab, script string) <-chan error {
	t.Helper()
	result := make(chan error, 1)
	go func() { result <- tab.Evaluate(t.Context(), script, nil) }()
	return result
}

const forever = `new Promise(() => {})`

// usable checks that the browser is still the same and opens pages, set up as the
// first one was.
func usable(t *testing.T, b *browser.Browser, pid int, url string) {
	t.Helper()
	if err := b.Fit(); err != nil || b.PID() != pid {
		t.Fatalf("process %d, formerly %d: %v", b.PID(), pid, err)
	}
	open(t, b.Tab(), url)
	var set string
	if err := b.Tab().Evaluate(t.Context(), `document.body.innerText + " " + window.mine`, &set); err != nil || set != "fine set" {
		t.Errorf("the page says %q, %v", set, err)
	}
}

func settings(c *browser.Config) { c.OnNewDocument = `window.mine = "set"` }

func TestKilledBrowser(t *testing.T) {
	t.Parallel()
	b := launch(t)
	result := pending(t, b.Tab(), forever)
	signal(t, syscall.SIGKILL, b.PID())
	if err := <-result; !errors.Is(err, browser.ErrLost) || errors.Is(err, browser.ErrHung) {
		t.Errorf("got %v", err)
	}
	if err := b.Fit(); !errors.Is(err, browser.ErrLost) {
		t.Errorf("a dead browser is fit: %v", err)
	}
}

// TestLostPages loses the page of a browser in several ways: its tab is replaced,
// and the second time the browser.
func TestLostPages(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/":     html("fine"),
		"/loop": html(`<script>onload = () => setTimeout(() => { for (;;); }, 0)</script>`),
		"/deep": html(`<body><script>onload = () => setTimeout(() => { let at = document.body; for (let i = 0; i < 10000; i++) { const e = document.createElement("div"); at.append(e); at = e } document.body.innerText }, 0)</script>`),
		"/hog":  html(`<script>onload = () => setTimeout(() => { const all = []; for (;;) all.push(new Array(1e6).fill(1.5)) }, 0)</script>`),
	})
	for name, c := range map[string]struct {
		path string
		hurt func(*testing.T, *browser.Browser)
		want error
		// patience is how long the page may keep its tab from answering.
		patience time.Duration
	}{
		"its process is killed":    {"/", func(t *testing.T, b *browser.Browser) { signal(t, syscall.SIGKILL, renderers(t, b)...) }, browser.ErrPageCrashed, time.Minute},
		"its process stands still": {"/", func(t *testing.T, b *browser.Browser) { signal(t, syscall.SIGSTOP, renderers(t, b)...) }, browser.ErrPageHung, 4 * time.Second},
		"an endless loop":          {"/loop", nil, browser.ErrPageHung, 4 * time.Second},
		"its tab is closed":        {"/", func(t *testing.T, b *browser.Browser) { b.Tab().CloseBehindItsBack(t.Context()) }, browser.ErrPageClosed, time.Minute},
		"a tree that is too deep":  {"/deep", nil, browser.ErrPageCrashed, time.Minute},
		"it takes all memory":      {"/hog", nil, browser.ErrPageCrashed, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := launch(t, impatient, settings, func(cfg *browser.Config) {
				cfg.MaxPageMemory, cfg.PageTimeout, cfg.HangTimeout = 1500<<20, c.patience, time.Minute
			})
			pid := b.PID()
			for strike := 1; strike <= 2; strike++ {
				lost := b.Tab()
				if _, err := lost.Navigate(t.Context(), url+c.path, ""); err != nil {
					t.Fatal(err)
				}
				result := pending(t, lost, forever)
				if c.hurt != nil {
					c.hurt(t, b)
				}
				if err := <-result; !errors.Is(err, c.want) {
					t.Fatalf("got %v, want %v", err, c.want)
				}
				if steps := lost.Happenings(); !slices.ContainsFunc(steps, func(h browser.Happening) bool { return strings.Contains(h.Text, c.want.Error()) }) {
					t.Errorf("the tab does not tell its end: %v", steps)
				}
				b.TidyUp(t.Context())
				if b.Tab() == lost {
					t.Fatal("the lost tab was not replaced")
				}
				if strike == 1 {
					usable(t, b, pid, url)
				}
			}
			if err := b.Fit(); !errors.Is(err, c.want) {
				t.Errorf("after two lost tabs it says %v", err)
			}
		})
	}
}

// TestLoopingPageIsEnded: a page that never comes to an end does not go on using
// the processor when it was given up.
func TestLoopingPageIsEnded(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/": html("fine"), "/loop": html(`<script>for (;;) console.error("again", {deep: {er: 1}})</script>`)})
	b := launch(t, settings, func(c *browser.Config) { c.HangTimeout = time.Minute })
	looping := b.Tab()
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := looping.Navigate(ctx, url+"/loop", ""); err != nil {
		t.Fatal(err)
	}
	before := renderers(t, b)
	result := make(chan error, 1)
	go func() { result <- looping.Evaluate(ctx, forever, nil) }()
	testkit.Wait(t, "a full list of problems", func() bool { return len(looping.Problems()) == 200 })
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	b.TidyUp(t.Context())
	usable(t, b, b.PID(), url)
	testkit.Wait(t, "the loop to end", func() bool {
		return !slices.ContainsFunc(renderers(t, b), func(pid int) bool { return slices.Contains(before, pid) })
	})
	if n := len(looping.Problems()); n > 200 {
		t.Errorf("%d complaints were kept", n)
	}
}

func TestConsoleFloods(t *testing.T) {
	t.Parallel()
	const flood = `for (let i = 0; i < 20000; i++) console.error("line " + i);`
	url := serve(t, map[string]http.HandlerFunc{
		"/":      html("fine"),
		"/flood": html(`<script>` + flood + `</script><p id=end>end</p>`),
		"/later": html(`<p id=end></p><script>onload = () => setTimeout(() => { ` + flood + ` end.textContent = "end" }, 0)</script>`),
	})
	for _, path := range []string{"/flood", "/later"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			b := launch(t, settings)
			if _, err := b.Tab().Navigate(t.Context(), url+path, ""); err != nil {
				t.Fatal(err)
			}
			seen := `new Promise((done) => { const look = () => window.end && end.textContent ? done() : setTimeout(look, 10); look() })`
			if err := b.Tab().Evaluate(t.Context(), seen, nil); err != nil {
				t.Error(err)
			}
			if n := len(b.Tab().Problems()); n == 0 || n > 200 {
				t.Errorf("%d complaints were kept", n)
			}
			usable(t, b, b.PID(), url)
		})
	}
}

// TestLostTabOfADocument kills the process in which a document is being fetched:
// the page stays, and the document is fetched once more.
func TestLostTabOfADocument(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 2)
	var losses atomic.Int32
	losses.Store(1)
	url := serve(t, map[string]http.HandlerFunc{
		"/": html("fine"),
		"/doc": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("Content-Length", "4")
			asked <- struct{}{}
			if losses.Add(-1) >= 0 {
				<-r.Context().Done()
				return
			}
			fmt.Fprint(w, "done")
		},
	})
	b := launch(t, settings)
	open(t, b.Tab(), url)
	own := renderers(t, b)
	fetch := func() (*browser.File, error) {
		return b.Fetch(t.Context(), browser.Request{URL: url + "/doc", MaxSize: 100, Allowed: func(string) bool { return true }})
	}
	kill := func() {
		<-asked
		signal(t, syscall.SIGKILL, slices.DeleteFunc(renderers(t, b), func(pid int) bool { return slices.Contains(own, pid) })...)
	}
	go kill()
	file, err := fetch()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file.Path); err != nil || string(got) != "done" {
		t.Errorf("got %q, %v", got, err)
	}
	usable(t, b, b.PID(), url)
	if pids := renderers(t, b); !slices.Contains(pids, own[0]) {
		t.Errorf("the page's process %v is not among %v any more", own, pids)
	}
}

// TestRenderersDieWhileTabsAreOpened: opening a tab ends at once, well or not, and
// not after the time that a start may take.
func TestRenderersDieWhileTabsAreOpened(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/": html("fine"),
		"/doc": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, "done")
		},
	})
	b := launch(t, settings)
	open(t, b.Tab(), url)
	own := renderers(t, b)
	var killed atomic.Int64
	calm, cease := context.WithCancel(t.Context())
	killing := make(chan struct{})
	go func() {
		defer close(killing)
		for calm.Err() == nil {
			for _, pid := range renderers(t, b) {
				if !slices.Contains(own, pid) && syscall.Kill(pid, syscall.SIGKILL) == nil {
					killed.Add(1)
				}
			}
		}
	}()
	for range 6 {
		_, err := b.Fetch(t.Context(), browser.Request{URL: url + "/doc", MaxSize: 100, Allowed: func(string) bool { return true }})
		if errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %d kills: %v", killed.Load(), err)
		}
	}
	cease()
	<-killing
	if killed.Load() == 0 {
		t.Error("no renderer was killed")
	}
}

func TestPageThatClosesItself(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/":      html("fine"),
		"/close": html(`<title>here</title><script>window.open("", "_self"); window.close(); onload = () => window.close()</script>`),
		"/ask":   html(`<title>here</title><script>setInterval(() => { alert("again"); confirm("again"); prompt("again") }, 1)</script>`),
	})
	b := launch(t, settings)
	for _, path := range []string{"/close", "/ask"} {
		open(t, b.Tab(), url+path)
		var title string
		if err := b.Tab().Evaluate(t.Context(), `document.title`, &title); err != nil || title != "here" {
			t.Errorf("%s: got %q, %v", path, title, err)
		}
	}
	usable(t, b, b.PID(), url)
}
