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

// TestTold: rows of one order have the recipe told one thing.
func TestTold(t *testing.T) {
	t.Parallel()
	const text = "po,Sales Org\nPO1001,10\nPO1001,20\nPO1001, 10\nPO1002,20\n"
	sheet, err := Read("s.csv", strings.NewReader(text), Options{URL: "https://h.example/search", SharedURL: true, Told: []string{"sales-org"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(sheet.Orders) != 2 || len(sheet.Orders[0].Rows) != 2 {
		t.Errorf("the orders are %+v", sheet.Orders)
	}
	if len(sheet.Problems) != 1 || sheet.Problems[0].Line != 3 ||
		!strings.Contains(sheet.Problems[0].Message, `line 2 has the same order number and address, and "10" in the column "sales-org"`) {
		t.Errorf("the problems are %v", sheet.Problems)
	}
}
