package signin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// Visit is one attempt at an order.
type Visit struct {
	keeper     *Keeper
	browser    Browser
	seat       *seat
	order      uuid.UUID
	name       string
	address    string
	generation int
	// seq numbers the visits as they began; first: with its sign-in, none had before.
	seq   int
	first bool
	// held is how much it holds of the gate, until once; alone: all of it. beside: another worker
	// had one meanwhile.
	held          int64
	alone, beside bool
	once          sync.Once
}

// Left is what the end of a visit means for its attempt.
type Left struct {
	// Why the attempt does not count, or "" where it does; After is how long the order waits
	// then.
	Why   string
	After time.Duration
	// Outage is set where the portal's sign-in page is down.
	Outage *tasks.Failure
	// Looks are what selectors of the recipe met while somebody signed in.
	Looks []tasks.Look
}

// Explain returns the failure of the attempt as far as the sign-in explains it.
func (l Left) Explain(err error) error {
	f := *tasks.AsFailure(err)
	if l.Outage != nil {
		f = *l.Outage
	}
	f.After, f.Looks = max(f.After, l.After), slices.Concat(f.Looks, l.Looks)
	return &f
}

// Leave ends the visit, with what the attempt has come to. If that met a wall, it signs in,
// where it is this worker's to do that. It blocks until then, or until ctx ends.
func (v *Visit) Leave(ctx context.Context, res *tasks.Result, err error) Left {
	v.End()
	k := v.keeper
	wall := wallOf(err)
	k.mu.Lock()
	defer k.unlock()
	switch {
	case wall == nil && v.generation < v.seat.generation && (err != nil || !res.Outcome.Well()):
		return Left{Why: "its browser got another sign-in meanwhile"}
	case wall == nil:
		if throughTo(res, err) {
			k.passed(v)
		}
		return Left{}
	case k.failed != "":
		return Left{Why: "the session stops: " + k.failed}
	case k.signing:
		return Left{Why: "another worker signs in"}
	case v.seat.signing:
		return Left{Why: "its worker signs in, because of another order"}
	case v.generation < v.seat.generation || !k.each && v.generation < k.generation:
		return Left{Why: "it was opened before the latest sign-in"}
	}
	return k.walled(ctx, v, wall)
}

// passed notes an order that got through. The caller holds k.mu.
func (k *Keeper) passed(v *Visit) {
	if v.generation != v.seat.generation || !k.each && v.generation != k.generation {
		return
	}
	v.seat.through++
	k.lastsAlone(v.seat)
	k.streak.passed()
	k.doubts.passed(v)
}

// walled says what follows from a wall of the latest sign-in. The caller holds k.mu, which is
// let go while somebody signs in.
func (k *Keeper) walled(ctx context.Context, v *Visit, wall *tasks.Failure) Left {
	k.walledAt = v.address
	able := k.cfg.Able && wall.Class == tasks.ClassLogin
	proven := k.streak.through > 0
	switch doing := k.doubts.met(v, able, proven); {
	case doing == itsOwn:
		return Left{}
	case doing == setAside:
		return Left{Why: "other orders get through, so one of them is tried first", After: asideFor}
	case !able:
		return k.giveUp(v.name + ": " + wall.Message)
	}
	if why := k.lasted(v.seat); why != "" {
		k.fail(why)
		return Left{Why: "the session stops, because signing in does not help"}
	}
	k.tell(tasks.EventWallMet, wall.Message)
	return k.renew(ctx, v)
}

// renew signs in. The caller holds k.mu, which is let go meanwhile.
func (k *Keeper) renew(ctx context.Context, v *Visit) Left {
	release := func(string) {}
	shared := !k.each
	k.signing, v.seat.signing = shared, true
	k.unlock()
	if shared {
		release = k.cfg.Hold("signing in")
	}
	left := k.signIn(ctx, v)
	why := left.Why
	if why == "" {
		why, left.Why = "signed in", "the worker has signed in since"
	}
	release(why)
	k.mu.Lock()
	return left
}

// signIn signs in with the visit's browser, one at a time, and says what came of it: no Why
// is a sign-in.
func (k *Keeper) signIn(ctx context.Context, v *Visit) Left {
	letGo, err := take(ctx, v.seat.entering, k.turn)
	if err != nil {
		k.mu.Lock()
		defer k.unlock()
		k.signing, v.seat.signing = false, false
		k.doubts.notHelped(v)
		return Left{Why: "it was not this worker's turn to sign in before the attempt ended"}
	}
	defer letGo()
	state, looks, err := v.browser.SignIn(ctx)
	k.mu.Lock()
	defer k.unlock()
	k.signing, v.seat.signing = false, false
	if err != nil {
		k.doubts.notHelped(v)
		left := k.broke(err)
		left.Looks = looks
		return left
	}
	k.generation++
	v.seat.generation, v.seat.own = k.generation, own{made: true}
	k.fresh, k.byHand = true, false
	k.state = state
	k.streak.signedIn()
	k.later = append(k.later, func() { k.cfg.Keep(state) })
	k.tell(tasks.EventLoggedIn, "signed in at the portal")
	return Left{Looks: looks}
}

// take puts a token into each channel, in their order, and returns what takes them out again. It
// returns ctx's error where that ends before.
func take(ctx context.Context, tokens ...chan struct{}) (letGo func(), err error) {
	taken := 0
	letGo = func() {
		for _, token := range tokens[:taken] {
			<-token
		}
	}
	for _, token := range tokens {
		select {
		case token <- struct{}{}:
			taken++
		case <-ctx.Done():
			letGo()
			return nil, ctx.Err()
		}
	}
	return letGo, nil
}

// broke judges a sign-in that was not made. The caller holds k.mu.
func (k *Keeper) broke(err error) Left {
	var refused *scrape.SignInError
	var outage *scrape.OutageError
	switch {
	case errors.As(err, &refused):
		return k.giveUp("signing in was not possible: " + refused.Seen)
	case errors.As(err, &outage) && !outage.Sent:
		return Left{Why: "nobody can sign in: " + outage.Failure.Message, Outage: outage.Failure}
	}
	if k.streak.broken++; k.streak.broken >= maxBroken {
		k.fail(fmt.Sprintf("signing in broke off %d times in a row: %v", k.streak.broken, err))
		return Left{Why: "the session stops, because signing in was not possible"}
	}
	left := Left{Why: "signing in was broken off, and is tried again: " + err.Error()}
	if outage != nil {
		left.Outage = outage.Failure
	}
	return left
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
