//go:build unix

package browser_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

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
	b := share(t)
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
		{"/login", browser.KindPage}, {"/error", browser.KindStatus}, {"/cut", browser.KindCut}, {"/cut-unannounced", browser.KindCut},
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
				_, err := b.Fetch(t.Context(), request(c.path))
				if !errors.As(err, &failed) || failed.Kind != c.kind {
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

// TestFetchIntoADirectory has a document streamed to where it is wanted, and hashed.
func TestFetchIntoADirectory(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("note"), 5000)
	url := serve(t, map[string]http.HandlerFunc{"/note.pdf": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	}})
	b, dir := share(t), t.TempDir()
	file, err := b.Fetch(t.Context(), browser.Request{URL: url + "/note.pdf", Dir: dir, MaxSize: 1 << 20, Allowed: func(string) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file.Path)
	if sum := fmt.Sprintf("%x", sha256.Sum256(body)); err != nil || !bytes.Equal(got, body) || file.SHA256 != sum || filepath.Dir(file.Path) != dir {
		t.Errorf("got %d bytes, %+v, %v", len(got), file, err)
	}
}

// TestThePageStaysInFront: with windows, too, a page goes on being drawn while documents
// are fetched beside it. A hidden one is not, and then does not settle in virtual time.
func TestThePageStaysInFront(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	url := serve(t, map[string]http.HandlerFunc{"/page": html("a page"), "/note.txt": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "a note") }})
	for _, headful := range []bool{false, true} {
		chrome, err := browser.Find(t.Context(), "", headful)
		if err != nil {
			t.Fatal(err) // scripts/setup installs both
		}
		b := launch(t, func(c *browser.Config) {
			c.Chrome = chrome
			// Too long for the socket that a Chrome with windows has there.
			c.ProfileDir = filepath.Join(c.ProfileDir, strings.Repeat("long", 20))
		})
		open(t, b.Tab(), url+"/page")
		if _, err := b.Fetch(t.Context(), browser.Request{URL: url + "/note.txt", MaxSize: 1 << 20, Allowed: func(string) bool { return true }}); err != nil {
			t.Fatal(err)
		}
		var state string
		if err := b.Tab().Evaluate(t.Context(), "document.visibilityState", &state); err != nil || state != "visible" {
			t.Errorf("%s: the page is %q, %v", chrome.Path, state, err)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("Chrome has written to the system's temporary directory: %v, %v", left, err)
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
	b := share(t)
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

// TestFetchLarge fetches documents that are not streamed though their length is
// known: one that comes whole, and one that is cut.
func TestFetchLarge(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("content "), 3<<17) // 3 MB
	send := func(part []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			if _, err := w.Write(part); err != nil || len(part) < len(body) {
				panic(http.ErrAbortHandler)
			}
		}
	}
	url := serve(t, map[string]http.HandlerFunc{"/": html("fine"), "/whole.pdf": send(body), "/cut.pdf": send(body[:len(body)/2])})
	b := share(t)
	open(t, b.Tab(), url)
	request := func(path string) browser.Request {
		return browser.Request{URL: url + path, MaxSize: 1 << 30, Allowed: func(string) bool { return true }}
	}
	file, err := b.Fetch(t.Context(), request("/whole.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file.Path); err != nil || !bytes.Equal(got, body) || file.Announced != int64(len(body)) {
		t.Errorf("got %d bytes, %+v, %v", len(got), file, err)
	}
	var failed *browser.DownloadError
	if _, err := b.Fetch(t.Context(), request("/cut.pdf")); !errors.As(err, &failed) || failed.Kind != browser.KindCut {
		t.Errorf("a document that was cut: %v", err)
	}
}
