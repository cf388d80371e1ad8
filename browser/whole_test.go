//go:build unix

package browser_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// raw serves answers byte by byte as they stand, and then closes the connection: of one
// whose path ends in "-reset", as a host does that has crashed. An address without an
// answer has a page. It returns the server's address.
func raw(t *testing.T, answers map[string]string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serve := func(c net.Conn) {
		defer c.Close()
		for r := bufio.NewReader(c); ; {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			answer, known := answers[req.URL.Path]
			if !known {
				answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\npage"
			}
			if _, err := fmt.Fprint(c, answer); err != nil || known {
				if strings.HasSuffix(req.URL.Path, "-reset") {
					_ = r.UnreadByte()
					c.(*net.TCPConn).SetLinger(0)
				}
				return
			}
		}
	}
	serving.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { serve(c) })
		}
	})
	t.Cleanup(func() { listener.Close() })
	return "http://" + listener.Addr().String()
}

func packed(body string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(body))
	z.Close()
	return b.String()
}

func deflated(body string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write([]byte(body))
	z.Close()
	return b.String()
}

// Ways of a transfer's end, as a test expects them.
const (
	proven   = "proven"   // nothing can be missing
	unproven = "unproven" // it came to an end that was not announced
	coded    = "coded"    // it ended as announced, encoded
)

// TestTransfers cuts transfers in each way, and has documents come in turn, or with make thorough in each
// way: loaded, navigated to, and by a click. What is cut and taken for whole is unproven at least.
func TestTransfers(t *testing.T) {
	t.Parallel()
	body := "%PDF-1.4\n" + strings.Repeat("0123456789abcdef", 300)
	g, half := packed(body), body[:len(body)/2]
	head := func(fields ...string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n" + strings.Join(append(fields, ""), "\r\n") + "\r\n"
	}
	length := func(n int) string { return fmt.Sprintf("Content-Length: %d", n) }
	chunk := func(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }
	const chunked, isGZIP, last = "Transfer-Encoding: chunked", "Content-Encoding: gzip", "0\r\n\r\n"
	md5sum, sha := md5.Sum([]byte(body)), sha256.Sum256([]byte(body))
	crc := crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli))
	b64 := base64.StdEncoding.EncodeToString
	crc64 := b64([]byte{byte(crc >> 24), byte(crc >> 16), byte(crc >> 8), byte(crc)})
	wrong := b64(make([]byte, 16))
	cases := []struct {
		name, answer, want string
		byClick            string // where that is another one
	}{
		{"length", head(length(len(body))) + body, proven, ""},
		{"length-cut", head(length(len(body))) + half, "cut", ""},
		{"length-cut-reset", head(length(len(body))) + half, "cut", ""},
		{"length-nothing", head(length(len(body))), "cut", ""},
		{"longer-than-announced", head(length(100)) + body, proven, ""},
		{"chunked", head(chunked) + chunk(body) + last, proven, ""},
		{"chunked-and-length", head(chunked, length(100)) + chunk(body) + last, proven, ""},
		{"chunked-no-last", head(chunked) + chunk(body), "cut", ""},
		{"chunked-no-last-reset", head(chunked) + chunk(body), "cut", ""},
		{"chunked-in-chunk", head(chunked) + fmt.Sprintf("%x\r\n%s", len(body), half), "cut", ""},
		{"chunked-last-cut", head(chunked) + chunk(body) + "0\r\n", "cut", ""},
		{"chunked-broken", head(chunked) + chunk(half) + "zz\r\n" + half, "cut", ""},
		{"gzip", head(length(len(g)), isGZIP) + g, coded, ""},
		{"gzip-chunked", head(chunked, isGZIP) + chunk(g) + last, coded, ""},
		{"gzip-stream-cut", head(length(len(g)/2), isGZIP) + g[:len(g)/2], coded, ""},
		{"gzip-trailer-cut", head(length(len(g)-8), isGZIP) + g[:len(g)-8], coded, ""},
		{"gzip-chunked-stream-cut", head(chunked, isGZIP) + chunk(g[:len(g)/2]) + last, coded, ""},
		{"gzip-length-cut", head(length(len(g)), isGZIP) + g[:len(g)/2], "cut", ""},
		{"gzip-chunked-cut", head(chunked, isGZIP) + chunk(g[:len(g)/2]), "cut", ""},
		{"gzip-closed", head("Connection: close", isGZIP) + g[:len(g)/2], unproven, ""},
		{"gzip-announced-plain-sent", head(length(len(body)), isGZIP) + body, "cut", ""},
		{"deflate-stream-cut", head(length(20), "Content-Encoding: deflate") + deflated(body)[:20], coded, ""},
		{"partial", "HTTP/1.1 206 Partial Content\r\nContent-Type: application/pdf\r\nContent-Range: bytes 0-99/5000\r\nContent-Length: 100\r\n\r\n" + body[:100], "partial", ""},
		{"partial-unsaid", "HTTP/1.1 206 Partial Content\r\nContent-Type: application/pdf\r\nContent-Length: 100\r\n\r\n" + body[:100], "partial", "cut"},
		{"partial-as-200", head("Content-Range: bytes 0-99/5000", length(100)) + body[:100], "partial", ""},
		{"partial-but-all", fmt.Sprintf("HTTP/1.1 206 Partial Content\r\nContent-Type: application/pdf\r\nContent-Range: bytes 0-%d/%d\r\n%s\r\n\r\n%s", len(body)-1, len(body), length(len(body)), body), proven, ""},
		{"closed", head("Connection: close") + body, unproven, ""},
		{"closed-early", head("Connection: close") + half, unproven, ""},
		{"closed-reset", head("Connection: close") + half, "cut", ""},
		{"http10", "HTTP/1.0 200 OK\r\nContent-Type: application/pdf\r\n\r\n" + half, unproven, ""},
		{"http10-length", "HTTP/1.0 200 OK\r\nContent-Type: application/pdf\r\n" + length(len(body)) + "\r\n\r\n" + body, proven, ""},
		{"not-http", half, "unreachable", "cut"},
		{"digest", head(length(len(body)), "Repr-Digest: sha-256=:"+b64(sha[:])+":, unknown=:AAAA:") + body, proven, ""},
		{"digest-differs", head(length(len(half)), "Repr-Digest: sha-256=:"+b64(sha[:])+":") + half, "digest", ""},
		{"digest-chunked-differs", head(chunked, "Repr-Digest: sha-256=:"+b64(sha[:])+":") + chunk(half) + last, "digest", ""},
		{"digest-proves", head("Connection: close", "Content-MD5: "+b64(md5sum[:])) + body, proven, ""},
		{"md5-differs", head(length(len(body)), "Content-MD5: "+wrong) + body, "digest", ""},
		{"md5-in-hex", head(length(len(body)), fmt.Sprintf("Content-MD5: %x", md5sum)) + body, proven, ""},
		{"md5-not-understood", head(length(len(body)), "Content-MD5: none") + body, proven, ""},
		{"md5-of-encoded", head(length(len(g)), isGZIP, "Content-MD5: "+wrong) + g, coded, ""},
		{"google", head(length(len(body)), "x-goog-hash: crc32c="+crc64, "x-goog-hash: md5="+b64(md5sum[:])) + body, proven, ""},
		{"google-differs", head(length(len(body)), "x-goog-hash: crc32c=AAAAAA==,md5="+b64(md5sum[:])) + body, "digest", ""},
		{"google-unpacked", head(length(len(body)), "x-goog-stored-content-encoding: gzip", "x-goog-hash: md5="+wrong) + body, proven, ""},
	}
	answers := map[string]string{}
	for _, c := range cases {
		answers["/"+c.name] = c.answer
	}
	url := raw(t, answers)
	b := launch(t, func(c *browser.Config) { c.StallTimeout = 5 * time.Second })
	for i, c := range cases {
		for turn, way := range []string{"load", "navigate", "click"} {
			if i%3 != turn && c.byClick == "" && os.Getenv(thorough) == "" {
				continue // another case comes so
			}
			want := c.want
			if way == "click" && c.byClick != "" {
				want = c.byClick
			}
			file, err := bring(t, b, url, "/"+c.name, way)
			var failed *browser.DownloadError
			var got string
			switch {
			case errors.As(err, &failed):
				got = string(failed.Kind)
			case errors.Is(err, browser.ErrNotBegun) && want == "cut": // the cut came before the head was read
				got = "cut"
			case err != nil:
				got = err.Error()
			case file.Unproven == "":
				got = proven
			case !file.NeedsProof:
				got = coded
			default:
				got = unproven
			}
			if got != want {
				t.Errorf("%s by %s: %s (%v), want %s", c.name, way, got, err, want)
			}
			if file != nil {
				os.Remove(file.Path)
			}
		}
	}
	if err := b.Fit(); err != nil {
		t.Errorf("the browser is unfit: %v", err)
	}
}

// bring has a document come in one of three ways.
func bring(t *testing.T, b *browser.Browser, url, path, way string) (*browser.File, error) {
	t.Helper()
	if way != "click" {
		return b.Fetch(t.Context(), browser.Request{URL: url + path, MaxSize: 1 << 20, Load: way == "load",
			Allowed: func(string) bool { return true }})
	}
	open(t, b.Tab(), url+"/page")
	if err := b.FollowRequests(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer b.TidyUp(t.Context())
	expected := b.ExpectDownload()
	defer expected.Cancel()
	click := `(() => { const a = document.createElement("a"); a.href = "` + path + `"; a.download = "x.pdf"; document.body.append(a); a.click() })()`
	if err := b.Tab().Evaluate(t.Context(), click, nil); err != nil {
		t.Fatal(err)
	}
	download, err := expected.Begun(t.Context(), 10*time.Second)
	if errors.Is(err, browser.ErrNotBegun) && b.LinksFollowed() == 0 {
		// Nothing was asked for: Chrome drops the eleventh download that the scripts of one
		// frame begin in a row, and takes the next one a second later.
		if err := b.Tab().Evaluate(t.Context(), click, nil); err != nil {
			t.Fatal(err)
		}
		download, err = expected.Begun(t.Context(), 10*time.Second)
	}
	if err != nil {
		return nil, err
	}
	return b.Wait(t.Context(), download, 1<<20)
}

// TestEndless has a document without end stopped near its limit, in each way.
func TestEndless(t *testing.T) {
	t.Parallel()
	const limit = 64 << 20
	part := bytes.Repeat([]byte("endless "), 1<<13) // 64 KB
	url := serve(t, map[string]http.HandlerFunc{"/page": html("a page"), "/endless": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		for range limit * 3 / 2 / len(part) {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
		<-r.Context().Done() // who has not had enough by now waits for ever
	}})
	b := launch(t)
	for _, way := range []string{"navigate", "load", "click"} {
		open(t, b.Tab(), url+"/page")
		var err error
		if way == "click" {
			expected := b.ExpectDownload()
			if err := b.Tab().Evaluate(t.Context(), `location.href = "/endless"`, nil); err != nil {
				t.Fatal(err)
			}
			d, berr := expected.Begun(t.Context(), time.Minute)
			if berr != nil {
				t.Fatal(berr)
			}
			_, err = b.Wait(t.Context(), d, limit)
		} else {
			_, err = b.Fetch(t.Context(), browser.Request{URL: url + "/endless", MaxSize: limit, Load: way == "load", Allowed: func(string) bool { return true }})
		}
		var failed *browser.DownloadError
		if !errors.As(err, &failed) || failed.Kind != browser.KindTooLarge {
			t.Errorf("by %s: %+v", way, err)
		}
	}
}
