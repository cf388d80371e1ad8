//go:build linux

package chaos

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
)

// browserOrders are the orders of the runs whose browsers are broken. All end
// well.
func browserOrders(variations ...portal.Variation) portal.Config {
	cfg := portal.Config{Variations: variations, MaxDocument: 64 << 10, Mount: 100 * time.Millisecond, Orders: 6}
	if *full {
		cfg.Orders, cfg.Latency = 200, 200*time.Millisecond
	}
	return cfg
}

// allKinds are ways in which pages list documents that do not take long.
func allKinds() []portal.Variation {
	return []portal.Variation{portal.Plain, portal.JSONMount, portal.TargetBlank, portal.SameNameOtherBytes, portal.Blob}
}

// breakage is one kind of fault that strikes browsers.
type breakage struct {
	place  int
	fault  string
	strike func(group) error
	number func(*http.Request) string
	// lost: the browser is lost, so no attempt may be charged.
	lost bool
	// back is how long a slot may take until it works again.
	back   time.Duration
	orders portal.Config
	// flags are the run's own.
	flags []string
	// find finds the group to strike, where it is not the one that asks the portal: askedBy.
	find func(*workspace) (group, error)
}

const fromStrike = "from the fault until the slot has begun its next order"

// run strikes 20 times during 200 orders, or once in the short selection.
func (b breakage) run(t *testing.T) {
	beside(t)
	want := undisturb(t, b.orders).report
	s := open(t, b.orders)
	p := newWorkspace(t, s)
	k := &striker{workspace: p, fault: b.strike, number: b.number, find: b.find, every: 2, most: 1, together: 2}
	workers := "-w1" // with more of them, the others may do all that is left
	if *full {
		k.every, k.most, workers = 5, 20, "-w4"
	}
	s.meddleWith(k.meet)
	r := p.run(append([]string{workers}, b.flags...)...)
	r.waitUpTo(20 * time.Minute) // a frozen browser takes its time, 20 take twenty times that
	r.mustExit(0)
	v := p.judge(s, want, nil)
	if b.find != nil {
		p.containersLeft(&v)
	}
	struck, wrong := k.strikes()
	for _, err := range wrong { // an order whose browser was not found is left alone, and another struck
		t.Log("a fault that was not injected:", err)
	}
	if len(struck) != k.most {
		t.Errorf("%d of %d faults struck: %v", len(struck), k.most, wrong)
	}
	y := newTally(t, b.place, b.fault, fromStrike)
	for _, s := range struck {
		if back, ok := b.judge(&v, s); ok {
			y.recovered(back)
		}
	}
	y.count(len(struck), v)
	y.write()
}

// judge looks at what one strike has done, and returns after what time the slot
// worked again, or false if it did not.
func (b breakage) judge(v *findings, s strike) (time.Duration, bool) {
	problem := func(format string, args ...any) {
		v.other = append(v.other, fmt.Sprintf("order %s, whose browser was struck: ", s.order)+fmt.Sprintf(format, args...))
	}
	o := v.report.order(s.order)
	at := slices.IndexFunc(o.Attempts, func(a attempt) bool { return !a.EndedAt.Before(s.at.Truncate(time.Millisecond)) })
	if at < 0 {
		problem("it has no attempt that ended afterwards")
		return 0, false
	}
	broken := o.Attempts[at]
	if b.lost {
		if !broken.Released || broken.Error == nil || broken.Error.Class != "browser_lost" {
			problem("its attempt was not given back because of the browser: %+v %+v", broken, broken.Error)
		}
		if charged := len(o.Attempts) - countReleased(o); charged != 1 {
			problem("%d attempts were charged, want 1", charged)
		}
	}
	if pause := v.report.pause(s.at, s.at.Add(b.back), broken.Worker); *full && pause > 5*time.Second {
		problem("another worker paused for %v", pause)
	}
	kind := "tab_lost"
	if b.lost {
		kind = "worker_failed"
	}
	if v.report.next(kind, broken.Worker, s.at) == nil {
		problem("the story has no event %s of %s", kind, broken.Worker)
	}
	again := v.report.begins(broken.Worker, s.at)
	if again.IsZero() {
		if !v.report.begins("", s.at.Add(b.back)).IsZero() { // there was something left to do
			problem("the slot %s has not worked again", broken.Worker)
		}
		return 0, false
	}
	v.wantWithin("until the slot worked again", again.Sub(s.at), b.back)
	return again.Sub(s.at), true
}

// begins returns when a worker, or any if it is "", began the first attempt after a
// time.
func (r report) begins(worker string, after time.Time) time.Time {
	var first time.Time
	for _, o := range r.Tasks {
		for _, a := range o.Attempts {
			if (a.Worker == worker || worker == "") && a.StartedAt.After(after) && (first.IsZero() || a.StartedAt.Before(first)) {
				first = a.StartedAt
			}
		}
	}
	return first
}

func countReleased(o order) int {
	n := 0
	for _, a := range o.Attempts {
		if a.Released {
			n++
		}
	}
	return n
}

// next returns the first event of a type about a worker at or after a time.
func (r report) next(kind, worker string, from time.Time) *event {
	for _, e := range r.Events {
		if e.Type == kind && e.Worker == worker && !e.At.Before(from.Truncate(time.Millisecond)) {
			return &e
		}
	}
	return nil
}

// pause returns the longest time within [from, to] in which a worker, other than
// one, was between two attempts.
func (r report) pause(from, to time.Time, except string) time.Duration {
	byWorker := map[string][]attempt{}
	for _, o := range r.Tasks {
		for _, a := range o.Attempts {
			byWorker[a.Worker] = append(byWorker[a.Worker], a)
		}
	}
	delete(byWorker, except)
	var longest time.Duration
	for _, attempts := range byWorker {
		slices.SortFunc(attempts, func(a, b attempt) int { return a.StartedAt.Compare(b.StartedAt) })
		begin := attempts[0].EndedAt // of what it had in hand so far: that may be several orders
		for _, a := range attempts[1:] {
			if begin.Before(to) && a.StartedAt.After(from) {
				longest = max(longest, a.StartedAt.Sub(begin))
			}
			if a.EndedAt.After(begin) {
				begin = a.EndedAt
			}
		}
	}
	return longest
}

// TestBrowserKills ends the main processes of browsers at work.
func TestBrowserKills(t *testing.T) {
	breakage{place: 200, fault: "`kill -9` of Chrome's main process", strike: group.killMain, number: orderOf,
		lost: true, back: 5 * time.Second, orders: browserOrders(allKinds()...)}.run(t)
}

// TestRendererKills ends the processes that show pages. From outside that is as
// if the page had crashed them: the attempt is charged, and tried again.
func TestRendererKills(t *testing.T) {
	fullOnly(t)
	breakage{place: 201, fault: "`kill -9` of a renderer", strike: group.killRenderers, number: documentOf,
		back: 5 * time.Second, orders: browserOrders(allKinds()...)}.run(t)
}

// TestFrozenBrowsers freezes browsers at work: their main process, which leaves
// the others running, or all of them.
func TestFrozenBrowsers(t *testing.T) {
	b := breakage{place: 202, fault: "SIGSTOP of a browser's main process", strike: group.stopMain, number: orderOf,
		lost: true, back: frozenBack, orders: browserOrders(portal.Plain)}
	if !*full {
		b.orders = browserOrders(allKinds()...) // those of TestBrowserKills, whose undisturbed run is there
		b.flags = []string{"--hang-timeout", "3s"}
		b.run(t)
		return
	}
	// The others are to have work until the last has been found.
	b.orders.Latency, b.flags = 2*time.Second, []string{"--mode", "render"}
	t.Run("Main", b.run)
	b.place, b.fault, b.strike = 203, "SIGSTOP of all processes of a browser", group.stop
	t.Run("All", b.run)
}

// frozenBack is the watchdog's time: 10 s of silence, 10 s to answer; and 5 s for
// the next browser.
const frozenBack = 25 * time.Second
