package orders

import (
	"strings"
	"testing"
)

// TestSharedURL takes orders of one address where a recipe is told the number.
func TestSharedURL(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"https://h.example/search", ""} {
		text := "po,url\nPO1001,https://h.example/search\nPO1002,https://h.example/search\n"
		if url != "" {
			text = "po\nPO1001\nPO1002\n"
		}
		sheet, err := Read("s.csv", strings.NewReader(text), Options{URL: url, SharedURL: true})
		if err != nil || len(sheet.Problems) > 0 {
			t.Errorf("got %+v, %v", sheet, err)
		}
	}
}
