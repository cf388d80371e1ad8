package gallery

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestGalleryLeavesWorkersAlone: pictures are taken while somebody looks, and take a small share of
// a worker's time, however slow they are.
func TestGalleryLeavesWorkersAlone(t *testing.T) {
	t.Parallel()
	passes := time.Sleep //nolint:forbidigo // in a bubble of synctest
	synctest.Test(t, func(t *testing.T) {
		for took, least := range map[time.Duration]time.Duration{10 * time.Millisecond: pictureEvery, AtMost: restRatio * AtMost} {
			g := New()
			if g.Wants("a") {
				t.Error("a picture is taken though nobody looks")
			}
			var held, since time.Duration
			for since = 0; since < 10*time.Minute; {
				g.Watched()
				if g.Wants("a") {
					passes(took)
					g.Took("a", took)
					held, since = held+took, since+took
					if !g.Wants("b") {
						t.Error("another worker is left alone, too")
					}
					continue
				}
				passes(100 * time.Millisecond)
				since += 100 * time.Millisecond
			}
			if pictures := held / took; pictures < 2 || held*restRatio > since+least+took || pictures > since/least+2 {
				t.Errorf("%d pictures of %v in %v", pictures, took, since)
			}
			passes(2 * looked)
			if g.Wants("a") {
				t.Error("a picture is taken though nobody looks any more")
			}
		}
	})
}
