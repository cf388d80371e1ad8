package breaker

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

func TestOrdersOfOtherHostsGoOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 3, otherURL, otherURL)
		r.well(3)
		r.outage()
		gaveUp := ""
		stop := r.watching(func(why string) { gaveUp = why })
		for _, open := range []time.Duration{0, time.Minute, 15 * time.Minute} {
			<-time.After(open)
			f := givenBack(t, <-r.ask(t.Context(), 1, stays))
			if f.After < minProbe || f.After > maxProbe {
				t.Errorf("it is due in %v", f.After)
			}
			r.well(4)
		}
		if gaveUp != "" {
			t.Errorf("given up although another host answers: %s", gaveUp)
		}
		// Now the other host fails too: all wait, and the portal has had its time.
		r.network.set(otherAddress, true)
		r.released(4, refused())
		waiting := r.ask(t.Context(), 1, stays)
		waits(t, waiting)
		<-time.After(checkEvery)
		// It is back: who waits for the portal makes room for its orders.
		r.network.set(otherAddress, false)
		if f := givenBack(t, <-waiting); f.After < minProbe {
			t.Errorf("it is due in %v", f.After)
		}
		a := <-r.ask(t.Context(), 4, stays)
		if a.err != nil || !a.pass.probe {
			t.Fatalf("got %+v", a)
		}
		a.pass.Observe(t.Context(), well(), nil)
		r.well(3)
		for _, order := range r.orders[3:] {
			r.Ended(order.Key)
		}
		<-time.After(checkEvery)
		synctest.Wait()
		if gaveUp == "" {
			t.Error("the portal alone is left, and has had its time")
		}
		stop()
	})
}

// TestAbandonedOrders: those of a portal that is left alone are no others that go on.
func TestAbandonedOrders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 3, otherURL, otherURL)
		r.outage()
		gaveUp := ""
		stop := r.watching(func(why string) { gaveUp = why })
		givenBack(t, <-r.ask(t.Context(), 1, stays))
		r.Abandon("other.example")
		waiting := r.ask(t.Context(), 1, stays)
		waits(t, waiting)
		r.reload() // as after events that were lost
		if n := r.Open(); n != 3 {
			t.Errorf("%d orders are left, want the portal's 3", n)
		}
		<-time.After(r.Patience)
		givenBack(t, <-waiting)
		if !strings.HasPrefix(gaveUp, "portal.example is down") || !strings.HasSuffix(gaveUp, "; 3 orders are left") {
			t.Errorf("given up: %q", gaveUp)
		}
		stop()
	})
}

func TestGivingUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 8)
		r.outage()
		began := time.Now()
		var after time.Duration
		gaveUp := ""
		stop := r.watching(func(why string) { gaveUp, after = why, time.Since(began) })
		asking := r.ask(t.Context(), 1, stays)
		<-time.After(r.Patience - time.Second)
		waits(t, asking)
		r.mu.Lock()
		reason := r.reason()
		r.mu.Unlock()
		want := "portal.example is down since " + began.Format("15:04") + " (connection refused): 8 orders wait, looking again every 2s, giving up at " + began.Add(r.Patience).Format("15:04")
		if reason != want {
			t.Errorf("got  %s\nwant %s", reason, want)
		}
		givenBack(t, <-asking)
		if after != r.Patience {
			t.Errorf("given up after %v, want %v", after, r.Patience)
		}
		for _, part := range []string{"portal.example is down since ", "connection refused", "8 orders are left"} {
			if !strings.Contains(gaveUp, part) {
				t.Errorf("%q is missing in %q", part, gaveUp)
			}
		}
		r.network.set(portalAddress, false)
		<-time.After(time.Minute)
		givenBack(t, <-r.ask(t.Context(), 1, stays))
		r.is(stateGivenUp)
		news := stop()
		if last := news[len(news)-1]; last.Type != tasks.EventBreakerGaveUp || last.Detail != gaveUp {
			t.Errorf("got %+v", last)
		}
	})
}

// A program that was stopped for longer than the patience lets an order try
// before it gives up.
func TestPatienceAfterALongStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 8)
		r.outage()
		r.network.set(portalAddress, false)
		<-time.After(2 * r.Patience) // nobody watches
		gaveUp := ""
		stop := r.watching(func(why string) { gaveUp = why })
		defer stop()
		a := <-r.ask(t.Context(), 1, stays)
		if a.err != nil || !a.pass.probe {
			t.Fatalf("got %+v", a)
		}
		a.pass.Observe(t.Context(), well(), nil)
		synctest.Wait()
		r.is(stateClosed)
		if gaveUp != "" {
			t.Error(gaveUp)
		}
	})
}
