package signin_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/tasks"
)

// asked is a person who is asked to sign in.
type asked struct {
	answers chan *browser.State // nil: the session ends
	refused error
	seen    []string
	address string
	stopped string
	held    int
}

func (a *asked) config() signin.Config {
	return signin.Config{
		Ask: func(seen, address string) (*browser.State, error) {
			a.seen, a.address = append(a.seen, seen), address
			return <-a.answers, a.refused
		},
		Hold: func(string) func(string) { a.held++; return func(string) { a.held-- } },
		Stop: func(seen, _ string) { a.stopped = seen },
	}
}

// TestAPersonSignsIn: while a person signs in nobody is let in, and afterwards all go on with that.
func TestAPersonSignsIn(t *testing.T) {
	t.Parallel()
	a := &asked{answers: make(chan *browser.State)}
	k := signin.New(a.config())
	one, two := &fake{}, &fake{}
	v, beside := enter(t, k, one, order()), enter(t, k, two, order())
	for i, left := range []signin.Left{v.Leave(t.Context(), nil, wall()), beside.Leave(t.Context(), nil, wall())} {
		if left.Why == "" {
			t.Errorf("order %d was charged", i)
		}
	}
	if _, err := k.Enter(t.Context(), two, order()); err == nil {
		t.Error("an order is opened while a person signs in")
	}
	if k.Latest() != nil {
		t.Error("the sign-in that met the wall would be kept for the next run")
	}
	a.answers <- &browser.State{}
	k.Wait()
	if v := enter(t, k, two, order()); two.given != 1 || v.Leave(t.Context(), &tasks.Result{Outcome: tasks.OutcomeComplete}, nil).Why != "" {
		t.Errorf("another worker got the sign-in %d times", two.given)
	}
	if a.address != order().URL {
		t.Errorf("asked to sign in at %q", a.address)
	}
	if a.held != 0 || len(a.seen) != 1 || a.stopped != "" || one.signIns+two.signIns != 0 {
		t.Errorf("got %+v", a)
	}
	// It has let an order through, so when it ends the person is asked again; what is of no use is not asked for twice.
	if left := enter(t, k, one, order()).Leave(t.Context(), nil, wall()); left.Why == "" {
		t.Error("an order was charged")
	}
	settle(t, k, one)
	close(a.answers)
	k.Wait()
	if k.Latest() != nil {
		t.Error("at the end, the sign-in that met the wall would be kept")
	}
}

// settle has an order aside met the wall again, where that is what it takes.
func settle(t *testing.T, k *signin.Keeper, b signin.Browser) {
	t.Helper()
	if v, err := k.Enter(t.Context(), b, order()); err == nil {
		v.Leave(t.Context(), nil, wall())
	}
}

func TestAPersonWhoIsOfNoUse(t *testing.T) {
	t.Parallel()
	refusal := &scrape.SignInError{Seen: "a captcha"}
	for name, c := range map[string]struct {
		answer  *browser.State
		refused error
		able    bool
		sharing scrape.LoginSharing
		again   bool
		want    string
	}{
		"nobody comes":        {refused: errors.New("nobody has signed in"), want: "sign-in page; nobody has signed in"},
		"the session ends":    {},
		"it does not help":    {answer: &browser.State{}, again: true, want: "the sign-in by hand lets no order through"},
		"poscrape is refused": {able: true, answer: &browser.State{}},
		"each for itself":     {sharing: scrape.EachLogin, want: "a sign-in page"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &asked{answers: make(chan *browser.State, 1), refused: c.refused}
			a.answers <- c.answer
			cfg := a.config()
			cfg.Able, cfg.Sharing = c.able, c.sharing
			k := signin.New(cfg)
			b := &fake{err: refusal}
			if left := enter(t, k, b, order()).Leave(t.Context(), nil, wall()); left.Why == "" {
				t.Error("the order was charged")
			}
			k.Wait()
			if c.again {
				if left := enter(t, k, b, order()).Leave(t.Context(), nil, wall()); left.Why == "" {
					t.Error("the order was charged")
				}
			}
			if (c.want == "") != (a.stopped == "") || !strings.Contains(a.stopped, c.want) || a.held != 0 {
				t.Errorf("stopped with %q, held %d times", a.stopped, a.held)
			}
			if asked := len(a.seen); c.sharing == "" && asked != 1 || c.sharing != "" && asked != 0 {
				t.Errorf("asked for %q", a.seen)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := k.Enter(ctx, b, order()); c.want != "" && err == nil {
				t.Error("an order is let in after that")
			}
		})
	}
}
