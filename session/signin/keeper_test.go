package signin_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/tasks"
)

// fake is a browser whose sign-in ends with err.
type fake struct {
	err            error
	signIns, given int
}

func (f *fake) SignIn(context.Context) (*browser.State, error) {
	f.signIns++
	return &browser.State{}, f.err
}
func (f *fake) State(context.Context) (*browser.State, error) { return &browser.State{}, nil }
func (f *fake) SetState(context.Context, *browser.State) error {
	f.given++
	return nil
}

func wall() error { return tasks.Retry(tasks.ClassLogin, "a sign-in page") }

// enter begins a visit, which must be let in.
func enter(t *testing.T, k *signin.Keeper, b signin.Browser, order *tasks.ProcessingTask) *signin.Visit {
	t.Helper()
	v, err := k.Enter(t.Context(), b, order)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func order() *tasks.ProcessingTask {
	task := &tasks.ProcessingTask{}
	task.ID = uuid.New()
	return task
}

func TestOneSignsInForAll(t *testing.T) {
	t.Parallel()
	k := signin.New(signin.Config{Able: true})
	a, b := &fake{}, &fake{}
	va, vb := enter(t, k, a, order()), enter(t, k, b, order())
	if va.Leave(t.Context(), nil, wall()) == "" || vb.Leave(t.Context(), nil, wall()) == "" {
		t.Error("an order that met the wall was charged")
	}
	enter(t, k, a, order())
	enter(t, k, b, order())
	if a.signIns != 1 || b.signIns != 0 || a.given != 0 || b.given != 1 {
		t.Errorf("sign-ins: %+v, %+v", a, b)
	}
}

func TestAnOrderThatStaysAWallIsCharged(t *testing.T) {
	t.Parallel()
	k := signin.New(signin.Config{Able: true})
	b, it := &fake{}, order()
	if why := enter(t, k, b, it).Leave(t.Context(), nil, wall()); why == "" {
		t.Error("the first wall was charged")
	}
	if why := enter(t, k, b, it).Leave(t.Context(), nil, wall()); why != "" || b.signIns != 1 {
		t.Errorf("after a sign-in the wall was not charged (%s), %d sign-ins", why, b.signIns)
	}
}

func TestARefusalEndsIt(t *testing.T) {
	t.Parallel()
	var stopped []string
	k := signin.New(signin.Config{Able: true, Stop: func(seen string) { stopped = append(stopped, seen) }})
	b := &fake{err: &scrape.SignInError{Seen: "wrong password"}}
	first, second := enter(t, k, b, order()), enter(t, k, b, order())
	if first.Leave(t.Context(), nil, wall()) == "" || second.Leave(t.Context(), nil, wall()) == "" {
		t.Error("an order was charged")
	}
	if len(stopped) != 1 || !strings.Contains(stopped[0], "wrong password") || b.signIns != 1 {
		t.Errorf("it stopped %q after %d sign-ins", stopped, b.signIns)
	}
	if _, err := k.Enter(t.Context(), b, order()); err == nil {
		t.Error("another order was let in")
	}
}

func TestALostBrowserIsNoRefusal(t *testing.T) {
	t.Parallel()
	stopped := 0
	k := signin.New(signin.Config{Able: true, Stop: func(string) { stopped++ }})
	lost, well := &fake{err: browser.ErrLost}, &fake{}
	if enter(t, k, lost, order()).Leave(t.Context(), nil, wall()) == "" || enter(t, k, well, order()).Leave(t.Context(), nil, wall()) == "" {
		t.Error("an order was charged")
	}
	if stopped != 0 || well.signIns != 1 {
		t.Errorf("stopped %d times, %d sign-ins", stopped, well.signIns)
	}
}

func TestWallsThatNobodyPasses(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{"no way to sign in": wall(), "new terms": tasks.Retry(tasks.ClassWall, "new terms")} {
		stopped := 0
		k := signin.New(signin.Config{Able: name == "new terms", Stop: func(string) { stopped++ }})
		b := &fake{err: errors.New("never")}
		if why := enter(t, k, b, order()).Leave(t.Context(), nil, err); why == "" || stopped != 1 || b.signIns != 0 {
			t.Errorf("%s: %q, stopped %d times, %d sign-ins", name, why, stopped, b.signIns)
		}
	}
}

func TestAPortalThatLetsNobodyThroughEndsIt(t *testing.T) {
	t.Parallel()
	stopped := 0
	k := signin.New(signin.Config{Able: true, Stop: func(string) { stopped++ }})
	b := &fake{}
	for range 6 {
		if v, err := k.Enter(t.Context(), b, order()); err == nil {
			v.Leave(t.Context(), nil, wall())
		}
	}
	if stopped != 1 || b.signIns != 2 {
		t.Errorf("stopped %d times after %d sign-ins", stopped, b.signIns)
	}
}

func TestASharedSignInThatDoesNotLast(t *testing.T) {
	t.Parallel()
	var told []string
	k := signin.New(signin.Config{Able: true, Tell: func(e tasks.Event) { told = append(told, e.Detail) }})
	a, b := &fake{}, &fake{}
	enter(t, k, b, order())
	for range 3 {
		enter(t, k, a, order()).Leave(t.Context(), &tasks.Result{Outcome: tasks.OutcomeComplete}, nil)
		enter(t, k, a, order()).Leave(t.Context(), nil, wall())
	}
	enter(t, k, b, order()).Leave(t.Context(), nil, wall())
	if a.signIns != 3 || b.signIns != 1 || !strings.Contains(strings.Join(told, "\n"), "login.session: each") {
		t.Errorf("sign-ins: %+v, %+v; told %q", a, b, told)
	}
}
