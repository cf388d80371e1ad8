package check

import (
	"fmt"
	"io"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// confirm says of the orders that ended well what confirms them, or what they lack, as far as the pages that were
// opened can know.
func (p *prober) confirm() {
	var session witness.Session
	ended := make([]*tasks.ProcessingTask, len(p.seen))
	for i, one := range p.seen {
		t := *one.task
		t.State, t.Outcome = tasks.StateCompleted, p.report.Probe.Orders[i].Outcome
		ended[i] = &t
		session.See(&t)
	}
	for i, t := range ended {
		if proof, confirmed := session.Judge(t); proof != nil {
			p.report.Probe.Orders[i].Proof, p.report.Probe.Orders[i].Confirmed = proof, &confirmed
		}
	}
}

// confirmedText says of an order what confirms it, or what it lacks and what helps.
func (o Order) confirmedText(w io.Writer) {
	if o.Confirmed == nil {
		return
	}
	text := judged{o.Proof, *o.Confirmed}.text()
	if lack := witness.Lack(o.Proof.Lacks); lack.Elsewhere() {
		text += "; a run of more orders may show that it is"
	} else if lack != "" {
		text += "; what helps: " + lack.Advice()
	}
	fmt.Fprintf(w, "  %s: confirmed: %s\n", o.PO, text)
}
