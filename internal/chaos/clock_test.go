//go:build linux

package chaos

import (
	"net/http"
	"syscall"
	"testing"
	"time"
)

// frozenFor is longer than any lease: one that gives no sign of life in two
// looks, 30 s apart, is taken from its worker.
const frozenFor = 90 * time.Second

// TestFrozen freezes poscrape, as a machine that sleeps does, and lets it go on:
// no order may be lost, or done twice.
func TestFrozen(t *testing.T) {
	fullOnly(t)
	want := undisturb(t, killedOrders()).report
	s := open(t, killedOrders())
	p := newWorkspace(t, s)
	reached := make(chan struct{})
	s.meddleWith(countdown(20, orderOf, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		close(reached)
		next.ServeHTTP(w, r)
	}))
	r := p.run()
	r.reaches(reached)
	r.signal(syscall.SIGSTOP)
	before := p.remember(s)
	timer := time.NewTimer(frozenFor)
	defer timer.Stop()
	<-timer.C
	r.signal(syscall.SIGCONT)
	woken := time.Now()
	r.mustExit(0, 3)
	v := p.judge(s, want, before)
	y := newTally(t, 600, "poscrape is frozen for 90 s (SIGSTOP, SIGCONT)", "from SIGCONT until the next order is begun")
	if begun, any := v.now.begunAgain(woken); any {
		y.recovered(begun)
	}
	y.row.Seen = "The wall clock cannot be moved for one process of Go's: that is injected, in tasks/ledger's tests"
	y.count(1, v)
	y.write()
}
