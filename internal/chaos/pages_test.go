//go:build linux

package chaos

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
)

const (
	// pageTimeout is the time of an attempt at a page that does what it should
	// not: longer than a settled page is waited for (20 s), and than a page may
	// keep its tab from answering (30 s).
	pageTimeout = 45 * time.Second
	// goodOrders are beside the bad ones.
	goodOrders = 100
)

// TestBadPages opens pages that crash, loop, take all memory, flood the console,
// never answer or never end, among 100 others.
func TestBadPages(t *testing.T) {
	fullOnly(t)
	var mix []portal.Variation
	for i, fault := range portal.Faults() {
		for len(mix) < (i+1)*(goodOrders/len(portal.Faults())+1) {
			mix = append(mix, portal.Plain)
		}
		mix = append(mix, fault)
	}
	for len(mix) < goodOrders+len(portal.Faults()) {
		mix = append(mix, portal.Plain)
	}
	s := open(t, portal.Config{Orders: len(mix), Variations: mix, MaxDocument: 64 << 10})
	p := newWorkspace(t, s)
	r := p.run("--task-timeout", pageTimeout.String())
	r.waitUpTo(30 * time.Minute)
	r.mustExit(3)
	v := p.judge(s, p.report(), nil)
	good := newTally(t, 390, "none: plain orders beside the pages above", "")
	for _, o := range s.Orders() {
		if i := slices.Index(portal.Faults(), o.Variation); i >= 0 {
			p.judgePage(t, &v, 300+i, o)
			continue
		}
		if got := v.report.order(o.Number); got.Outcome != o.Want.Outcome || len(got.charged()) != 1 {
			v.lost = append(v.lost, fmt.Sprintf("order %s is %s after %d attempts: %+v", o.Number, got.Outcome, len(got.charged()), got.Attempts))
		}
	}
	good.count(0, v)
	good.write()
}

// judgePage looks at what has become of the order whose page is bad, and writes
// its row.
func (p *workspace) judgePage(t *testing.T, v *findings, position int, want portal.Order) {
	t.Run(string(want.Variation), func(t *testing.T) {
		got := v.report.order(want.Number)
		y := newTally(t, position, "a page: "+want.Variation.About(), "of one attempt")
		one := findings{orders: 1, chrome: v.chrome}
		if got.Outcome != want.Want.Outcome || got.class() != want.Want.Class {
			one.lost = append(one.lost, fmt.Sprintf("it is %s with the class %q, want %s with %q: %+v",
				got.Outcome, got.class(), want.Want.Outcome, want.Want.Class, got.Error))
		}
		told := 0
		for _, e := range v.report.events("tab_lost") {
			if strings.Contains(e.Detail, want.Number) {
				told++
			}
		}
		charged := got.charged()
		if kills := want.Want.Class == "renderer_crash"; kills && told != len(charged) {
			one.other = append(one.other, fmt.Sprintf("%d attempts, and %d events of a lost tab", len(charged), told))
		}
		for _, a := range charged {
			took := a.EndedAt.Sub(a.StartedAt)
			y.recovered(took)
			if took > pageTimeout+testkit.Patience {
				one.other = append(one.other, fmt.Sprintf("attempt %d took %v", a.N, took))
			}
			if a.Error != nil {
				one.other = append(one.other, p.withoutEvidence(a)...)
			}
		}
		y.count(len(charged), one)
		y.write()
	})
}

// charged returns the attempts that were charged: an order that has to wait for the
// tab of its worker for long is given back, to another one.
func (o order) charged() []attempt {
	return slices.DeleteFunc(slices.Clone(o.Attempts), func(a attempt) bool { return a.Released })
}

// class returns the class of the order's failure, or "".
func (o order) class() string {
	if o.Error == nil {
		return ""
	}
	return o.Error.Class
}

// withoutEvidence returns what a person misses who wants to understand a failed
// attempt.
func (p *workspace) withoutEvidence(a attempt) []string {
	var missing []string
	if a.Error.Message == "" {
		missing = append(missing, fmt.Sprintf("attempt %d does not say why it failed", a.N))
	}
	if len(a.Evidence) == 0 {
		missing = append(missing, fmt.Sprintf("attempt %d has no evidence", a.N))
	}
	for _, name := range a.Evidence {
		if info, err := os.Stat(filepath.Join(p.out, filepath.FromSlash(name))); err != nil || info.Size() == 0 {
			missing = append(missing, fmt.Sprintf("attempt %d: its evidence %s is not there (%v)", a.N, name, err))
		}
	}
	return missing
}
