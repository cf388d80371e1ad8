package browser_test

import (
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

// TestGarbageIsCollected looks whether what a page has let go of goes after many pages,
// shown or fetched.
func TestGarbageIsCollected(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		times int
		page  func(b *browser.Browser)
	}{
		"shown": {browser.CollectEvery / browser.Shown, func(b *browser.Browser) { b.TidyUp(t.Context()) }},
		"fetched": {browser.CollectEvery, func(b *browser.Browser) {
			if err := b.Tab().EvaluateApart(t.Context(), "0", "0", nil); err != nil {
				t.Error(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := launch(t)
			var there bool
			evaluate := func(script string) {
				if err := b.Tab().Evaluate(t.Context(), script, &there); err != nil {
					t.Fatal(err)
				}
			}
			// What has outlived two collections is not taken for short-lived any more,
			// which is collected far more often.
			evaluate("!(window.old = {})")
			b.Tab().Collect(t.Context())
			b.Tab().Collect(t.Context())
			evaluate("window.held = new WeakRef(old), delete window.old")
			for range c.times - 1 {
				c.page(b)
			}
			if evaluate("held.deref() !== undefined"); !there {
				t.Fatal("it is gone too early for this test to say anything")
			}
			c.page(b)
			testkit.Wait(t, "it to be collected", func() bool { evaluate("held.deref() !== undefined"); return !there })
		})
	}
}
