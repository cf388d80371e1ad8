package breaker

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/poscrape/poscrape/tasks"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	kinds := map[string]error{
		"429": status(http.StatusTooManyRequests), "503": status(http.StatusServiceUnavailable), "500": status(http.StatusInternalServerError),
		"403": status(http.StatusForbidden), "silence": silent(), "certificate": netError("CERT_DATE_INVALID"),
	}
	for name, err := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, 30)
			for i := range refusedOrders - 1 {
				r.charged(i, err)
			}
			r.charged(0, err) // not another order
			r.is(stateClosed)
			r.released(refusedOrders-1, err)
			r.is(stateOpen)
		})
	}
	lost := tasks.Release(tasks.ClassBrowserLost, "lost")
	for name, c := range map[string]struct {
		between []error
		want    state
	}{
		"one that ends well":               {[]error{nil}, stateClosed},
		"two other answers among forty":    {[]error{notFound(), notFound()}, stateOpen},
		"three other answers among forty":  {[]error{notFound(), notFound(), notFound()}, stateClosed},
		"sign-ins, which are not counted":  {[]error{login(), login(), login(), login()}, stateOpen},
		"a lost browser, which is nothing": {[]error{lost, lost, lost}, stateOpen},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, 60)
			for i := range 10 {
				r.charged(i, status(503))
			}
			for i, err := range c.between {
				res := well()
				if err != nil {
					res = nil
				}
				r.try(50+i, res, err)
			}
			for i := 10; i < 39 && r.state() == stateClosed; i++ {
				r.try(i, nil, status(503))
			}
			r.is(c.want)
		})
	}
}

// A slow portal that refuses is found out although each order is retried before
// many others have been opened.
func TestRefusalsInAnyOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t, 30)
	for i := range refusedOrders - 1 {
		for range 3 {
			r.charged(i, status(503))
		}
	}
	r.released(refusedOrders-1, status(503))
	r.is(stateOpen)
}

// Once a portal has done well, orders do not fail because of the first refusals
// of what may be all.
func TestLastAttemptsAreSparedInDoubt(t *testing.T) {
	t.Parallel()
	r := newRig(t, 30)
	r.well(0)
	for range 2 {
		for i := range 5 {
			r.charged(1+i, status(503))
		}
	}
	for range maxDoubts {
		r.released(1, status(503))
	}
	r.charged(1, status(503))
	r.charged(6, status(503)) // has attempts left
	r.charged(2, status(403)) // is its own
	r.well(7)
	r.charged(3, status(503)) // the portal does well again
	r.is(stateClosed)
}

// What a probe meets decides, both after an outage and after refusals.
func TestWhatProbesMeet(t *testing.T) {
	for _, c := range []struct {
		meets         error
		after         string
		want          state
		charged, mute bool
	}{
		{meets: nil, after: "outage", want: stateClosed, charged: true},
		{meets: nil, after: "refusals", want: stateClosed, charged: true},
		{meets: notFound(), after: "outage", want: stateClosed, charged: true},
		{meets: login(), after: "refusals", want: stateClosed, charged: true},
		{meets: status(403), after: "outage", want: stateClosed, charged: true},
		{meets: status(403), after: "refusals", want: stateOpen},
		{meets: status(503), after: "outage", want: stateOpen},
		{meets: status(503), after: "refusals", want: stateOpen},
		{meets: silent(), after: "outage", want: stateOpen},
		{meets: netError("CONNECTION_RESET"), after: "outage", want: stateClosed},
		{meets: netError("CONNECTION_RESET"), after: "outage", mute: true, want: stateOpen},
		{meets: tasks.Retry(tasks.ClassStorage, "disk"), after: "outage", want: stateOpen, charged: true},
	} {
		t.Run(fmt.Sprintf("%v after %s", c.meets, c.after), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, 40)
				if c.after == "outage" {
					r.well(0)
					r.network.set(portalAddress, true)
					r.released(1, refused())
					r.network.set(portalAddress, false)
				} else {
					for i := range refusedOrders {
						r.try(i, nil, status(503))
					}
				}
				r.network.mute[portalSite] = c.mute
				r.is(stateOpen)
				stop := r.watching(nil)
				defer stop()
				p, err := r.Admit(context.WithoutCancel(t.Context()), r.orders[30], stays)
				if err != nil || !p.probe || r.state() != stateHalfOpen {
					t.Fatalf("got %+v, %v", p, err)
				}
				res := well()
				if c.meets != nil {
					res = nil
				}
				if trouble := p.Observe(t.Context(), res, c.meets); (trouble == nil) != c.charged {
					t.Errorf("got %+v", trouble)
				}
				r.is(c.want)
			})
		})
	}
}
