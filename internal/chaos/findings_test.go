//go:build linux

package chaos

import (
	"fmt"
	"time"
)

// findings are what a run that was broken, and brought to its end, has come to.
type findings struct {
	report report
	now    *memory
	orders int
	chrome string
	// confirmed counts the orders that were fetched before, and rendered as well since.
	confirmed int
	// Each names what is not as it must be.
	lost, repeated, left, other []string
}

// judge compares what is there after the end of a run with an undisturbed one,
// and with what was there when it was broken; before is nil where nothing was.
func (p *workspace) judge(s *site, want report, before *memory) findings {
	p.t.Helper()
	r := p.report()
	v := findings{report: r, now: p.recorded(), orders: len(r.Tasks), chrome: r.Session.Chrome,
		lost: p.lost(r, want), left: p.left(r)}
	if v.now == nil {
		p.t.Fatal("the session has no orders")
	}
	v.now.asked = s.asked()
	if r.Session.Status != "COMPLETED" || r.Totals.Pending != 0 {
		v.lost = append(v.lost, fmt.Sprintf("the session is %s with %d orders pending", r.Session.Status, r.Totals.Pending))
	}
	if problem := p.intact(); problem != "" {
		v.lost = append(v.lost, "session.db: "+problem)
	}
	if before != nil {
		v.lost = append(v.lost, before.forgotten(v.now)...)
		v.repeated = before.repeated(v.now)
		v.confirmed = len(before.confirmed(v.now))
	}
	return v
}

// wantEvents notes an event that is not in the story as often as it must be, and
// without a word of what happened.
func (v *findings) wantEvents(kind string, atLeast int) {
	found := v.report.events(kind)
	if len(found) < atLeast {
		v.other = append(v.other, fmt.Sprintf("the story has %d events %s, want at least %d: %+v", len(found), kind, atLeast, v.report.Events))
	}
}

// wantWithin notes a time that the full suite holds poscrape to. The short
// selection runs beside other tests, where times say nothing.
func (v *findings) wantWithin(what string, took, limit time.Duration) {
	if *full && took > limit {
		v.other = append(v.other, fmt.Sprintf("%s took %v, more than %v", what, took, limit))
	}
}
