package signin_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/tasks"
)

// slow is a browser whose sign-in lasts until it is told to go on.
type slow struct {
	fake
	goOn chan struct{}
}

func (s *slow) SignIn(ctx context.Context) (*browser.State, []tasks.Look, error) {
	<-s.goOn
	return s.fake.SignIn(ctx)
}

// TestOneSignInForAllOrdersOfAWorker: the orders that a worker has at once meet the wall together.
func TestOneSignInForAllOrdersOfAWorker(t *testing.T) {
	t.Parallel()
	for _, sharing := range []scrape.LoginSharing{scrape.SharedLogin, scrape.EachLogin} {
		t.Run(string(sharing), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				k := signin.New(signin.Config{Able: true, Sharing: sharing})
				b := &slow{goOn: make(chan struct{})}
				visits := make([]*signin.Visit, 6)
				for i := range visits {
					visits[i] = enter(t, k, b, order())
				}
				var wg sync.WaitGroup
				for _, v := range visits[:4] {
					wg.Go(func() {
						if v.Leave(t.Context(), nil, wall()).Why == "" {
							t.Error("an order that met the wall was charged")
						}
					})
				}
				synctest.Wait()
				entered := false
				if sharing == scrape.EachLogin { // it waits for its own worker, and is not put back again and again
					wg.Go(func() { enter(t, k, b, order()); entered = true })
					synctest.Wait()
				}
				if entered {
					t.Error("an order was begun while its worker signed in")
				}
				close(b.goOn)
				wg.Wait()
				for _, v := range visits[4:] { // these are late
					if v.Leave(t.Context(), nil, wall()).Why == "" {
						t.Error("an order that met the wall was charged")
					}
				}
				if b.signIns != 1 || entered != (sharing == scrape.EachLogin) {
					t.Errorf("it signed in %d times; an order that waited was begun: %v", b.signIns, entered)
				}
			})
		})
	}
}

// TestAPortalThatRemembers: the orders of all workers are read one at a time, and it is known of
// those before whether others were read meanwhile.
func TestAPortalThatRemembers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cfg   signin.Config
		alone bool
	}{
		"a shared sign-in":   {signin.Config{State: &browser.State{}}, true},
		"a copied profile":   {signin.Config{Copied: true}, true},
		"nobody signed in":   {signin.Config{}, true},
		"each for itself":    {signin.Config{Sharing: scrape.EachLogin, State: &browser.State{}}, false},
		"each, and a copy":   {signin.Config{Sharing: scrape.EachLogin, Copied: true}, false},
		"shared, as is said": {signin.Config{Sharing: scrape.SharedLogin, State: &browser.State{}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				remembers := false
				c.cfg.Remembers = func() bool { return remembers }
				k := signin.New(c.cfg)
				a, b := &fake{}, &fake{}
				ended := &tasks.Result{Outcome: tasks.OutcomeComplete}
				first := enter(t, k, a, order())
				second := enter(t, k, b, order())
				if of := scrape.SignInOf(first.Context(t.Context())); (of == nil) != c.alone {
					t.Errorf("an order that was read beside another: %v", of)
				}
				remembers = true
				var third *signin.Visit
				var wg sync.WaitGroup
				wg.Go(func() { third = enter(t, k, a, order()) })
				synctest.Wait()
				if (third == nil) != c.alone {
					t.Errorf("while others are read, one is begun: %v", third != nil)
				}
				first.Leave(t.Context(), ended, nil)
				second.Leave(t.Context(), ended, nil)
				wg.Wait()
				if c.alone && scrape.SignInOf(third.Context(t.Context())) == nil {
					t.Error("an order that was read alone counts as read beside others")
				}
				third.End()
				third.Leave(t.Context(), ended, nil)
				enter(t, k, b, order()).Leave(t.Context(), ended, nil)
			})
		})
	}
}
