//go:build linux

package chaos

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
)

// moment is how the session in the cage stands.
type moment struct {
	at      time.Duration // since the first one
	ended   int
	allowed int
	running int
	used    float64 // the cage's memory
	status  string
	why     string
}

// watched are the moments of a session, in their order.
type watched struct {
	mu   sync.Mutex
	all  []moment
	done chan struct{}
}

// watchSession notes how the session stands, by 'poscrape worker status --watch', until it ends.
func (p *workspace) watchSession(c *cage) *watched {
	p.t.Helper()
	w := &watched{done: make(chan struct{})}
	cmd := exec.Command(program(p.t), "worker", "status", "--watch", "--json", "--session", p.out)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	go func() {
		defer close(w.done)
		var began time.Time
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			var s struct {
				At             time.Time
				Status, Reason string
				Workers        struct{ Allowed, Running int }
				Well           int `json:"well"`
				NotWell        int `json:"not_well"`
			}
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				p.t.Error(err)
				break
			}
			if began.IsZero() {
				began = s.At
			}
			w.mu.Lock()
			w.all = append(w.all, moment{at: s.At.Sub(began), ended: s.Well + s.NotWell, allowed: s.Workers.Allowed,
				running: s.Workers.Running, used: c.used(), status: s.Status, why: s.Reason})
			w.mu.Unlock()
		}
		_ = cmd.Wait() // the session ends it
	}()
	p.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-w.done
		w.tell(p.t)
	})
	return w
}

// tell logs each change.
func (w *watched) tell(t *testing.T) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var last moment
	for _, m := range w.all {
		if m.allowed != last.allowed || m.running != last.running || m.status != last.status || m.at > last.at+10*time.Second {
			t.Logf("%4.0f s: %3d ended, %d workers allowed, %d there, memory %3.0f %%, %s %s", m.at.Seconds(), m.ended, m.allowed, m.running, 100*m.used, m.status, m.why)
			last = m
		}
	}
}

// now returns the newest moment.
func (w *watched) now() moment {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.all) == 0 {
		return moment{}
	}
	return w.all[len(w.all)-1]
}

// between returns the moments from one time to another.
func (w *watched) between(from, to time.Duration) []moment {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []moment
	for _, m := range w.all {
		if m.at >= from && m.at <= to {
			found = append(found, m)
		}
	}
	return found
}

// rate returns how many orders ended a minute.
func (w *watched) rate(from, to time.Duration) float64 {
	all := w.between(from, to)
	if len(all) < 2 {
		return 0
	}
	first, last := all[0], all[len(all)-1]
	return float64(last.ended-first.ended) / (last.at - first.at).Minutes()
}

// turns returns when the number of workers allowed began to rise, or to fall, that had done the other
// before.
func (w *watched) turns() []time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	var turns []time.Duration
	rising := false
	for i, m := range w.all {
		if i == 0 || m.allowed == w.all[i-1].allowed || m.allowed == 0 || w.all[i-1].allowed == 0 {
			continue
		}
		if up := m.allowed > w.all[i-1].allowed; up != rising {
			turns, rising = append(turns, m.at), up
		}
	}
	return turns
}

// TestPressure has another program take what poscrape needs, in a control group with little of it:
// workers are taken away before it runs out, no order is lost or charged, and when the program has
// ended, all are back.
func TestPressure(t *testing.T) {
	for i, c := range []struct {
		name, fault string
		// press has the program take what there is, and returns when it has it.
		press func(g *glutton, c *cage, workers int)
	}{
		{"Memory", "a program takes most of the memory of poscrape's control group", func(g *glutton, c *cage, workers int) {
			// With half of the workers it is at the threshold.
			g.takes(int((0.9-c.used()*0.6)*c.limit)>>20, 60)
		}},
		{"Processors", "a program keeps all processors of poscrape's control group busy", func(g *glutton, _ *cage, _ int) { g.burns() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			fullOnly(t)
			const workers, orders, interval, hold = 4, 260, time.Second, 12 * time.Second
			cage := newCage(t, int64(workers)*400<<20, 1.6)
			s := open(t, portal.Config{Orders: orders, MaxDocument: 8 << 10, Latency: 700 * time.Millisecond, Variations: []portal.Variation{portal.Plain}})
			p := newWorkspace(t, s)
			p.env, p.around = stillMachine(t), cage.around()
			r := p.start("run", "--json", "-o", p.out, "--mode", "render", "-w", fmt.Sprint(workers), "--check-interval", interval.String(),
				"--cpu-threshold", "0.9", p.sheet)
			testkit.Wait(t, "the session's folder", func() bool { return len(p.files("control.sock")) == 1 })
			w := p.watchSession(cage)
			testkit.Wait(t, "all workers", func() bool { return w.now().running == workers && w.now().ended > 0 })
			calm := w.now().at
			usual := calm + 14*interval // until what is usual is known
			testkit.Wait(t, "the usual load", func() bool { return w.now().at >= usual })
			g := newGlutton(t, cage)
			pressed := w.now().at
			c.press(g, cage, workers)
			holds := w.now().at + hold
			t.Logf("the pressure is on at %v", w.now().at)
			testkit.Wait(t, "the end of the pressure", func() bool { return w.now().at >= holds || w.now().status == "COMPLETED" })
			g.end()
			passed := w.now().at
			settled := passed + 30*time.Second
			r.waitUpTo(10 * time.Minute)
			r.mustExit(0)
			<-w.done
			p.judgePressure(t, w, cage, span{calm, pressed, holds, passed, settled}, workers, i, c.fault)
		})
	}
}

// span are the times of a trial: calm until pressed, whose pressure is on at the latest at holds less the hold.
type span struct{ calm, pressed, holds, passed, settled time.Duration }

func (p *workspace) judgePressure(t *testing.T, w *watched, c *cage, at span, workers, place int, fault string) {
	t.Helper()
	r := p.report()
	fewest, most := workers, 0.0
	for _, m := range w.between(at.pressed, at.passed) {
		fewest, most = min(fewest, m.allowed), max(most, m.used)
	}
	back := time.Duration(-1)
	for _, m := range w.between(at.passed, at.passed+time.Hour) {
		if m.running == workers && m.status == "RUNNING" {
			back = m.at - at.passed
			break
		}
	}
	before, under, after := w.rate(at.calm, at.pressed), w.rate(at.pressed, at.passed), w.rate(at.settled, at.settled+time.Minute)
	turns := w.turns()
	t.Logf("%d workers, %d at the least; memory in use %.0f %% at most, %d killed; orders a minute: %.0f before, %.0f under pressure, %.0f from 30 s after it; all back after %v; turns at %v (pressure from %v to %v)",
		workers, fewest, 100*most, c.killed(), before, under, after, back, turns, at.pressed, at.passed)
	v := findings{report: r, orders: len(r.Tasks), chrome: r.Session.Chrome, left: p.left(r)}
	for _, o := range r.Tasks {
		charged := slices.DeleteFunc(slices.Clone(o.Attempts), func(a attempt) bool { return a.Released })
		if o.Outcome != "complete" || len(charged) != 1 {
			v.lost = append(v.lost, fmt.Sprintf("order %s is %q after %d charged attempts", o.PO, o.Outcome, len(charged)))
		}
	}
	if fewest == workers {
		v.other = append(v.other, "no worker was taken away")
	}
	if n := c.killed(); n > 0 || most >= 1 {
		v.other = append(v.other, fmt.Sprintf("%d processes were killed for want of memory, of which %.0f %% was in use", n, 100*most))
	}
	if after < 0.9*before {
		v.other = append(v.other, fmt.Sprintf("30 s after the pressure, %.0f orders a minute end, of %.0f before", after, before))
	}
	for i := 1; i < len(turns); i++ {
		if turns[i]-turns[i-1] < 12*time.Second {
			v.other = append(v.other, fmt.Sprintf("the number of workers turns more than once in twelve intervals: %v", turns))
		}
	}
	if back < 0 {
		v.other = append(v.other, "the workers did not all come back")
	}
	y := newTally(t, 800+place, fault, "from the end of that program until all workers are there")
	y.recovered(back)
	y.row.Seen = strings.TrimSpace(fmt.Sprintf("%d workers, %d at the least; memory in use %.0f %% at most; %.0f orders a minute before, %.0f under pressure, %.0f from 30 s after it; %s of direction",
		workers, fewest, 100*most, before, under, after, plural(len(turns), "change")))
	y.count(1, v)
	y.write()
}
