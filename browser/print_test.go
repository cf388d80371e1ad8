//go:build unix

package browser_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// TestPrint prints pages in each Chrome, also where their clock has run ahead and stands still.
func TestPrint(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/order":   html(`<title>Order 1 /ModDate (D:20260101000000)</title><style>@page { size: A5 }</style><h1>Order PO1</h1><p style="background:red">Total`),
		"/again":   html(`<h1>Order PO1</h1><script>onbeforeprint = () => alert("printing"); onafterprint = () => print(); onload = () => print()</script>`),
		"/endless": html(`<h1>Order PO1</h1><script>onbeforeprint = () => { for (;;); }</script>`),
	})
	for name, chrome := range chromes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := launch(t, func(c *browser.Config) { c.Chrome = chrome })
			dir, tab := t.TempDir(), b.Tab()
			show := func(path string, ahead bool) {
				open(t, tab, url+path)
				if ahead {
					if err := tab.RunAhead(t.Context(), browser.Ahead{Script: "0", WaitsFor: "''", Limit: time.Minute}, nil); err != nil {
						t.Fatal(err)
					}
				}
			}
			printed := func() []byte {
				file, err := tab.Print(t.Context(), dir, 1<<20)
				if err != nil {
					t.Fatal(err)
				}
				content, err := os.ReadFile(file.Path)
				if err != nil || int64(len(content)) != file.Size || !bytes.HasPrefix(content, []byte("%PDF-")) {
					t.Fatalf("%v, %d of %d bytes: %.20q", err, len(content), file.Size, content)
				}
				return content
			}
			show("/order", false)
			first := printed()
			if dates := regexp.MustCompile(`Date ?\(D:\d+`).FindAll(first, -1); len(dates) != 2 || bytes.Count(bytes.Join(dates, nil), []byte("D:20000101000000")) != 2 {
				t.Errorf("its dates are %q", dates)
			}
			if !bytes.Contains(first, []byte("/MediaBox [0 0 4")) {
				t.Errorf("it is not on the paper that the page asks for: %q", regexp.MustCompile(`/MediaBox [^\]]*`).FindAll(first, -1))
			}
			show("/order", true)
			if err := tab.AsPrinted(t.Context(), 740); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, printed()) {
				t.Error("another print of the same page has other bytes")
			}
			if err := tab.AsPrinted(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			show("/again", true)
			printed()
			_, err := tab.Print(t.Context(), dir, 100)
			if failed := (*browser.DownloadError)(nil); !errors.As(err, &failed) || failed.Kind != browser.KindTooLarge {
				t.Errorf("more bytes than may be: %v", err)
			}
			show("/endless", false)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			if _, err := tab.Print(ctx, dir, 1<<20); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a page that prepares itself for ever: %v", err)
			}
			b.TidyUp(t.Context())
			tab = b.Tab()
			show("/order", false)
			if !bytes.Equal(first, printed()) {
				t.Error("after that, a print has other bytes")
			}
		})
	}
}
