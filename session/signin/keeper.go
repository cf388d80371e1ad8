package signin

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// Browser is one worker's, as far as signing in goes.
type Browser interface {
	// SignIn signs in, and returns what the portal then keeps in the browser. It returns a
	// *scrape.SignInError if the portal was asked, and did not sign in.
	SignIn(ctx context.Context) (*browser.State, error)
	// State returns what the portal keeps in the browser, SetState replaces it.
	State(ctx context.Context) (*browser.State, error)
	SetState(ctx context.Context, s *browser.State) error
}

// Config is what a Keeper needs. Its functions may be nil.
type Config struct {
	// Able: there is a way to sign in without a person.
	Able bool
	// Sharing says whose a sign-in is. Where it is empty, the workers share one until that is
	// seen not to last.
	Sharing scrape.LoginSharing
	// State is the sign-in that there is from the start, or nil.
	State *browser.State
	// Hold has no order begun until release is called, with what has changed since.
	Hold func(reason string) (release func(why string))
	// Stop ends the session because of what was seen.
	Stop func(seen string)
	// Keep stores the state of a sign-in. It does not fail: what went wrong is told.
	Keep func(*browser.State)
	// Tell adds to the session's story.
	Tell func(tasks.Event)
}

const (
	// maxBarren is how many sign-ins in a row may succeed without an order getting through, and
	// maxShort how many may end early, before the sign-in is taken to be bound to one browser.
	maxBarren, maxShort = 2, 2
	// maxBroken is how many sign-ins in a row may break off before the portal has judged them.
	maxBroken = 3
)

// Keeper keeps the workers of one portal signed in. When the first meets the wall, it signs
// in while no order is begun; every other gets the sign-in before its next order.
//
// A sign-in is one generation. An order that met the wall of an earlier generation than
// there is now has met nothing: it is released.
type Keeper struct {
	cfg Config

	mu    sync.Mutex
	seats map[Browser]*seat
	// each: workers sign in for themselves.
	each bool
	// generation is that of state, which is the latest sign-in, or nil.
	generation int
	state      *browser.State
	// signing: a sign-in that the others wait for is under way. turn holds a token while any is.
	signing bool
	turn    chan struct{}
	// failed says why no order can be opened any more, or is empty.
	failed string
	// met counts the sign-ins that were made for orders that have not got through since.
	met map[uuid.UUID]int
	// made counts the sign-ins of this run, through the orders that got through in the
	// generation. barren, short and broken count sign-ins in a row.
	made, through, barren, short, broken int
}

// seat is what a Keeper knows of a worker.
type seat struct {
	// entering holds a token while the browser gets a state.
	entering   chan struct{}
	generation int
}

// New returns a Keeper.
func New(cfg Config) *Keeper {
	if cfg.Hold == nil {
		cfg.Hold = func(string) func(string) { return func(string) {} }
	}
	if cfg.Stop == nil {
		cfg.Stop = func(string) {}
	}
	if cfg.Keep == nil {
		cfg.Keep = func(*browser.State) {}
	}
	if cfg.Tell == nil {
		cfg.Tell = func(tasks.Event) {}
	}
	k := &Keeper{cfg: cfg, seats: map[Browser]*seat{}, turn: make(chan struct{}, 1), met: map[uuid.UUID]int{},
		each: cfg.Sharing == scrape.EachLogin, state: cfg.State}
	if k.state != nil {
		k.generation = 1
	}
	return k
}

// Visit is one attempt at an order.
type Visit struct {
	keeper     *Keeper
	browser    Browser
	seat       *seat
	order      uuid.UUID
	generation int
}

// Enter gives the browser the latest sign-in, if it lacks that, and returns the visit of an
// order. It returns a release while another worker signs in, and when none can.
func (k *Keeper) Enter(ctx context.Context, b Browser, task *tasks.ProcessingTask) (*Visit, error) {
	k.mu.Lock()
	s := k.seats[b]
	if s == nil {
		s = &seat{entering: make(chan struct{}, 1)}
		k.seats[b] = s
		if k.each && len(k.seats) > 1 { // the sign-in from the start is the first one's
			s.generation = k.generation
		}
	}
	k.mu.Unlock()
	select {
	case s.entering <- struct{}{}:
		defer func() { <-s.entering }()
	case <-ctx.Done():
		return nil, tasks.Release(tasks.ClassReleased, "the order was given back: %w", context.Cause(ctx))
	}
	k.mu.Lock()
	failed, signing, state, generation := k.failed, k.signing, k.state, k.generation
	lacks := s.generation < generation && (!k.each || s.generation == 0 && generation == 1)
	k.mu.Unlock()
	switch {
	case failed != "":
		return nil, tasks.Release(tasks.ClassReleased, "no order is opened any more: %s", failed)
	case signing:
		return nil, tasks.Release(tasks.ClassReleased, "the order was given back, because another worker signs in")
	case lacks:
		if err := b.SetState(ctx, state); err != nil {
			return nil, k.notGiven(ctx, err)
		}
		k.mu.Lock()
		s.generation = generation
		k.mu.Unlock()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return &Visit{k, b, s, task.ID, s.generation}, nil
}

// notGiven returns the release of an order whose browser did not take the sign-in.
func (k *Keeper) notGiven(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, browser.ErrLost):
		return tasks.Release(tasks.ClassBrowserLost, "the browser was lost before the order was opened: %w", err)
	case ctx.Err() == nil:
		k.mu.Lock()
		defer k.mu.Unlock()
		k.fail("the browser does not take the session state: " + err.Error())
	}
	return tasks.Release(tasks.ClassReleased, "the browser did not get the session state: %w", err)
}

// Leave ends the visit, with what the attempt has come to. If that met a wall, it signs in,
// where it is this worker's to do that, and returns why the attempt does not count; or "" where
// it does. It blocks until then, or until ctx ends.
func (v *Visit) Leave(ctx context.Context, res *tasks.Result, err error) (why string) {
	k := v.keeper
	wall := wallOf(err)
	k.mu.Lock()
	defer k.mu.Unlock()
	if wall == nil && v.generation < v.seat.generation && (err != nil || !res.Outcome.Well()) {
		return "its browser got another sign-in meanwhile"
	}
	if wall == nil {
		if throughTo(res, err) && v.generation == v.seat.generation {
			delete(k.met, v.order)
			k.through++
			k.barren = 0
		}
		return ""
	}
	switch {
	case k.failed != "":
		return "the session stops: " + k.failed
	case k.signing:
		return "another worker signs in"
	case v.generation < v.seat.generation || !k.each && v.generation < k.generation:
		return "it was opened before the latest sign-in"
	case wall.Class == tasks.ClassWall || !k.cfg.Able:
		k.fail(wall.Message)
		return "the session stops, because the wall cannot be passed"
	case k.met[v.order] > 1, k.met[v.order] == 1 && k.through < len(k.seats):
		return "" // signing in does not help this order
	}
	k.met[v.order]++
	return k.renew(ctx, v, wall)
}

// renew signs in, because of a wall that nobody has passed yet. The caller holds k.mu, which
// is let go meanwhile.
func (k *Keeper) renew(ctx context.Context, v *Visit, wall *tasks.Failure) string {
	if why := k.lasted(); why != "" {
		k.fail(why)
		return "the session stops, because signing in does not help"
	}
	k.cfg.Tell(tasks.Event{Type: tasks.EventWallMet, Detail: wall.Message})
	release := func(string) {}
	shared := !k.each
	k.signing = shared
	k.mu.Unlock()
	if shared {
		release = k.cfg.Hold("signing in")
	}
	state, err := k.signIn(ctx, v.browser)
	k.mu.Lock()
	k.signing = false
	if err == nil {
		k.signedIn(v.seat, state)
		k.mu.Unlock()
		k.cfg.Keep(state)
		release("signed in")
		k.mu.Lock()
		return "the worker has signed in since"
	}
	k.met[v.order]--
	why := k.broke(ctx, err)
	k.mu.Unlock()
	release(why) // without k.mu: who is told may ask
	k.mu.Lock()
	return why
}

// signIn signs in with a browser, one at a time.
func (k *Keeper) signIn(ctx context.Context, b Browser) (*browser.State, error) {
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return b.SignIn(ctx)
}

// signedIn notes a new generation. The caller holds k.mu.
func (k *Keeper) signedIn(s *seat, state *browser.State) {
	k.generation++
	s.generation, k.state = k.generation, state
	k.through, k.broken = 0, 0
	k.made++
	k.barren++
	k.cfg.Tell(tasks.Event{Type: tasks.EventLoggedIn, Detail: "signed in at the portal"})
}

// broke judges a sign-in that was not made, and says what follows. The caller holds k.mu.
func (k *Keeper) broke(ctx context.Context, err error) string {
	var refused *scrape.SignInError
	k.broken++
	switch {
	case errors.As(err, &refused):
		k.fail("signing in was not possible: " + refused.Seen)
	case ctx.Err() == nil && !errors.Is(err, browser.ErrLost), k.broken >= maxBroken:
		k.fail(fmt.Sprintf("signing in was not possible: %v", err))
	default:
		return "signing in was broken off, and is tried again: " + err.Error()
	}
	return "the session stops, because signing in was not possible"
}

// lasted looks back at the generation that has just ended. It returns why another sign-in
// would be in vain, or "". The caller holds k.mu.
func (k *Keeper) lasted() string {
	if k.made == 0 {
		return ""
	}
	early := k.through < 2*len(k.seats)
	if !early {
		k.short = 0
		return ""
	}
	k.short++
	if k.short >= maxShort && len(k.seats) > 1 && k.cfg.Sharing == "" && !k.each {
		k.each, k.short, k.barren = true, 0, 0
		clear(k.met)
		k.cfg.Tell(tasks.Event{Type: tasks.EventNotice, Detail: "the portal ends a sign-in that several browsers share: from now on each worker signs in for itself (login.session: each)"})
		return ""
	}
	limit := maxBarren
	if k.each {
		limit = maxBarren * max(len(k.seats), 1)
	}
	if k.barren >= limit {
		return fmt.Sprintf("the portal lets no order through: it was signed in to %d times in a row, and each time the next order met the wall again", k.barren)
	}
	return ""
}

// fail ends the session, once. The caller holds k.mu.
func (k *Keeper) fail(seen string) {
	if k.failed != "" {
		return
	}
	k.failed = seen
	k.cfg.Stop(seen)
}

// Gone is told of a browser that is about to be closed. If it has the latest sign-in, what the portal has
// changed in that is kept, within limit.
func (k *Keeper) Gone(ctx context.Context, b Browser, limit time.Duration) {
	k.mu.Lock()
	s := k.seats[b]
	delete(k.seats, b)
	latest := s != nil && k.state != nil && k.failed == "" && !k.signing && s.generation == k.generation
	k.mu.Unlock()
	if !latest {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	state, err := b.State(ctx)
	if err != nil {
		return // what there is of the sign-in stays as it is
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if s.generation == k.generation {
		k.state = state
	}
}

// Latest returns the latest sign-in, or nil where there is none that lets orders through.
func (k *Keeper) Latest() *browser.State {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failed != "" {
		return nil
	}
	return k.state
}

// wallOf returns the failure of an attempt that met a wall, or nil.
func wallOf(err error) *tasks.Failure {
	var f *tasks.Failure
	if errors.As(err, &f) && (f.Class == tasks.ClassLogin || f.Class == tasks.ClassWall) {
		return f
	}
	return nil
}

// throughTo reports whether an attempt got through to its order.
func throughTo(res *tasks.Result, err error) bool {
	var f *tasks.Failure
	return res != nil || errors.As(err, &f) && (f.Class == tasks.ClassNotFound || f.Class == tasks.ClassAccessDenied)
}
