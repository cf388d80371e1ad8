package scrape

import "testing"

func TestStrong(t *testing.T) {
	t.Parallel()
	for validators, want := range map[string]bool{
		"": false, "\"a\"\n\n12": true, "W/\"a\"\n\n12": false, "\nMon, 02 Mar 2026 09:15:00 GMT\n12": false, "a\n\n12": false,
		"\"a\"\nMon, 02 Mar 2026 09:15:00 GMT\n12": true,
	} {
		if got := strong(validators); got != want {
			t.Errorf("strong(%q) = %v", validators, got)
		}
	}
}
