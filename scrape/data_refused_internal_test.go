package scrape

import "testing"

// TestRefusals tells a wall from data that are refused beside a page that is shown.
func TestRefusals(t *testing.T) {
	t.Parallel()
	var r refusals
	refused := func(po string, able, walled, want bool) {
		t.Helper()
		if got := r.isPart("k", po, able, walled); got != want {
			t.Errorf("%s (%t, %t): got %t", po, able, walled, got)
		}
	}
	for _, po := range []string{"1", "1", "2", "3", "3"} {
		refused(po, false, false, true)
	}
	refused("4", false, false, false)
	refused("5", false, false, false)
	r.answered("k")
	refused("6", false, false, true)
	refused("7", true, false, false) // signing in costs nothing
	refused("7", true, true, true)   // and did not help
	refused("8", true, false, true)
	r.answered("k")
	refused("9", true, false, false)
	if !r.isPart("other", "9", false, false) {
		t.Error("another request was counted")
	}
}
