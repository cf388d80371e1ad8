//go:build unix

package browser_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

// TestPressOnlyWhatWasJudged: the page changes between the look at what is pressed and the press, which then
// goes nowhere. What is there by then is judged anew.
func TestPressOnlyWhatWasJudged(t *testing.T) {
	t.Parallel()
	const page = `<style>body { margin: 0 } button { position: absolute; width: 200px; height: 60px }</style>
		<div id=go style="width:200px;height:60px;cursor:pointer"><button id=a>Open</button><button id=b style="left:300px">Accept</button></div>
		<script>const told = [], b2 = document.querySelector("#b"); for (const b of [a, b2]) for (const kind of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
			b.addEventListener(kind, () => { if (kind === "click" || b.textContent !== "Open") told.push(kind + " " + b.textContent) })</script>`
	for name, c := range map[string]struct{ change, told string }{
		"nothing":         {`0`, "click Open"},
		"another text":    {`a.textContent = "Accept"`, ""},
		"another control": {`a.style.left = "300px", b2.style.left = 0`, ""},
		"one over it":     {`b2.style.cssText = "left: 0; z-index: 9"`, ""},
		"gone":            {`a.remove(), b2.style.left = 0`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tab, ctx := acts(t, false, map[string]string{"/": page})
			refused := errors.New("it accepts")
			var looks [][]string
			check := func(ctx context.Context, deed browser.Deed) error {
				looks = append(looks, deed.Texts)
				if slices.Contains(deed.Texts, "accept") {
					return refused
				}
				var ignored any
				return tab.Evaluate(ctx, c.change+"; 0", &ignored)
			}
			err := tab.Click(ctx, browser.Target{Selector: "#go", Check: check})
			if was := c.told == ""; errors.Is(err, refused) != was || err != nil && !was || was && len(looks) != 2 {
				t.Errorf("got %v after %q", err, looks)
			}
			says(t, tab, `told.join()`, c.told)
		})
	}
}

// TestReadClosedRoots: what is pressed is read through shadow roots that no script can see into, also in
// a frame of another site.
func TestReadClosedRoots(t *testing.T) {
	t.Parallel()
	const inside = `<x-app id=go></x-app><script>
		const root = go.attachShadow({ mode: "closed" });
		root.innerHTML = "<x-part></x-part>";
		root.firstChild.attachShadow({ mode: "closed" }).innerHTML =
			"<style>p { margin: 0; height: 50px } button { display: block; width: 200px; height: 60px } i::before { content: 'Acc' }</style><p>Orders</p><button><i></i>ept</button><p>End</p>";
	</script><style>x-app, x-part { display: block; width: 200px }</style>`
	for name, routes := range map[string]map[string]string{
		"page":         {"/": inside},
		"another site": {"/": `<p>Portal</p><iframe width=400 height=300 src="ELSEWHERE/inside"></iframe>`, "/inside": `<p>Frame</p>` + inside},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tab, ctx := acts(t, false, routes)
			refused := errors.New("it is read")
			var texts []string
			err := tab.Click(ctx, browser.Target{Selector: "#go", Check: func(_ context.Context, deed browser.Deed) error {
				texts = deed.Texts
				return refused
			}})
			if !errors.Is(err, refused) || !slices.Contains(texts, "Accept") || strings.Contains(strings.ToLower(strings.Join(texts, " ")), "orders") {
				t.Errorf("read %q, %v", texts, err)
			}
		})
	}
}
