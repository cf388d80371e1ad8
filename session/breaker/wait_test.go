package breaker

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// watching runs the breaker's watch until stop is called, which returns its news.
func (r *rig) watching(gaveUp func(string)) (stop func() []tasks.Event) {
	ctx, cancel := context.WithCancel(context.Background())
	var over sync.WaitGroup
	over.Go(func() {
		r.Watch(ctx, func(why string) {
			if why != "" && gaveUp != nil {
				gaveUp(why)
			}
		})
	})
	return func() []tasks.Event {
		cancel()
		over.Wait()
		news, _ := r.News()
		return news
	}
}

// outage gives the portal an order that ends well, and then takes it away.
func (r *rig) outage() {
	r.t.Helper()
	r.well(0)
	r.network.set(portalAddress, true)
	r.released(0, refused())
	r.is(stateOpen)
}

// admission is what became of an order that asked to be admitted.
type admission struct {
	pass *Pass
	err  error
}

// ask asks for an order to be admitted, beside the test.
func (r *rig) ask(ctx context.Context, order int, leaving func() bool) <-chan admission {
	got := make(chan admission, 1)
	go func() {
		p, err := r.Admit(ctx, r.orders[order], leaving)
		got <- admission{p, err}
	}()
	return got
}

func waits(t *testing.T, all ...<-chan admission) {
	t.Helper()
	synctest.Wait()
	for i, c := range all {
		select {
		case a := <-c:
			t.Fatalf("order %d does not wait: %+v", i, a)
		default:
		}
	}
}

func givenBack(t *testing.T, a admission) *tasks.Failure {
	t.Helper()
	f := tasks.AsFailure(a.err)
	if f == nil || f.Advice != tasks.AdviceRelease {
		t.Fatalf("it was not given back: %+v", a)
	}
	return f
}

func TestOneOrderTriesAndTheOthersFollow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 8)
		r.outage()
		stop := r.watching(nil)
		asking := []<-chan admission{}
		for i := range 4 {
			asking = append(asking, r.ask(t.Context(), 1+i, stays))
		}
		waits(t, asking...)
		began, checks := time.Now(), r.network.checked()
		for range 5 {
			<-time.After(checkEvery)
			waits(t, asking...)
		}
		if got := r.network.checked() - checks; got != 5 {
			t.Errorf("the portal was checked %d times in %v, want 5", got, time.Since(began))
		}
		r.network.set(portalAddress, false)
		<-time.After(checkEvery)
		synctest.Wait()
		first := slices.IndexFunc(asking, func(c <-chan admission) bool { return len(c) > 0 })
		if first < 0 {
			t.Fatal("no order tries although the portal is back")
		}
		probe := <-asking[first]
		asking = slices.Delete(asking, first, first+1)
		waits(t, asking...)
		if !probe.pass.probe {
			t.Fatalf("got %+v", probe)
		}
		if trouble := probe.pass.Observe(t.Context(), well(), nil); trouble != nil {
			t.Error(trouble)
		}
		for _, c := range asking {
			if a := <-c; a.err != nil || a.pass.probe {
				t.Errorf("got %+v", a)
			}
		}
		kinds := []string{}
		for _, e := range stop() {
			kinds = append(kinds, e.Type)
		}
		if want := "breaker_opened session_paused breaker_closed session_resumed"; strings.Join(kinds, " ") != want {
			t.Errorf("got %v, want %s", kinds, want)
		}
	})
}

// A refusing portal is tried with an order after 15 s, then less and less often,
// and not before it asks to be.
func TestProbesOfAPortalThatRefuses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 40)
		for i := range refusedOrders {
			r.try(i, nil, status(503))
		}
		r.is(stateOpen)
		defer r.watching(nil)()
		began := time.Now()
		var at []time.Duration
		for range 8 {
			p, err := r.Admit(t.Context(), r.orders[30], stays)
			if err != nil {
				// It has waited for so long that it begins anew.
				p, err = r.Admit(t.Context(), r.orders[30], stays)
			}
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, time.Since(began).Round(checkEvery))
			p.Observe(t.Context(), nil, status(503))
		}
		for i := range at {
			if wait := at[i] - append([]time.Duration{0}, at...)[i]; wait < minProbe-checkEvery || wait > maxProbe+checkEvery {
				t.Errorf("probe %d came after %v: %v", i, wait, at)
			}
		}
		if last := at[7] - at[6]; last < maxProbe-checkEvery {
			t.Errorf("the last came after %v: %v", last, at)
		}
		if r.network.checked() > 1 {
			t.Errorf("a portal that answers was checked %d times", r.network.checked())
		}
		asks := tasks.AsFailure(status(503))
		asks.After = 3 * time.Minute
		p, err := r.Admit(t.Context(), r.orders[30], stays)
		if err != nil {
			p, err = r.Admit(t.Context(), r.orders[30], stays)
		}
		if err != nil {
			t.Fatal(err)
		}
		p.Observe(t.Context(), nil, asks)
		if got := time.Until(r.circuit(portalURL).nextProbe); got != asks.After {
			t.Errorf("the next probe comes in %v, want %v", got, asks.After)
		}
	})
}

func TestWhatEndsTheWaiting(t *testing.T) {
	for name, end := range map[string]func(r *rig, cancel context.CancelCauseFunc, leave func()){
		"the attempt's time": func(r *rig, _ context.CancelCauseFunc, _ func()) { <-time.After(r.Timeout) },
		"an abort": func(_ *rig, cancel context.CancelCauseFunc, _ func()) {
			cancel(errors.New("the session was interrupted"))
		},
		"an interrupt": func(r *rig, _ context.CancelCauseFunc, leave func()) { leave(); r.Wake() },
		"scaling down": func(_ *rig, _ context.CancelCauseFunc, leave func()) { leave(); <-time.After(checkEvery) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, 8)
				r.outage()
				defer r.watching(nil)()
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				ctx, over := context.WithTimeout(ctx, r.Timeout)
				defer over()
				var mu sync.Mutex
				left := false
				asking := r.ask(ctx, 1, func() bool { mu.Lock(); defer mu.Unlock(); return left })
				waits(t, asking)
				end(r, cancel, func() { mu.Lock(); defer mu.Unlock(); left = true })
				synctest.Wait()
				select {
				case a := <-asking:
					givenBack(t, a)
				default:
					t.Error("it still waits")
				}
				r.is(stateOpen)
			})
		})
	}
}

// An order that has waited for long has no time left for its attempt.
func TestOrdersThatHaveWaitedBeginAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 8)
		r.outage()
		defer r.watching(nil)()
		asking := r.ask(t.Context(), 1, stays)
		<-time.After(r.Timeout / 2)
		waits(t, asking)
		r.network.set(portalAddress, false)
		if f := givenBack(t, <-asking); f.After != 0 {
			t.Errorf("it is due in %v", f.After)
		}
		if a := <-r.ask(t.Context(), 1, stays); a.err != nil || !a.pass.probe {
			t.Errorf("the same order, anew: %+v", a)
		}
	})
}

// A probe that panics or is left behind ends its pass without having seen
// anything; the next one tries soon.
func TestProbesThatFindNothingOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 8)
		r.outage()
		defer r.watching(nil)()
		r.network.set(portalAddress, false)
		for range 3 {
			a := <-r.ask(t.Context(), 1, stays)
			if a.err != nil || !a.pass.probe {
				t.Fatalf("got %+v", a)
			}
			a.pass.End()
			a.pass.End()
			r.is(stateOpen)
		}
		if r.working != 0 || r.waiting != 0 {
			t.Errorf("%d working, %d waiting", r.working, r.waiting)
		}
	})
}

// Where nothing is known of what a connection from here tells, an order tries
// now and then also while it fails.
func TestProbesWhereAConnectionTellsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 5)
		r.network.set(portalAddress, true)
		for i := range 5 {
			r.try(i, nil, refused())
		}
		r.is(stateOpen)
		defer r.watching(nil)()
		began := time.Now()
		p, err := r.Admit(t.Context(), r.orders[0], stays)
		if err != nil || !p.probe || time.Since(began) < minProbe {
			t.Fatalf("got %+v, %v after %v", p, err, time.Since(began))
		}
		if err := p.Observe(t.Context(), well(), nil); err != nil {
			t.Error(err)
		}
		r.is(stateClosed)
	})
}

// TestLeftAlone: while a server is left alone no order is opened there, and nothing is charged to those that wait.
func TestLeftAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 3)
		began := time.Now()
		r.network.hush(40 * time.Second)
		says := "portal.example has had too many requests, by its own word: no order is opened there until " + began.Add(40*time.Second).Format("15:04:05")
		waiting := []<-chan admission{r.ask(t.Context(), 1, stays), r.ask(t.Context(), 2, stays)}
		waits(t, waiting...)
		if news, reason := r.News(); len(news) == 0 || news[0].Detail != says || reason != says {
			t.Errorf("it tells %+v, and says %q", news, reason)
		}
		for _, c := range waiting {
			a := <-c
			if f := givenBack(t, a); f.After != 0 { // it has waited for a part of its time
				t.Errorf("it is due after %v", f.After)
			}
		}
		if took := time.Since(began); took != 40*time.Second {
			t.Errorf("they waited for %v", took)
		}
		r.well(1)
	})
}

// TestLeftAloneBesideOthers: meanwhile a worker goes on with the orders of other hosts; that it is left alone is told
// once, and again when it is for longer, and no more when it is over.
func TestLeftAloneBesideOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 2, otherURL)
		var reasons []string
		stop := r.watching(func(string) {})
		r.network.hush(3 * time.Second)
		if f := givenBack(t, <-r.ask(t.Context(), 1, stays)); f.After != 3*time.Second {
			t.Errorf("it is due after %v", f.After)
		}
		for range 2 {
			r.network.hush(time.Minute)
			if f := givenBack(t, <-r.ask(t.Context(), 1, stays)); f.After != time.Minute {
				t.Errorf("it is due after %v", f.After)
			}
		}
		r.well(2)
		news, reason := r.News()
		reasons = append(reasons, reason)
		<-time.After(time.Minute)
		synctest.Wait()
		_, reason = r.News()
		if reasons = append(reasons, reason); reasons[0] == "" || reasons[1] != "" || len(news) != 1 {
			t.Errorf("it says %q, and tells %+v", reasons, news)
		}
		stop()
	})
}

// TestNotAsked: an order that ended since its server is left alone says nothing of the server.
func TestNotAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 40)
		r.well(0)
		for n := 1; n < 40; n++ {
			r.charged(n, tasks.Release(tasks.ClassThrottled, "it is left alone"))
		}
		r.is(stateClosed)
	})
}
