//go:build linux

package chaos

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
)

const fromResume = "from the start of `poscrape resume` until the first order is begun"

// killedOrders are the orders of the runs that are killed: all kinds of
// documents and ends, retries among them.
func killedOrders() portal.Config {
	cfg := portal.Config{
		Variations: []portal.Variation{
			portal.Plain, portal.ServerErrors, portal.NoneMarker, portal.JSONMount, portal.Several, portal.NotFound, portal.Blob, portal.TargetBlank,
		},
		Orders: 8, MaxDocument: 256 << 10, Slow: 300 * time.Millisecond, Mount: 100 * time.Millisecond,
	}
	if *full {
		cfg.Variations = append(cfg.Variations, portal.ThirtyDocuments, portal.Truncated, portal.Slow, portal.SameNameOtherBytes)
		cfg.Orders, cfg.Latency = 48, 20*time.Millisecond
	}
	return cfg
}

// killing is one run that is killed and resumed.
type killing struct {
	*workspace
	site   *site
	want   report
	before *memory
	tally  *tally
	// flags are those of the run. contained: they have browsers live in containers.
	flags     []string
	contained bool
}

func newKilling(t *testing.T, y *tally) *killing {
	t.Helper()
	u := undisturb(t, killedOrders())
	s := open(t, killedOrders())
	return &killing{workspace: newWorkspace(t, s), site: s, want: u.report, tally: y}
}

// goOn resumes what was killed, and judges the end.
func (k *killing) goOn() {
	k.t.Helper()
	k.env = nil
	k.site.meddleWith(nil)
	k.before = k.remember(k.site)
	if k.before == nil {
		k.beginAgain()
		return
	}
	r := k.resume()
	r.mustExit(0, 3)
	v := k.judge(k.site, k.want, k.before)
	v.other = k.before.charged(v.now)
	if k.contained {
		k.containersLeft(&v)
	}
	due, n := k.before.dueAgain(v.now, r.began)
	k.t.Logf("%d orders in progress due again after %v", n, due)
	v.wantWithin("until the orders in progress were due again", due, time.Second)
	if v.report.Session.Resumed != 1 {
		v.other = append(v.other, fmt.Sprintf("resumed is %d, want 1", v.report.Session.Resumed))
	}
	v.wantEvents("session_resumed", 1)
	k.tally.count(1, v)
	if begun, any := v.now.begunAgain(r.began); any {
		k.tally.recovered(begun)
	}
}

// beginAgain does what a person does whose run was killed before there was a
// session: resume says that there is none, and the run is started anew.
func (k *killing) beginAgain() {
	k.t.Helper()
	k.resume().mustExit(2)
	k.out = filepath.Join(k.dir, "out-again")
	k.run().mustExit(0, 3)
	k.tally.count(1, k.judge(k.site, k.want, nil))
}

// at kills poscrape at the n-th pass of one of its own points.
func (k *killing) at(point string, n int) {
	k.t.Helper()
	k.env = []string{fmt.Sprintf("POSCRAPE_FAULT=%s:%d", point, n)}
	if r := k.run(); !r.killed() {
		k.t.Fatalf("poscrape has not passed %s %d times; it said\n%s", point, n, r.said())
	}
	k.goOn()
}

// whileDownloading kills poscrape when half of the n-th document was sent.
func (k *killing) whileDownloading(n int) {
	k.t.Helper()
	half := make(chan struct{})
	k.site.meddleWith(atHalf(n, half))
	r := k.run()
	r.killWhen(half)
	k.goOn()
}

// atPage kills poscrape when the n-th page is asked for.
func (k *killing) atPage(n int) {
	k.t.Helper()
	reached := make(chan struct{})
	k.site.meddleWith(countdown(n, orderOf, func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
		close(reached)
		<-r.Context().Done()
	}))
	k.run().killWhen(reached)
	k.goOn()
}

// after kills poscrape when it has run for some time. It returns false if it had
// ended before.
func (k *killing) after(d time.Duration) bool {
	k.t.Helper()
	r := k.run(k.flags...)
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.ended:
	}
	r.kill()
	if !r.killed() {
		return false
	}
	k.goOn()
	return true
}

// killWhen kills the process when the channel is closed.
func (r *process) killWhen(reached <-chan struct{}) {
	r.t.Helper()
	r.reaches(reached)
	r.kill()
}

// TestKills kills poscrape several times in each state of a task.
func TestKills(t *testing.T) {
	for i, c := range []struct {
		name, fault string
		passes      []int
		kill        func(k *killing, n int)
	}{
		{"Claimed", "an order is claimed", []int{1, 17, 40}, func(k *killing, n int) { k.at("claimed", n) }},
		{"Started", "an order is started", []int{1, 17, 40}, func(k *killing, n int) { k.at("started", n) }},
		{"Downloading", "half of a document was sent", []int{1, 40, 200}, (*killing).whileDownloading},
		{"Published", "documents are in place, the record is not written", []int{1, 12, 25}, func(k *killing, n int) { k.at("published", n) }},
		{"Recorded", "an outcome is recorded, the next order is not claimed", []int{1, 17, 40}, func(k *killing, n int) { k.at("recorded", n) }},
		{"Reporting", "the report is written", []int{1, 24, 48}, func(k *killing, n int) { k.at("reporting", n) }},
		{"MidRun", "a page is asked for", []int{1, 20, 40}, (*killing).atPage},
		{"Drained", "all orders have ended, its browsers are still there", []int{1}, func(k *killing, n int) { k.at("drained", n) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			fullOnly(t)
			y := newTally(t, 100+i, "`kill -9` of poscrape when "+c.fault, fromResume)
			for _, n := range c.passes {
				c.kill(newKilling(t, y), n)
			}
			y.write()
		})
	}
}

// TestKillsInARow kills one session again and again, each time in another state: when a page is
// asked for, and in turn at points of its own. In the end nothing that was there at any of the
// kills is lost, or was done twice.
func TestKillsInARow(t *testing.T) {
	beside(t)
	if *full {
		t.Skip("TestKills kills a session of its own each time")
	}
	k := newKilling(t, newTally(t, 0, "", ""))
	reached := make(chan struct{})
	k.site.meddleWith(countdown(3, orderOf, func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
		close(reached)
		<-r.Context().Done()
	}))
	k.run("--workers", "2").killWhen(reached)
	k.site.meddleWith(nil)
	kills := []*memory{k.remember(k.site)}
	for _, fault := range []string{"published:1", "recorded:2", "drained:1", "reporting:5"} {
		k.env = []string{"POSCRAPE_FAULT=" + fault}
		if r := k.resume(); !r.killed() {
			t.Fatalf("poscrape has not passed %s; it said\n%s", fault, r.said())
		}
		kills = append(kills, k.remember(k.site))
	}
	k.env = nil
	k.resume().mustExit(0, 3)
	v := k.judge(k.site, k.want, nil)
	for _, before := range kills {
		v.lost = append(v.lost, before.forgotten(v.now)...)
		v.repeated = append(v.repeated, before.repeated(v.now)...)
		v.other = append(v.other, before.charged(v.now)...)
	}
	if v.report.Session.Resumed != len(kills) {
		v.other = append(v.other, fmt.Sprintf("resumed is %d, want %d", v.report.Session.Resumed, len(kills)))
	}
	v.wantEvents("session_resumed", len(kills))
	k.tally.count(len(kills), v)
}

// TestRandomKills kills poscrape at random moments of its run.
func TestRandomKills(t *testing.T) {
	fullOnly(t)
	const kills = 50
	took := undisturb(t, killedOrders()).took
	random := rand.New(rand.NewPCG(*seed, 1))
	y := newTally(t, 110, "`kill -9` of poscrape at a random moment", fromResume)
	for y.row.Injected < kills {
		moment := time.Duration(random.Float64() * float64(took))
		t.Run(fmt.Sprint(y.row.Injected+1), func(t *testing.T) {
			y.t = t
			t.Logf("after %v of %v", moment, took)
			if !newKilling(t, y).after(moment) {
				t.Log("it had ended before")
			}
		})
	}
	y.t = t
	y.write()
}
