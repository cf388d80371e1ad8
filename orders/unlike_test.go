package orders

import (
	"fmt"
	"strings"
	"testing"
)

// TestNumbersUnlikeTheOthers tells those few that are written otherwise, and never those of a sheet that has
// many forms.
func TestNumbersUnlikeTheOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		alike int
		more  []string
		want  string
	}{
		"a letter for a digit":      {18, []string{"CF2025-13S9"}, `1 order number is not written like the other 18, such as "CF2025-1000"; check it: "CF2025-13S9" in line 20`},
		"a hyphen, and a digit":     {28, []string{"CF20251322", "CF2025-132"}, `2 order numbers are not written like the other 28, such as "CF2025-1000"; check them: "CF20251322" in line 30, "CF2025-132" in line 31`},
		"in another case":           {18, []string{"cf2025-1399"}, ""},
		"many":                      {90, strings.Fields("A1 A2 A3 A4 A5 A6 A7"), `"A5" in line 96, and 2 more`},
		"few numbers":               {9, []string{"A1"}, ""},
		"more than a tenth":         {18, []string{"A1", "A2", "A3"}, ""},
		"all alike":                 {18, nil, ""},
		"with and without a prefix": {0, append(strings.Fields("PO4500001"), digits(18)...), ""},
	} {
		text := "po,url\n"
		for i := range c.alike {
			text += fmt.Sprintf("CF2025-%d,https://h/%d\n", 1000+i, i)
		}
		for i, number := range c.more {
			text += fmt.Sprintf("%s,https://h/more/%d\n", number, i)
		}
		sheet, err := Read("pos.csv", strings.NewReader(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(sheet.Notes, "\n"); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: the notes are %q, want %q", name, got, c.want)
		}
	}
}

// digits returns so many numbers of seven digits.
func digits(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint(4600000+i))
	}
	return list
}
