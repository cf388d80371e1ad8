package main

import "testing"

func TestHalfOfTheProcessorsAreLeftToChrome(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{1: 1, 2: 1, 3: 1, 4: 2, 16: 8} {
		if got := ownProcessors(n); got != want {
			t.Errorf("of %d processors %d are used", n, got)
		}
	}
}
