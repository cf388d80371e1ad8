//go:build linux

package chaos

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
)

// networkOrders are the orders of the runs whose portal fails. All end well.
func networkOrders() portal.Config {
	cfg := portal.Config{
		Variations:  []portal.Variation{portal.Plain, portal.JSONMount, portal.NoneMarker, portal.TargetBlank},
		MaxDocument: 64 << 10, Mount: 50 * time.Millisecond, Orders: 12,
	}
	if *full {
		cfg.Orders = 100
	}
	return cfg
}

// reset cuts a connection as a host does on which nothing listens any more.
func reset(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // else the end would be an orderly one
	}
	_ = conn.Close()
}

// stall never answers.
func stall(_ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() }

// firstTimes meets the requests of the first attempt at the page of every tenth
// order: those within a second of the first one. Chrome itself asks again at once
// where a connection was used before, and a second attempt comes a second later
// at the least.
type firstTimes struct {
	with meddler

	mu   sync.Mutex
	seen map[string]bool
	// met says of the orders that are met when they were first asked for.
	met map[string]time.Time
}

func (f *firstTimes) meet(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if number := orderOf(r); number != "" && f.chooses(number) {
		f.with(w, r, next)
		return
	}
	next.ServeHTTP(w, r)
}

func (f *firstTimes) chooses(number string) bool {
	const every = 10
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil {
		f.seen, f.met = map[string]bool{}, map[string]time.Time{}
	}
	if !f.seen[number] {
		f.seen[number] = true
		if len(f.seen)%every == 0 {
			f.met[number] = time.Now()
		}
	}
	first, ok := f.met[number]
	return ok && time.Since(first) < time.Second
}

// waited adds to the findings what is wrong with the attempts at an order that
// must have failed at first: each is to say why, and when the next one is due,
// and that is to be kept.
func (v *findings) waited(number string) {
	o := v.report.order(number)
	if len(o.Attempts) < 2 {
		v.other = append(v.other, fmt.Sprintf("order %s had %d attempts, want a failed one and another", number, len(o.Attempts)))
		return
	}
	for i, a := range o.Attempts[:len(o.Attempts)-1] {
		next := o.Attempts[i+1]
		switch {
		case a.Error == nil || a.Error.Message == "":
			v.other = append(v.other, fmt.Sprintf("order %s: attempt %d does not say why it failed", number, a.N))
		case a.Released:
		case a.RetryAt.Sub(a.EndedAt) < time.Second-time.Millisecond:
			v.other = append(v.other, fmt.Sprintf("order %s: attempt %d ended at %v and was due again at %v", number, a.N, a.EndedAt, a.RetryAt))
		case next.StartedAt.Before(a.RetryAt):
			v.other = append(v.other, fmt.Sprintf("order %s: attempt %d began at %v, before it was due at %v", number, next.N, next.StartedAt, a.RetryAt))
		}
	}
}

// meetFirst runs the orders while the first requests for some are met.
func meetFirst(t *testing.T, place int, fault string, f *firstTimes, flags ...string) {
	fullOnly(t)
	want := undisturb(t, networkOrders()).report
	s := open(t, networkOrders())
	p := newWorkspace(t, s)
	s.meddleWith(f.meet)
	p.run(flags...).mustExit(0)
	v := p.judge(s, want, nil)
	y := newTally(t, place, fault, "from the end of the failed attempt until the next begins")
	for number := range f.met {
		v.waited(number)
		if o := v.report.order(number); len(o.Attempts) > 1 {
			y.recovered(o.Attempts[1].StartedAt.Sub(o.Attempts[0].EndedAt))
		}
	}
	y.count(len(f.met), v)
	y.write()
}

// TestResets cuts connections.
func TestResets(t *testing.T) {
	meetFirst(t, 500, "the connection is reset when a page is asked for", &firstTimes{with: reset})
}

// TestStalls: a page that never comes ends with the attempt's time. It is rendered, as one that is
// fetched is given up early, and rendered in the same attempt.
func TestStalls(t *testing.T) {
	meetFirst(t, 501, "a page never comes", &firstTimes{with: stall}, "--mode", "render", "--task-timeout", "5s")
}

// TestUnknownHost: an order whose host has no address fails by itself, after all
// its attempts, and the others end well.
func TestUnknownHost(t *testing.T) {
	fullOnly(t)
	want := undisturb(t, networkOrders()).report
	s := open(t, networkOrders())
	p := newWorkspace(t, s, [2]string{"PO9999999999", "http://portal.invalid/orders/PO9999999999"})
	p.run().mustExit(3)
	r := p.report()
	lost := r.order("PO9999999999")
	want.Tasks = append(want.Tasks, order{PO: lost.PO, Outcome: "failed"})
	v := p.judge(s, want, nil)
	v.waited(lost.PO)
	if len(lost.Attempts) != 3 {
		v.other = append(v.other, fmt.Sprintf("it had %d attempts, want 3", len(lost.Attempts)))
	}
	y := newTally(t, 502, "a host without an address", "")
	y.count(1, v)
	y.write()
}

// TestOutages takes the portal away in mid-run. No order may be lost, and none
// may have been charged more than its own fault.
func TestOutages(t *testing.T) {
	for i, c := range []struct {
		name, fault string
		down        time.Duration
	}{
		{"Restart", "the portal is restarted", 2 * time.Second},
		{"TwoMinutes", "the portal is down for two minutes", 2 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			fullOnly(t)
			want := undisturb(t, networkOrders()).report
			s := open(t, networkOrders())
			p := newWorkspace(t, s)
			reached := make(chan struct{})
			s.meddleWith(countdown(30, orderOf, func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
				close(reached)
				<-r.Context().Done()
			}))
			run := p.run()
			run.reaches(reached)
			s.stop()
			timer := time.NewTimer(c.down)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-run.ended:
				t.Errorf("poscrape ended while the portal was down; it said\n%s", run.said())
			}
			s.start()
			back := time.Now()
			run.mustExit(0)
			v := p.judge(s, want, nil)
			if c.down > time.Minute {
				v.wantEvents("breaker_opened", 1)
				v.wantEvents("breaker_closed", 1)
			}
			y := newTally(t, 510+i, c.fault, "from the portal's return until the first order is begun")
			if begun, any := v.now.begunAgain(back); any {
				y.recovered(begun)
			}
			y.count(1, v)
			y.write()
		})
	}
}
