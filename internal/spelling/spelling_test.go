package spelling

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"po", "digits", "base_url"}
	for word, want := range map[string]string{
		"pos": "po", "digit": "digits", "baseurl": "base_url", "base-url": "base_url",
		"op": "po", "digist": "digits", "order_identifier": "", "": "", strings.Repeat("po", 30): "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("the nearest to %q is %q, want %q", word, got, want)
		}
	}
	if got := Nearest("po", nil); got != "" {
		t.Errorf("of nothing, %q is the nearest", got)
	}
}
