package signin_test

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

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

func (f *fake) SignIn(context.Context) (*browser.State, []tasks.Look, error) {
	f.signIns++
	return &browser.State{}, nil, f.err
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
	task.ID, task.URL = uuid.New(), "https://portal.example/orders/1"
	return task
}

func TestOneSignsInForAll(t *testing.T) {
	t.Parallel()
	k := signin.New(signin.Config{Able: true})
	a, b := &fake{}, &fake{}
	va, vb := enter(t, k, a, order()), enter(t, k, b, order())
	if va.Leave(t.Context(), nil, wall()).Why == "" || vb.Leave(t.Context(), nil, wall()).Why == "" {
		t.Error("an order that met the wall was charged")
	}
	enter(t, k, a, order())
	enter(t, k, b, order())
	if a.signIns != 1 || b.signIns != 0 || a.given != 0 || b.given != 1 {
		t.Errorf("sign-ins: %+v, %+v", a, b)
	}
}

// TestWhoseWallItIs has orders meet this one after another, on one worker: "a wall" is that order's wall,
// "b through" another that gets through; and what follows of each: signs in, aside, charged,
// stopped, through.
func TestWhoseWallItIs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		unable bool
		class  tasks.Class
		events string
		want   string
	}{
		"an order that is helped":                {events: "a wall, a through", want: "signs in, through"},
		"an order that stays a wall, alone":      {events: "a wall, a wall, a wall, a wall", want: "signs in, aside, charged, charged"},
		"an order that stays one, among others":  {events: "a wall, a wall, b through, a wall, a wall, c through", want: "signs in, aside, through, charged, charged, through"},
		"a portal that lets nobody through":      {events: "a wall, a wall, b wall, a wall, c wall", want: "signs in, aside, signs in, stopped, stopped"},
		"the same, other orders first":           {events: "a wall, b wall, c wall", want: "signs in, signs in, stopped"},
		"a sign-in that ends now and then":       {events: "a wall, a through, b through, c wall, c through, d through, e wall", want: "signs in, through, through, signs in, through, through, signs in"},
		"it ends again while one is set aside":   {events: "a wall, a wall, b wall, b through, a through", want: "signs in, aside, signs in, through, through"},
		"nobody can sign in":                     {unable: true, events: "a wall", want: "stopped"},
		"nobody can, after one got through":      {unable: true, events: "a through, b wall, c wall", want: "through, aside, stopped"},
		"nobody can, and it is that one order's": {unable: true, events: "a through, b wall, c through, b wall, b wall, d through", want: "through, aside, through, charged, charged, through"},
		"nobody can, and no other is left":       {unable: true, events: "a through, b wall, b wall", want: "through, aside, stopped"},
		"new terms":                              {class: tasks.ClassWall, events: "a wall", want: "stopped"},
		"what reads like terms, in one order":    {class: tasks.ClassWall, events: "a through, b wall, c through, b wall", want: "through, aside, through, charged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stopped := 0
			k := signin.New(signin.Config{Able: !c.unable, Stop: func(_, _ string) { stopped++ }})
			b, orders, class := &fake{}, map[string]*tasks.ProcessingTask{}, cmp.Or(c.class, tasks.ClassLogin)
			var got []string
			for event := range strings.SplitSeq(c.events, ", ") {
				name, end, _ := strings.Cut(event, " ")
				if orders[name] == nil {
					orders[name] = order()
				}
				v, err := k.Enter(t.Context(), b, orders[name])
				if err != nil {
					got = append(got, "stopped")
					continue
				}
				before := b.signIns
				var left signin.Left
				if end == "wall" {
					left = v.Leave(t.Context(), nil, tasks.Retry(class, "a wall"))
				} else {
					left = v.Leave(t.Context(), &tasks.Result{Outcome: tasks.OutcomeComplete}, nil)
				}
				switch {
				case b.signIns > before:
					got = append(got, "signs in")
				case left.After > 0:
					got = append(got, "aside")
				case left.Why != "":
					got = append(got, "stopped")
				case end == "through":
					got = append(got, end)
				default:
					got = append(got, "charged")
				}
			}
			if text := strings.Join(got, ", "); text != c.want || (stopped > 0) != strings.Contains(c.want, "stopped") {
				t.Errorf("got  %s\nwant %s; stopped %d times", text, c.want, stopped)
			}
		})
	}
}

func TestARefusalEndsIt(t *testing.T) {
	t.Parallel()
	var stopped []string
	k := signin.New(signin.Config{Able: true, Stop: func(seen, _ string) { stopped = append(stopped, seen) }})
	b := &fake{err: &scrape.SignInError{Seen: "wrong password"}}
	first, second := enter(t, k, b, order()), enter(t, k, b, order())
	if first.Leave(t.Context(), nil, wall()).Why == "" || second.Leave(t.Context(), nil, wall()).Why == "" {
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
	k := signin.New(signin.Config{Able: true, Stop: func(_, _ string) { stopped++ }})
	lost, well := &fake{err: browser.ErrLost}, &fake{}
	if enter(t, k, lost, order()).Leave(t.Context(), nil, wall()).Why == "" || enter(t, k, well, order()).Leave(t.Context(), nil, wall()).Why == "" {
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
		k := signin.New(signin.Config{Able: name == "new terms", Stop: func(_, _ string) { stopped++ }})
		b := &fake{err: errors.New("never")}
		if left := enter(t, k, b, order()).Leave(t.Context(), nil, err); left.Why == "" || stopped != 1 || b.signIns != 0 {
			t.Errorf("%s: %q, stopped %d times, %d sign-ins", name, left.Why, stopped, b.signIns)
		}
	}
}

// TestManySignIns: a portal that ends each sign-in is not signed in to for ever, whoever
// makes them.
func TestManySignIns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		workers int
		sharing scrape.LoginSharing
		through int // orders of each sign-in
		most    int
	}{
		"alone, none gets through":         {workers: 1, most: 2},
		"shared, none gets through":        {workers: 4, sharing: scrape.SharedLogin, most: 2},
		"found out, none gets through":     {workers: 4, most: 8},
		"each, none gets through":          {workers: 4, sharing: scrape.EachLogin, most: 6},
		"alone, one gets through each":     {workers: 1, through: 1, most: 10},
		"each, one gets through each time": {workers: 2, sharing: scrape.EachLogin, through: 1, most: 12},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stopped := ""
			k := signin.New(signin.Config{Able: true, Sharing: c.sharing, Stop: func(seen, _ string) { stopped = seen }})
			workers := make([]*fake, c.workers)
			left := make([]int, c.workers) // orders that its sign-in is good for
			for i := range workers {
				workers[i] = &fake{}
			}
			signIns := 0
			for i := 0; stopped == "" && i < 200; i++ {
				n := i % c.workers
				v, err := k.Enter(t.Context(), workers[n], order())
				if err != nil {
					t.Fatal(err)
				}
				if left[n] > 0 {
					left[n]--
					v.Leave(t.Context(), &tasks.Result{Outcome: tasks.OutcomeComplete}, nil)
					continue
				}
				before := workers[n].signIns
				v.Leave(t.Context(), nil, wall())
				if workers[n].signIns > before {
					signIns++
					left[n] = c.through
				}
			}
			if stopped == "" || signIns > c.most {
				t.Errorf("after %d sign-ins it stopped because %q, want %d at most", signIns, stopped, c.most)
			}
		})
	}
}

// TestSignInsThatAreGoodForFewOrders: whoever makes them, nothing is said of sharing, and nobody
// is stopped.
func TestSignInsThatAreGoodForFewOrders(t *testing.T) {
	t.Parallel()
	k := signin.New(signin.Config{Able: true, Stop: func(seen, _ string) { t.Error(seen) }, Tell: func(e tasks.Event) {
		if e.Type == tasks.EventNotice {
			t.Error(e.Detail)
		}
	}})
	workers := []*fake{{}, {}, {}, {}}
	left := map[*fake]int{} // of its own sign-in
	for n := range 200 {
		b := workers[n%len(workers)]
		v := enter(t, k, b, order())
		if left[b] > 0 {
			left[b]--
			v.Leave(t.Context(), &tasks.Result{Outcome: tasks.OutcomeComplete}, nil)
			continue
		}
		if before := b.signIns; v.Leave(t.Context(), nil, wall()).Why != "" && b.signIns > before {
			left[b] = 3
		}
	}
}

// TestSharedAgain: on a portal that ends a sign-in when another is made, and others early as well,
// workers that were to sign in each for itself share one again.
func TestSharedAgain(t *testing.T) {
	t.Parallel()
	told := ""
	k := signin.New(signin.Config{Able: true, Stop: func(seen, _ string) { t.Error(seen) }, Tell: func(e tasks.Event) {
		if e.Type == tasks.EventNotice {
			told += e.Detail
		}
	}})
	workers := []*fake{{}, {}, {}, {}}
	valid, signIns, left, through := map[*fake]int{}, 0, 0, 0 // which sign-in each has; what the latest is good for
	for n := range 200 {
		b := workers[n%len(workers)]
		given := b.given
		v := enter(t, k, b, order())
		if b.given > given {
			valid[b] = signIns
		}
		if left > 0 && valid[b] == signIns {
			left--
			through++
			v.Leave(t.Context(), &tasks.Result{Outcome: tasks.OutcomeComplete}, nil)
			continue
		}
		if before := b.signIns; v.Leave(t.Context(), nil, wall()).Why != "" && b.signIns > before {
			signIns++
			valid[b], left = signIns, 4
			if signIns > 6 {
				left = 40
			}
		}
	}
	if !strings.Contains(told, "login.session: shared") || through < 100 {
		t.Errorf("%d orders got through, after %d sign-ins; told %q", through, signIns, told)
	}
}

// TestEachHandsItsSignInOn: a worker that takes the place of another one has its sign-in.
func TestEachHandsItsSignInOn(t *testing.T) {
	t.Parallel()
	k := signin.New(signin.Config{Able: true, Sharing: scrape.EachLogin, State: &browser.State{}})
	for n := range 5 {
		b := &fake{}
		if left := enter(t, k, b, order()).Leave(t.Context(), &tasks.Result{Outcome: tasks.OutcomeComplete}, nil); left.Why != "" || b.given != 1 || b.signIns != 0 {
			t.Fatalf("worker %d: %+v, %+v", n, left, b)
		}
		k.Gone(t.Context(), b, time.Minute)
	}
	if all := k.SignIns(); len(all) != 1 {
		t.Errorf("there are %d sign-ins", len(all))
	}
}

// TestASignInPageThatIsDown is an outage, and nobody's refusal.
func TestASignInPageThatIsDown(t *testing.T) {
	t.Parallel()
	stopped := 0
	k := signin.New(signin.Config{Able: true, Stop: func(_, _ string) { stopped++ }})
	down := &scrape.OutageError{Failure: tasks.Retry(tasks.ClassHTTPStatus, "status 503")}
	b, it := &fake{err: down}, order()
	for range 20 {
		if left := enter(t, k, b, it).Leave(t.Context(), nil, wall()); left.Why == "" || left.Outage == nil {
			t.Fatalf("got %+v", left)
		}
	}
	if stopped > 0 {
		t.Error("it stopped")
	}
	down.Sent = true
	for range 3 {
		if left := enter(t, k, b, it).Leave(t.Context(), nil, wall()); left.Why == "" {
			t.Fatalf("got %+v", left)
		}
	}
	if stopped != 1 {
		t.Errorf("it stopped %d times, after 3 passwords that were answered with an error", stopped)
	}
}

// TestToldWithoutALock: what is told of a sign-in may ask the keeper.
func TestToldWithoutALock(t *testing.T) {
	t.Parallel()
	var k *signin.Keeper
	asked := 0
	ask := func() { k.Latest(); asked++ }
	k = signin.New(signin.Config{Able: true, Hold: func(string) func(string) { ask(); return func(string) { ask() } },
		Stop: func(_, _ string) { ask() }, Keep: func(*browser.State) { ask() }, Tell: func(tasks.Event) { ask() }})
	b := &fake{}
	enter(t, k, b, order()).Leave(t.Context(), nil, wall())
	b.err = &scrape.SignInError{Seen: "no"}
	enter(t, k, b, order()).Leave(t.Context(), nil, wall())
	if asked < 8 { // two walls, two holds and their ends, a sign-in and its state, a stop
		t.Errorf("it was told %d times", asked)
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
	for n := range 6 { // whether sharing was to blame is not known before one lasts without it
		if said := strings.Contains(strings.Join(told, "\n"), "login.session: each"); a.signIns != 3 || b.signIns != 1 || said != (n == 5) {
			t.Errorf("after %d orders, sign-ins: %+v, %+v; told %q", n, a, b, told)
		}
		enter(t, k, b, order()).Leave(t.Context(), &tasks.Result{Outcome: tasks.OutcomeComplete}, nil)
	}
}
