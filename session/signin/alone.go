package signin

import (
	"context"
	"time"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// everyone is more than there are visits at once: so many units of the gate are all of it.
	everyone = 1 << 16
	// leases is more than one worker has at once.
	leases = 8
)

// Narrow reports whether a worker is to have one order at a time, because the portal has ended
// a sign-in after few: those that are read beside others when it ends are read in vain.
func (k *Keeper) Narrow() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.narrow
}

// makeRoom looks at how many orders the sign-in that has just ended let through. The caller
// holds k.mu.
func (k *Keeper) makeRoom(through int) {
	workers := len(k.seats)
	k.narrow = through <= leases*workers
	k.cramped = through == 0 || k.cramped && through <= 2*workers
}

// shared reports whether the portal may take several browsers for one. One that knows nobody may tell
// visitors apart by less than their browsers. The caller holds k.mu.
func (k *Keeper) shared() bool { return !k.each && len(k.seats) > 1 }

// queue waits until the order may be opened: as soon as none is that has the portal to itself, or,
// if this one is to have that, as soon as no other is open. It returns how much of the gate it
// holds, and whether that is all of it.
func (k *Keeper) queue(ctx context.Context) (held int64, alone bool, err error) {
	remembers := k.cfg.Remembers()
	k.mu.Lock()
	alone = k.shared() && (remembers || k.cramped)
	k.mu.Unlock()
	if held = 1; alone {
		held = everyone
	}
	waiting := ctx
	if deadline, bounded := ctx.Deadline(); bounded {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, time.Until(deadline)/4)
		defer cancel()
	}
	if err := k.gate.Acquire(waiting, held); err != nil {
		return 0, false, tasks.Release(tasks.ClassReleased, "the order was given back: another one has the portal to itself")
	}
	return held, alone, nil
}

// began notes the visits that are beside each other. The caller holds k.mu.
func (k *Keeper) began(v *Visit) {
	for other := range k.open {
		if other.seat != v.seat {
			other.beside, v.beside = true, true
		}
	}
	k.open[v] = true
}

// End lets other orders be opened. It may be called again.
func (v *Visit) End() {
	v.once.Do(func() {
		v.keeper.mu.Lock()
		delete(v.keeper.open, v)
		v.keeper.mu.Unlock()
		v.keeper.gate.Release(v.held)
	})
}

// Context returns ctx as one for reading the order: it says which orders share a sign-in with it.
func (v *Visit) Context(ctx context.Context) context.Context {
	k := v.keeper
	return scrape.WithSignIn(ctx, func() any {
		k.mu.Lock()
		defer k.mu.Unlock()
		switch {
		case k.each:
			return v.seat
		case v.beside:
			return nil
		}
		return k
	})
}
