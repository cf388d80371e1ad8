//go:build unix

package browser_test

import (
	"bytes"
	"context"
	"image/jpeg"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

func attended(c *browser.Config) { c.Attended = true }

// until waits for what windows come to.
func until(t *testing.T, b *browser.Browser, what string, holds func() bool) {
	t.Helper()
	late := time.After(testkit.Patience)
	for {
		changed := b.WindowsChanged()
		if holds() {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// newest returns the window that was opened last.
func newest(b *browser.Browser) *browser.Tab {
	open := b.Windows()
	return open[len(open)-1]
}

func at(b *browser.Browser, address string) func() bool {
	return func() bool { return len(b.Windows()) > 0 && newest(b).Address() == address }
}

// visit leads a window to an address, and waits until the page can be used.
func visit(t *testing.T, tab *browser.Tab, url string) {
	t.Helper()
	if err := tab.Visit(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	loaded(t, tab)
}

func loaded(t *testing.T, tab *browser.Tab) {
	t.Helper()
	drawn := `new Promise(r => { const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => r(true)));
		document.readyState === "complete" ? drawn() : addEventListener("load", drawn) })`
	if err := tab.Evaluate(t.Context(), drawn, nil); err != nil {
		t.Fatal(err)
	}
}

func click(t *testing.T, tab *browser.Tab, x, y float64) {
	t.Helper()
	for _, action := range []browser.MouseAction{browser.MousePress, browser.MouseFree} {
		if err := tab.SendMouse(t.Context(), browser.MouseEvent{Action: action, X: x, Y: y, Button: "left", Clicks: 1}); err != nil {
			t.Fatalf("%s: %v", action, err)
		}
	}
}

// TestWindows has a page open a window, which asks a question and closes itself.
func TestWindows(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/":      html(`<button style="position:fixed;inset:0" onclick="open('/other', '', 'width=400,height=300')">sign in</button>`),
		"/other": html(`<button style="position:fixed;inset:0" onclick="window.answer = confirm('Sure?'); window.close()">go</button>`),
	})
	for name, chrome := range chromes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := launch(t, attended, func(c *browser.Config) { c.Chrome = chrome })
			first := b.Windows()
			if len(first) != 1 || first[0] != b.Tab() {
				t.Fatalf("it begins with the windows %v", first)
			}
			visit(t, first[0], url)
			until(t, b, "the first page", at(b, url+"/"))
			click(t, first[0], 50, 50)
			until(t, b, "the window that the page opens", at(b, url+"/other"))
			second := newest(b)
			loaded(t, second)
			click(t, second, 50, 50)
			until(t, b, "the dialog", func() bool { return second.Dialog() != nil })
			if d := *second.Dialog(); d.Type != "confirm" || d.Message != "Sure?" {
				t.Errorf("the dialog is %+v", d)
			}
			if err := second.AnswerDialog(t.Context(), true, ""); err != nil {
				t.Fatal(err)
			}
			until(t, b, "the first window", at(b, url+"/"))
			if err := newest(b).Dismiss(t.Context()); err != nil {
				t.Fatal(err)
			}
			until(t, b, "the last window to close", func() bool { return len(b.Windows()) == 0 })
		})
	}
}

// TestCast types into a page and sees a picture of what comes of it, however late the
// pictures before are looked at.
func TestCast(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/": html(`<body style="background:#fff"><input autofocus
		oninput="if (value === 'Grün 1') document.body.style.background = '#0f0'">`)})
	for name, chrome := range chromes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := launch(t, attended, func(c *browser.Config) { c.Chrome = chrome })
			tab := b.Tab()
			visit(t, tab, url)
			ctx, cancel := context.WithCancel(t.Context())
			var casting sync.WaitGroup
			pictures := make(chan browser.Picture, 100)
			casting.Go(func() {
				if err := tab.Cast(ctx, func(p browser.Picture) { pictures <- p }); err != nil {
					t.Errorf("casting: %v", err)
				}
			})
			first := <-pictures
			if err := tab.SendText(t.Context(), "Grün"); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{" ", "1"} {
				for _, down := range []bool{true, false} {
					if err := tab.SendKey(t.Context(), browser.KeyEvent{Down: down, Key: key, Text: key}); err != nil {
						t.Fatal(err)
					}
				}
			}
			late := time.After(testkit.Patience)
			for p := first; !green(t, p); {
				if err := tab.NextPicture(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				select {
				case p = <-pictures:
				case <-late:
					t.Fatal("no picture shows what was typed")
				}
			}
			cancel()
			casting.Wait()
		})
	}
}

// green reports whether the picture's corner is, and checks its size.
func green(t *testing.T, p browser.Picture) bool {
	t.Helper()
	picture, err := jpeg.Decode(bytes.NewReader(p.JPEG))
	if err != nil {
		t.Fatal(err)
	}
	size := picture.Bounds()
	if float64(size.Dx()) != p.Width || float64(size.Dy()) != p.Height {
		t.Errorf("a picture of %v shows %v by %v", size, p.Width, p.Height)
	}
	r, g, _, _ := picture.At(size.Max.X-5, size.Max.Y-5).RGBA()
	return r < 0x4000 && g > 0xc000
}
