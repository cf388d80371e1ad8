//go:build unix

package browser_test

import (
	"bytes"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"testing"
)

// TestOnlyACornerIsDrawn looks for what a page could notice of that, also behind another
// host's page: nothing, nor is anything missing on a screenshot.
func TestOnlyACornerIsDrawn(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/": html(`<style>body { margin: 0 }
		#far { position: fixed; right: 0; bottom: 0; width: 10vw; height: 10vh; background: rgb(1, 2, 3) }
		#below { margin-top: 1500px }</style><div id="far"></div><p id="below">below`)})
	tab := share(t).Tab()
	for _, address := range []string{url, strings.Replace(url, "127.0.0.1", "localhost", 1)} {
		open(t, tab, address)
		var seen struct {
			Sizes         []int
			Far, Below    bool
			Frames        bool
			Visible, Wide bool
		}
		stop := tab.KeepPace(t.Context())
		err := tab.Evaluate(t.Context(), `(async () => {
			const inView = (el) => new Promise((over) => new IntersectionObserver((e) => over(e[0].isIntersecting)).observe(el));
			return {
				sizes: [innerWidth, innerHeight, outerWidth, outerHeight, screen.width, screen.height, far.offsetLeft, far.offsetTop],
				far: await inView(far) && document.elementFromPoint(1279, 999) === far, below: await inView(below),
				frames: await new Promise((over) => requestAnimationFrame(() => requestAnimationFrame(() => over(true)))),
				visible: document.visibilityState === "visible", wide: matchMedia("(width: 1280px)").matches && screen.orientation.type.startsWith("landscape"),
			};
		})()`, &seen)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{1280, 1000, 1280, 1000, 1280, 1000, 1152, 900} {
			if seen.Sizes[i] != want {
				t.Errorf("%s: sizes %v", address, seen.Sizes)
				break
			}
		}
		if !seen.Far || seen.Below || !seen.Frames || !seen.Visible || !seen.Wide {
			t.Errorf("%s: the page sees %+v", address, seen)
		}
		if small, err := tab.DrawnSize(t.Context()); err != nil || small[0] >= 1280 || small[1] >= 1000 {
			t.Errorf("%s: %v are drawn: %v", address, small, err)
		}
		shot, err := tab.Screenshot(t.Context())
		stop()
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(shot))
		if err != nil {
			t.Fatal(err)
		}
		if b := picture.Bounds(); b.Dx() != 1280 || b.Dy() != 1000 {
			t.Fatalf("%s: the screenshot has %v", address, b)
		}
		if r, g, b, _ := picture.At(1270, 990).RGBA(); (color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}) != (color.RGBA{1, 2, 3, 255}) {
			t.Errorf("%s: the screenshot lacks the far corner: %v", address, picture.At(1270, 990))
		}
	}
}
