package signin

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// Browser is one worker's, as far as signing in goes.
type Browser interface {
	// SignIn signs in, and returns what the portal then keeps in the browser, and what was
	// looked for meanwhile. It returns a
	// *scrape.SignInError if the portal was asked, and did not sign in, and a
	// *scrape.OutageError if its sign-in page is down.
	SignIn(ctx context.Context) (*browser.State, []tasks.Look, error)
	// State returns what the portal keeps in the browser, SetState replaces it.
	State(ctx context.Context) (*browser.State, error)
	SetState(ctx context.Context, s *browser.State) error
}

// Config is what a Keeper needs. Its functions may be nil. They are called without a lock, so
// they may ask the Keeper.
type Config struct {
	// Able: there is a way to sign in without a person.
	Able bool
	// Sharing says whose a sign-in is. Where it is empty, the workers share one until that is
	// seen not to last.
	Sharing scrape.LoginSharing
	// State is the sign-in that there is from the start, or nil.
	State *browser.State
	// Copied: the browsers begin with the cookies of one profile.
	Copied bool
	// Remembers reports whether the portal may keep, with a sign-in, which order was opened last.
	Remembers func() bool
	// Hold has no order begun until release is called, with what has changed since.
	Hold func(reason string) (release func(why string))
	// Ask has a person sign in because of what was seen at an order's address, which may be empty,
	// and returns the state of that: nil where the session ends meanwhile, or an error. It blocks
	// until then. Without it nobody is asked. It is not used where the workers sign in each for
	// itself.
	Ask func(seen, address string) (*browser.State, error)
	// Stop ends the session because of what was seen, at the address of the order that met the
	// wall last; it is empty where none has.
	Stop func(seen, address string)
	// Keep stores the state of a sign-in. It does not fail: what went wrong is told.
	Keep func(*browser.State)
	// Tell adds to the session's story.
	Tell func(tasks.Event)
}

// Keeper keeps the workers of one portal signed in. When the first meets the wall, it signs
// in while no order is begun; every other gets the sign-in before its next order.
//
// A sign-in is one generation. An order that met the wall of an earlier generation than
// there is now has met nothing: it is released.
type Keeper struct {
	cfg Config

	mu sync.Mutex
	// later is what has to be told as soon as mu is let go.
	later []func()
	seats map[Browser]*seat
	// each: workers sign in for themselves. free are the sign-ins of those that are gone, the
	// latest last. sharable: the last one that they shared let orders through.
	each, sharable bool
	free           []own
	// unproven is how many orders one browser's sign-in must outlast before it is said that
	// sharing ended those before, or 0.
	unproven int
	// generation is that of state, which is the latest sign-in, or nil; fresh: no order was
	// opened with it.
	generation int
	fresh      bool
	state      *browser.State
	// signing: a sign-in that the others wait for is under way. turn holds a token while any is.
	signing bool
	// asked: a person is to sign in, and has not done so.
	asked bool
	turn  chan struct{}
	// gate is held by the visits, all of it by one that is alone. narrow: a worker has one order
	// at a time; cramped: all of them together have.
	gate            *semaphore.Weighted
	narrow, cramped bool
	// open are the visits in progress.
	open map[*Visit]bool
	// walledAt is the address of the order that met the wall last.
	walledAt string
	// failed says why no order can be opened any more, or is empty.
	failed string
	doubts doubts
	streak streak
	// asking is a person who is asked to sign in; byHand: the latest sign-in is a person's.
	asking sync.WaitGroup
	byHand bool
}

// seat is what a Keeper knows of a worker.
type seat struct {
	// entering holds a token while the browser gets a state, or its worker signs in for itself:
	// signing.
	entering   chan struct{}
	signing    bool
	generation int
	own
}

// own is a sign-in of one worker.
type own struct {
	state *browser.State // where no browser has it
	// made: in this run. through counts the orders that got through with it.
	made    bool
	through int
}

// New returns a Keeper.
func New(cfg Config) *Keeper {
	if cfg.Remembers == nil {
		cfg.Remembers = func() bool { return false }
	}
	if cfg.Hold == nil {
		cfg.Hold = func(string) func(string) { return func(string) {} }
	}
	if cfg.Stop == nil {
		cfg.Stop = func(_, _ string) {}
	}
	if cfg.Keep == nil {
		cfg.Keep = func(*browser.State) {}
	}
	if cfg.Tell == nil {
		cfg.Tell = func(tasks.Event) {}
	}
	k := &Keeper{cfg: cfg, seats: map[Browser]*seat{}, open: map[*Visit]bool{}, turn: make(chan struct{}, 1), gate: semaphore.NewWeighted(everyone), doubts: newDoubts(), each: cfg.Sharing == scrape.EachLogin}
	switch {
	case cfg.State == nil:
	case k.each:
		k.free = []own{{state: cfg.State}}
	default:
		k.state, k.generation = cfg.State, 1
	}
	return k
}

// unlock lets k.mu go, and tells what was to be told.
func (k *Keeper) unlock() {
	later := k.later
	k.later = nil
	k.mu.Unlock()
	for _, do := range later {
		do()
	}
}

// tell adds to the session's story, soon. The caller holds k.mu.
func (k *Keeper) tell(kind, detail string) {
	k.later = append(k.later, func() { k.cfg.Tell(tasks.Event{Type: kind, Detail: detail}) })
}

// fail ends the session, once. The caller holds k.mu.
func (k *Keeper) fail(seen string) {
	if k.failed != "" {
		return
	}
	k.failed = seen
	address := k.walledAt
	k.later = append(k.later, func() { k.cfg.Stop(seen, address) })
}

// Enter gives the browser the latest sign-in, if it lacks that, and returns the visit of an
// order, which Leave or End ends. It returns a release while another worker signs in, and when
// none can. It blocks while the browser's own worker signs in, and while the order has to be
// read alone, or another one has.
func (k *Keeper) Enter(ctx context.Context, b Browser, task *tasks.ProcessingTask) (*Visit, error) {
	k.mu.Lock()
	s := k.seats[b]
	if s == nil {
		s = &seat{entering: make(chan struct{}, 1)}
		k.seats[b] = s
	}
	k.unlock()
	held, alone, err := k.queue(ctx)
	if err != nil {
		return nil, err
	}
	v := &Visit{keeper: k, browser: b, seat: s, order: task.ID, name: task.Name(), address: task.URL, held: held, alone: alone}
	if err := v.enter(ctx); err != nil {
		v.End()
		return nil, err
	}
	return v, nil
}

// enter begins the visit once the gate is open.
func (v *Visit) enter(ctx context.Context) error {
	k, s := v.keeper, v.seat
	select {
	case s.entering <- struct{}{}:
		defer func() { <-s.entering }()
	case <-ctx.Done():
		return tasks.Release(tasks.ClassReleased, "the order was given back: %w", context.Cause(ctx))
	}
	k.mu.Lock()
	failed, signing := k.failed, k.signing
	k.unlock()
	switch {
	case failed != "":
		return tasks.Release(tasks.ClassReleased, "no order is opened any more: %s", failed)
	case signing:
		return tasks.Release(tasks.ClassReleased, "the order was given back, because another worker signs in")
	}
	if err := k.give(ctx, v.browser, s); err != nil {
		return k.notGiven(ctx, err)
	}
	k.mu.Lock()
	defer k.unlock()
	v.generation, v.seq = s.generation, k.doubts.next()
	v.first = k.fresh && s.generation == k.generation
	k.fresh = k.fresh && !v.first
	k.began(v)
	return nil
}

// give gives the browser the sign-in that it lacks, if there is one.
func (k *Keeper) give(ctx context.Context, b Browser, s *seat) error {
	k.mu.Lock()
	given, generation := own{state: k.state}, k.generation
	switch n := len(k.free); {
	case k.each && s.generation == 0 && n > 0:
		given, generation = k.free[n-1], 1
		k.free = k.free[:n-1]
	case k.each || s.generation == generation:
		given = own{}
	}
	k.unlock()
	if given.state == nil {
		return nil
	}
	err := b.SetState(ctx, given.state)
	k.mu.Lock()
	defer k.unlock()
	switch {
	case err == nil:
		s.generation, s.own = generation, given
	case k.each:
		k.free = append(k.free, given)
	}
	return err
}

// notGiven returns the release of an order whose browser did not take the sign-in.
func (k *Keeper) notGiven(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, browser.ErrLost):
		return tasks.Release(tasks.ClassBrowserLost, "the browser was lost before the order was opened: %w", err)
	case ctx.Err() == nil:
		k.mu.Lock()
		k.fail("the browser does not take the session state: " + err.Error())
		k.unlock()
	}
	return tasks.Release(tasks.ClassReleased, "the browser did not get the session state: %w", err)
}

// Gone is told of a browser that is about to be closed. What the portal has changed in its
// sign-in is kept, unless reading that takes longer than limit; with a limit of 0 it is not read.
func (k *Keeper) Gone(ctx context.Context, b Browser, limit time.Duration) {
	k.mu.Lock()
	s := k.seats[b]
	delete(k.seats, b)
	latest := s != nil && s.generation > 0 && k.failed == "" && !k.signing && (k.each || s.generation == k.generation)
	k.unlock()
	if !latest || limit <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	state, err := b.State(ctx)
	if err != nil {
		return // what there is of the sign-in stays as it is
	}
	k.mu.Lock()
	defer k.unlock()
	switch {
	case k.each:
		k.free = append(k.free, own{state, s.made, s.through})
	case s.generation == k.generation:
		k.state = state
	}
}

// Latest returns the latest sign-in, or nil where there is none that lets orders through.
func (k *Keeper) Latest() *browser.State {
	if all := k.SignIns(); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// SignIns returns the sign-ins that let orders through and are in no worker's browser, the
// latest last.
func (k *Keeper) SignIns() []*browser.State {
	k.mu.Lock()
	defer k.unlock()
	var all []*browser.State
	switch {
	case k.failed != "" || k.asked: // or nothing that lets orders through is known while a person is asked
	case k.each && len(k.free) > 0:
		for _, o := range k.free {
			all = append(all, o.state)
		}
	case k.state != nil:
		all = append(all, k.state)
	}
	return all
}
