package changes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestAPatternThatFindsNothing has a portal change the words of a label that a match has: the selector
// still meets as many elements as before.
func TestAPatternThatFindsNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		selector, match int
		want            string
	}{
		"the words are others":    {8, 0, `fields.vendor.match "Vendor: (.+)" met nothing`},
		"the selector is":         {0, 0, `fields.vendor "td" met nothing`},
		"nothing has changed":     {8, 1, ""},
		"it is met in other rows": {9, 1, ""},
	} {
		w := New(Config{Selectors: []tasks.Selector{{Where: "fields.vendor.selector", Selector: "td"}, {Where: "fields.vendor.match", Selector: "Vendor: (.+)"}},
			Required: map[string]map[string]bool{"": {"fields.vendor": true, "fields.vendor.match": true}}})
		said := ""
		for n := range 30 {
			selector, match, value := 8, 1, fmt.Sprint("Supplier ", n)
			if n >= 20 {
				selector, match = test.selector, test.match
			}
			res := &tasks.Result{Fields: map[string]tasks.Field{"vendor": {Raw: value, Value: value}},
				Looks: []tasks.Look{{Where: "fields.vendor.selector", Met: selector}, {Where: "fields.vendor.match", Met: match}}}
			if match == 0 {
				delete(res.Fields, "vendor")
			}
			if notice := w.Recorded(&tasks.ProcessingTask{Spec: tasks.Spec{PO: fmt.Sprint("PO", n)}}, tasks.Decision{Result: res}); notice != nil {
				said += notice.Text()
			}
		}
		if !strings.Contains(said, test.want) || test.want == "" && said != "" || strings.Count(said, "met nothing") > 1 {
			t.Errorf("%s: it said %q, want %q once", name, said, test.want)
		}
	}
}
