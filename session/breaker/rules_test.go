package breaker

import (
	"errors"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestEveryPairOfBreakerStates(t *testing.T) {
	t.Parallel()
	allowed := map[[2]state]bool{
		{stateClosed, stateOpen}: true, {stateOpen, stateHalfOpen}: true, {stateOpen, stateGivenUp}: true,
		{stateHalfOpen, stateClosed}: true, {stateHalfOpen, stateOpen}: true,
	}
	all := []state{stateClosed, stateOpen, stateHalfOpen, stateGivenUp}
	for _, from := range all {
		for _, to := range all {
			c := &circuit{state: from}
			want := from
			if allowed[[2]state{from, to}] {
				want = to
			}
			if moved := c.become(to); moved != (want == to && from != to) || c.state != want {
				t.Errorf("%s to %s: %v, now %s", from, to, moved, c.state)
			}
		}
	}
}

// The trouble of single orders is theirs, and ends after its normal attempts.
func TestTroubleOfSingleOrders(t *testing.T) {
	t.Parallel()
	t.Run("a wrong host among good ones", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 20, "http://nowhere.example/1")
		r.network.set("nowhere.example:80", true)
		for i := range 3 {
			r.well(i)
			r.charged(20, netError("NAME_NOT_RESOLVED"))
		}
		r.is(stateClosed)
	})
	t.Run("a wrong host before good ones", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 20, "http://nowhere.example/1")
		r.network.set("nowhere.example:80", true)
		r.charged(20, netError("NAME_NOT_RESOLVED"))
		r.charged(20, netError("NAME_NOT_RESOLVED"))
		r.released(20, netError("NAME_NOT_RESOLVED")) // its last: nothing is known of any host yet
		r.well(0)
		r.charged(20, netError("NAME_NOT_RESOLVED"))
	})
	t.Run("a page that always resets", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 20)
		r.well(0)
		for range 3 {
			r.charged(1, netError("CONNECTION_RESET"))
			r.charged(2, netError("EMPTY_RESPONSE"))
		}
		if r.network.asks != 0 {
			t.Error("the portal was asked for a page")
		}
	})
	t.Run("ten pages that always reset, and a portal that answers", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 20)
		r.well(0)
		for range 3 {
			for i := range 10 {
				r.charged(1+i, netError("CONNECTION_RESET"))
			}
		}
		if r.network.asks == 0 {
			t.Error("the portal was not asked")
		}
	})
	t.Run("pages that reset, and good ones between", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 20)
		r.network.mute[portalSite] = true
		for i := range 8 {
			r.well(0)
			r.charged(1+i, netError("CONNECTION_RESET"))
		}
	})
	t.Run("a sheet of one row", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 1)
		r.network.set(portalAddress, true)
		for range 3 {
			r.charged(0, refused())
		}
	})
	t.Run("a certificate", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 20)
		r.network.set(portalAddress, true)
		for i := range 10 {
			r.charged(i, netError("CERT_AUTHORITY_INVALID"))
		}
	})
}

func TestOutages(t *testing.T) {
	t.Parallel()
	t.Run("a host that has answered, and is gone", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 3)
		r.well(0)
		r.network.set(portalAddress, true)
		r.released(1, refused())
		r.is(stateOpen)
	})
	t.Run("in a run before", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 2)
		r.record(0, tasks.Decision{To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete, Result: well()})
		r.reload()
		if c := r.circuit(portalURL); c.work != 1 || !c.answered {
			t.Errorf("got %+v", c)
		}
		r.network.set(portalAddress, true)
		r.released(1, refused())
		r.is(stateOpen)
	})
	t.Run("from the start", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 5)
		r.network.set(portalAddress, true)
		for i := range 4 {
			r.charged(i, refused())
			r.is(stateClosed)
		}
		r.released(4, refused())
		r.is(stateOpen)
	})
	t.Run("from the start, without any retry", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 5)
		r.Retries = 0
		r.network.set(portalAddress, true)
		for i := range 5 {
			r.released(i, refused())
		}
		r.is(stateOpen)
	})
	t.Run("connections that are taken and never answered", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 6)
		r.well(0)
		r.network.mute[portalSite] = true
		for i := range 4 {
			r.charged(1+i, netError("EMPTY_RESPONSE"))
		}
		r.released(5, netError("EMPTY_RESPONSE"))
		r.is(stateOpen)
	})
	t.Run("an attempt's time that is up, and nobody there", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 3)
		r.well(0)
		r.network.set(portalAddress, true)
		r.released(1, silent())
		r.is(stateOpen)
	})
	t.Run("where a plain connection tells nothing", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, 10)
		r.network.set(portalAddress, true) // the browser goes another way
		r.well(0)
		for i := range 4 {
			r.charged(1+i, refused())
		}
		r.released(5, refused())
		r.is(stateOpen)
	})
}

// record gives an order its end in the queue.
func (r *rig) record(order int, d tasks.Decision) {
	r.t.Helper()
	leases, err := r.queue.Claim(r.t.Context(), tasks.ClaimRequest{Worker: "w", Max: 1})
	if err != nil || leases[0].Task.ID != r.orders[order].ID {
		r.t.Fatalf("got %+v, %v", leases, err)
	}
	if err := errors.Join(r.queue.Start(r.t.Context(), leases[0]), r.queue.Record(r.t.Context(), leases[0], d)); err != nil {
		r.t.Fatal(err)
	}
}

// An order that breaks off is charged, unless its host is gone.
func TestOrdersThatBreakOff(t *testing.T) {
	t.Parallel()
	attempt := func(t *testing.T, down bool) *tasks.HostTrouble {
		t.Helper()
		r := newRig(t, 3)
		r.well(0)
		r.network.set(portalAddress, down)
		p, err := r.Admit(t.Context(), r.orders[1], stays)
		if err != nil {
			t.Fatal(err)
		}
		return p.Observe(t.Context(), broken(), nil)
	}
	if trouble := attempt(t, false); trouble != nil {
		t.Errorf("beside a good host: got %+v", trouble)
	}
	if trouble := attempt(t, true); trouble == nil {
		t.Error("the host is gone, and has nothing to answer for")
	}
}
