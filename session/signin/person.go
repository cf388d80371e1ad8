package signin

import (
	"fmt"

	"github.com/poscrape/poscrape/tasks"
)

// asks reports whether a person can be asked to sign in. The caller holds k.mu.
func (k *Keeper) asks() bool {
	return k.cfg.Ask != nil && !k.each && (!k.byHand || k.streak.through > 0)
}

// giveUp has a person sign in where that can be, and ends the session otherwise. The caller holds
// k.mu.
func (k *Keeper) giveUp(seen string) Left {
	if k.asks() {
		k.ask(seen)
		return Left{Why: "a person is asked to sign in"}
	}
	if k.byHand && k.streak.through == 0 {
		seen = "the sign-in by hand lets no order through: " + seen
	}
	k.fail(seen)
	return Left{Why: "the session stops, because the wall cannot be passed"}
}

// ask has a person sign in, while no order is begun. The caller holds k.mu.
func (k *Keeper) ask(seen string) {
	k.signing, k.asked = true, true
	k.tell(tasks.EventWallMet, seen)
	k.asking.Add(1)
	address := k.walledAt
	k.later = append(k.later, func() {
		release := k.cfg.Hold("a person has to sign in: " + seen)
		go func() {
			defer k.asking.Done()
			release(k.answered(seen, address))
		}()
	})
}

// answered waits for the person, and returns what has changed then.
func (k *Keeper) answered(seen, address string) string {
	state, err := k.cfg.Ask(seen, address)
	k.mu.Lock()
	defer k.unlock()
	switch {
	case err != nil:
		k.signing, k.asked = false, false
		k.fail(fmt.Sprintf("%s; %v", seen, err))
		return "nobody has signed in"
	case state == nil: // the session ends, and nobody is to sign in any more
		return "the session ends"
	}
	k.signing, k.asked, k.byHand, k.fresh = false, false, true, true
	k.generation++
	k.state = state
	k.streak.signedIn()
	k.doubts.forget()
	k.later = append(k.later, func() { k.cfg.Keep(state) })
	k.tell(tasks.EventLoggedIn, "a person has signed in at the portal")
	return "a person has signed in"
}

// Wait returns when no person is asked any more. Who waits sees to it that Ask returns.
func (k *Keeper) Wait() { k.asking.Wait() }
