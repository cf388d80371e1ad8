//go:build unix

package browser_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/browser"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// launch starts a browser whose files go with the test, and whose end the test checks.
func launch(t *testing.T, change ...func(*browser.Config)) *browser.Browser {
	t.Helper()
	chrome, err := browser.Find(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	cfg := browser.DefaultConfig()
	cfg.Chrome = chrome
	cfg.ProfileDir, cfg.DownloadDir = dirs(t)
	cfg.Sandbox = browser.NoSandbox()
	for _, c := range change {
		c(&cfg)
	}
	b, err := browser.Launch(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("closing the browser: %v", err)
		}
		if err := syscall.Kill(-b.PID(), 0); err == nil && running(t, b.PID()) {
			t.Errorf("processes of group %d are left", b.PID())
		}
	})
	return b
}

func dirs(t *testing.T) (profile, downloads string) {
	t.Helper()
	root := t.TempDir()
	profile, downloads = filepath.Join(root, "profile"), filepath.Join(root, "downloads")
	for _, dir := range []string{profile, downloads} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return profile, downloads
}

// running reports whether a process of the group is more than a zombie.
func running(t *testing.T, pgid int) bool {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if fields[2] == fmt.Sprint(pgid) && fields[0] != "Z" {
			return true
		}
	}
	return false
}

func serve(t *testing.T, routes map[string]http.HandlerFunc) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, h := range routes {
		mux.HandleFunc(path, h)
	}
	s := httptest.NewServer(mux)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

func html(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	}
}

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
	tab := launch(t).Tab()
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
	b := launch(t)
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

func TestConsoleFloodDoesNotBlock(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/": html(`<script>for (let i = 0; i < 20000; i++) console.log("line " + i)</script><p id=end>end</p>`),
	})
	tab := launch(t).Tab()
	if _, err := tab.Navigate(t.Context(), url, ""); err != nil {
		t.Fatal(err)
	}
	var text string
	if err := tab.Evaluate(t.Context(), `document.readyState === "complete" ? document.body.innerText : new Promise(r => onload = () => r(document.body.innerText))`, &text); err != nil || text != "end" {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestFetch(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("0123456789abcdef"), 10000)
	send := func(kind, disposition string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			if disposition != "" {
				w.Header().Set("Content-Disposition", disposition)
			}
			w.Write(body)
		}
	}
	var foreign int
	other := serve(t, map[string]http.HandlerFunc{"/": func(http.ResponseWriter, *http.Request) { foreign++ }})
	url := serve(t, map[string]http.HandlerFunc{
		"/page":       html("a page"),
		"/inline.pdf": send("application/pdf", "inline; filename=shown.pdf"),
		"/plain.txt":  send("text/plain", ""),
		"/image.png":  send("image/png", ""),
		"/attached":   send("application/octet-stream", `attachment; filename="a b.bin"`),
		"/page.html":  send("text/html", "attachment"),
		"/login":      html("<form>sign in</form>"),
		"/empty":      func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Disposition", "attachment") },
		"/error": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", "attachment")
			w.WriteHeader(500)
			fmt.Fprint(w, "sorry")
		},
		"/cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("Content-Length", "999999")
			w.Write(body)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
		"/cut-unannounced": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			w.Write(body)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
		"/compressed.csv": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/csv")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			z.Write(body)
			z.Close()
		},
		"/large": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			for range 40 {
				if _, err := w.Write(body); err != nil {
					return
				}
			}
		},
		"/moved":   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/plain.txt", http.StatusFound) },
		"/foreign": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other+"/x.pdf", http.StatusFound) },
		"/reset":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	})
	b := launch(t, func(c *browser.Config) { c.StallTimeout = 2 * time.Second })
	if _, err := b.Tab().Navigate(t.Context(), url+"/page", ""); err != nil {
		t.Fatal(err)
	}
	request := func(path string) browser.Request {
		return browser.Request{URL: url + path, Referrer: url + "/page", MaxSize: 1 << 20,
			Allowed: func(a string) bool { return strings.HasPrefix(a, url) }}
	}
	good := []struct{ path, suggested string }{
		{"/inline.pdf", "shown.pdf"}, {"/plain.txt", "plain.txt"}, {"/image.png", "image.png"},
		{"/attached", "a b.bin"}, {"/page.html", "page.html"}, {"/moved", "plain.txt"}, {"/compressed.csv", "compressed.csv"},
	}
	bad := []struct {
		path string
		kind browser.DownloadErrorKind
	}{
		{"/login", browser.KindPage}, {"/error", browser.KindStatus}, {"/cut", browser.KindCut}, {"/cut-unannounced", browser.KindStalled},
		{"/large", browser.KindTooLarge}, {"/foreign", browser.KindHost}, {"/reset", browser.KindUnreachable},
	}
	var wg sync.WaitGroup
	for range 3 {
		for _, c := range good {
			wg.Go(func() {
				file, err := b.Fetch(t.Context(), request(c.path))
				if err != nil {
					t.Errorf("%s: %v", c.path, err)
					return
				}
				got, err := os.ReadFile(file.Path)
				if err != nil || !bytes.Equal(got, body) || file.Size != int64(len(body)) || file.Suggested != c.suggested {
					t.Errorf("%s: got %d bytes, %+v, %v", c.path, len(got), file, err)
				}
			})
		}
		for _, c := range bad {
			wg.Go(func() {
				var failed *browser.DownloadError
				if _, err := b.Fetch(t.Context(), request(c.path)); !errors.As(err, &failed) || failed.Kind != c.kind {
					t.Errorf("%s: got %v, want %s", c.path, err, c.kind)
				}
			})
		}
	}
	wg.Wait()
	if file, err := b.Fetch(t.Context(), request("/empty")); err != nil || file.Size != 0 {
		t.Errorf("an empty document: got %+v, %v", file, err)
	}
	if foreign > 0 {
		t.Errorf("the foreign host was asked %d times", foreign)
	}
	if err := b.Fit(); err != nil {
		t.Errorf("the browser is unfit: %v", err)
	}
	var text string
	if err := b.Tab().Evaluate(t.Context(), `document.body.innerText`, &text); err != nil || text != "a page" {
		t.Errorf("the page was disturbed: %q, %v", text, err)
	}
}

// open navigates and waits until the page is loaded.
func open(t *testing.T, tab *browser.Tab, url string) {
	t.Helper()
	if _, err := tab.Navigate(t.Context(), url, ""); err != nil {
		t.Fatal(err)
	}
	loaded := `document.readyState === "complete" ? true : new Promise(r => addEventListener("load", () => r(true)))`
	if err := tab.Evaluate(t.Context(), loaded, nil); err != nil {
		t.Fatal(err)
	}
}

// killRenderers ends the processes of the browser that render pages.
func killRenderers(t *testing.T, b *browser.Browser) {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, path := range paths {
		pid, err := strconv.Atoi(strings.Split(path, "/")[2])
		if err != nil {
			t.Fatal(err)
		}
		cmdline, err := os.ReadFile(path)
		if pgid, gerr := syscall.Getpgid(pid); err != nil || gerr != nil || pgid != b.PID() || !bytes.Contains(cmdline, []byte("--type=renderer")) {
			continue
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		killed++
	}
	if killed == 0 {
		t.Fatal("no renderer was found")
	}
}

func TestClickedDownloadsAndStrays(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/": html(`<a id=blob href="#" onclick="make(); return false">blob</a><a id=blank target=_blank href="/doc">blank</a><button id=nothing>nothing</button>
			<script>function make() { const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob(["made here"])); a.download = "made.txt"; a.click() }</script>`),
		"/doc": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", "attachment; filename=doc.bin")
			fmt.Fprint(w, "sent")
		},
	})
	b := launch(t)
	open(t, b.Tab(), url)
	for _, c := range []struct{ id, name, text string }{{"blob", "made.txt", "made here"}, {"blank", "doc.bin", "sent"}} {
		expected := b.ExpectDownload()
		if err := b.Tab().Evaluate(t.Context(), `document.getElementById("`+c.id+`").click()`, nil); err != nil {
			t.Fatal(err)
		}
		d, err := expected.Begun(t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		file, err := b.Wait(t.Context(), d, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file.Path); err != nil || string(got) != c.text || file.Suggested != c.name {
			t.Errorf("got %q, %+v, %v", got, file, err)
		}
	}
	expected := b.ExpectDownload()
	if err := b.Tab().Evaluate(t.Context(), `document.getElementById("nothing").click()`, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := expected.Begun(t.Context(), time.Millisecond); !errors.Is(err, browser.ErrNotBegun) {
		t.Errorf("got %v", err)
	}
	expected.Cancel()
	if err := b.CloseStrays(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestDeaths(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/": html("fine")})
	t.Run("the browser is killed", func(t *testing.T) {
		t.Parallel()
		b := launch(t)
		result := make(chan error, 1)
		go func() { result <- b.Tab().Evaluate(t.Context(), `new Promise(() => {})`, nil) }()
		if err := syscall.Kill(b.PID(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if err := <-result; !errors.Is(err, browser.ErrLost) {
			t.Errorf("got %v", err)
		}
		if err := b.Fit(); !errors.Is(err, browser.ErrLost) {
			t.Errorf("a dead browser is fit: %v", err)
		}
	})
	t.Run("the page crashes", func(t *testing.T) {
		t.Parallel()
		b := launch(t)
		open(t, b.Tab(), url)
		result := make(chan error, 1)
		go func() { result <- b.Tab().Evaluate(t.Context(), `new Promise(() => {})`, nil) }()
		killRenderers(t, b)
		if err := <-result; !errors.Is(err, browser.ErrPageCrashed) {
			t.Errorf("got %v", err)
		}
		if err := b.Fit(); !errors.Is(err, browser.ErrPageCrashed) {
			t.Errorf("a browser with a crashed page is fit: %v", err)
		}
	})
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
