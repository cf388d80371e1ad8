package check

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestWhatConfirms: of an order that ended well it is said what confirms it, or what it lacks and what helps, and of
// what only other pages can give, that they may.
func TestWhatConfirms(t *testing.T) {
	t.Parallel()
	counted := tasks.List{Met: 1, Count: &tasks.Counted{N: 1, Text: "the page says 1 document"}}
	row := []tasks.Value{{Column: "supplier", Text: "Acme", At: 1, Meaning: 2}}
	for name, c := range map[string]struct {
		outcome tasks.Outcome
		shown   tasks.Shown
		want    string
	}{
		"confirmed":    {tasks.OutcomeComplete, tasks.Shown{Number: true, Values: 1, Row: row, Lists: []tasks.List{counted}}, `PO1: confirmed: yes: the page shows the number, and of its row supplier "Acme"; the page says 1 document` + "\n"},
		"no count":     {tasks.OutcomeComplete, tasks.Shown{Number: true, Values: 1, Row: row, Lists: []tasks.List{{Met: 1}}}, "PO1: confirmed: no: nothing on its pages says how many documents there are; what helps: say in a recipe"},
		"no values":    {tasks.OutcomeComplete, tasks.Shown{Number: true, Lists: []tasks.List{counted}}, "pages like it are known to be orders' own; a run of more orders may show that it is\n"},
		"not ended so": {tasks.OutcomePartial, tasks.Shown{Number: true, Values: 1, Row: row, Lists: []tasks.List{counted}}, ""},
	} {
		p := &prober{report: &Report{Probe: &Probe{Orders: []Order{{PO: "PO1", Outcome: c.outcome}}}},
			seen: []seenOrder{{task: &tasks.ProcessingTask{Result: &tasks.Result{Outcome: c.outcome, Shown: &c.shown, Proof: &tasks.Proof{By: tasks.ProofListed, Text: "its pages list them"}}}}}}
		p.confirm()
		var text strings.Builder
		p.report.Probe.Orders[0].confirmedText(&text)
		if got := text.String(); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
