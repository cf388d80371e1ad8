package signin

import (
	"fmt"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// maxVain is how many sign-ins in a row may be made without an order getting through, and
	// maxBrief how many may be good for one at most.
	maxVain, maxBrief = 2, 10
	// maxShort is how many shared ones in a row may be good for one order of each worker at
	// most, before a sign-in is taken to be bound to one browser.
	maxShort = 2
	// maxBroken is how many sign-ins in a row may break off before the portal has judged them.
	maxBroken = 3
)

// streak counts sign-ins in a row.
type streak struct {
	// made: there was one in this run.
	made bool
	// through counts the orders that got through since the latest sign-in.
	through                    int
	vain, brief, short, broken int
}

func (s *streak) passed() {
	s.through++
	s.vain = 0
}

func (s *streak) signedIn() { s.made, s.through, s.broken = true, 0, 0 }

// lasted looks back at the sign-in that has just ended. It returns why another one would be in
// vain, or "". The caller holds k.mu.
func (k *Keeper) lasted(seat *seat) string {
	s, workers := &k.streak, len(k.seats)
	made, through := s.made, s.through
	if k.each {
		made, through = seat.made, seat.through
	}
	if !made {
		return ""
	}
	k.makeRoom(through)
	count := func(n *int, again bool) {
		if *n++; !again {
			*n = 0
		}
	}
	count(&s.vain, through == 0)
	count(&s.brief, through <= 1)
	count(&s.short, through <= workers)
	switch {
	case s.short >= maxShort && workers > 1 && k.cfg.Sharing == "" && !k.each:
		*s, k.each, k.unproven, k.sharable = streak{}, true, 2*workers, through > 0
		k.doubts.forget()
		return ""
	case s.vain >= maxVain && k.each && k.sharable:
		*s, k.each, k.unproven, k.cfg.Sharing = streak{}, false, 0, scrape.SharedLogin
		k.doubts.forget()
		k.tell(tasks.EventNotice, "sign-ins of single workers let no order through, and the one that they shared did, so they share one again; say so in the recipe (login.session: shared)")
		return ""
	case s.vain >= maxVain:
		return fmt.Sprintf("the portal lets no order through: it was signed in to %d times in a row, and each time the next order met the wall again%s", s.vain, k.hint())
	case s.brief >= maxBrief:
		return fmt.Sprintf("the portal has ended %d sign-ins in a row after one order at most; more of them could lock the account%s", s.brief, k.hint())
	}
	return ""
}

// lastsAlone tells that sharing was why sign-ins ended, once one of a single browser has lasted
// clearly longer: others are good for few orders, whoever has them. The caller holds k.mu.
func (k *Keeper) lastsAlone(seat *seat) {
	if k.unproven > 0 && seat.through > k.unproven {
		k.unproven = 0
		k.tell(tasks.EventNotice, "the portal ends a sign-in that several browsers share, so each worker signs in for itself; say so in the recipe (login.session: each)")
	}
}

// hint says what in the recipe may be why sign-ins do not last.
func (k *Keeper) hint() string {
	switch {
	case len(k.seats) < 2 || k.cfg.Sharing == "":
		return ""
	case k.each:
		return " (login.session is each: does the portal allow one sign-in only?)"
	}
	return " (login.session is shared: does the portal change its cookie with every page?)"
}
