package signin

import (
	"maps"
	"time"

	"github.com/google/uuid"
)

// asideFor is how long an order waits while another one is tried.
const asideFor = 2 * time.Second

// doubts know whose doing a wall is: the sign-in's, or that of the one order that meets it.
//
// An order that meets the wall although it was signed in to for it, or although others get
// through and nobody can sign in, is set aside. If an order that was opened after that gets
// through with the same sign-in, the wall was its own; if another order meets the wall, it was
// not. Where no other is left, it has to have met it as the first that the sign-in was used for:
// else that may have ended meanwhile.
type doubts struct {
	visits int
	// helped are the orders that were signed in for, and have not got through since.
	helped map[uuid.UUID]bool
	// aside are the orders that are set aside, and own those whose walls are their own.
	aside map[uuid.UUID]wallSeen
	own   map[uuid.UUID]bool
	// walled are the orders that met a wall, and none that was opened after the latest of them
	// has got through. at is how many visits had begun by then.
	walled map[uuid.UUID]bool
	at     int
}

// wallSeen is the wall for which an order was set aside.
type wallSeen struct {
	// generation is that of the sign-in, and first whether nothing else was opened with it before;
	// visits is how many had begun when the wall was seen.
	generation, visits int
	first              bool
}

func newDoubts() doubts {
	return doubts{helped: map[uuid.UUID]bool{}, aside: map[uuid.UUID]wallSeen{}, own: map[uuid.UUID]bool{}, walled: map[uuid.UUID]bool{}}
}

type doing int

const (
	// theSignIn: nobody gets through any more.
	theSignIn doing = iota
	// setAside: it is not known yet.
	setAside
	// itsOwn: the order meets the wall, and others do not.
	itsOwn
)

// next numbers a visit that begins.
func (d *doubts) next() int {
	d.visits++
	return d.visits
}

// met says whose doing a wall is that a visit has met. able: it can be signed in for the order,
// and is if that is what it needs. proven: an order got through since the latest sign-in.
func (d *doubts) met(v *Visit, able, proven bool) doing {
	id := v.order
	d.walled[id], d.at = true, d.visits
	before, wasAside := d.aside[id]
	alone := len(d.walled) == 1
	switch {
	case d.own[id]:
		return itsOwn
	case wasAside && able && alone && before.first: // and no other order could say more
		return itsOwn
	case !wasAside && alone && (able && d.helped[id] || !able && proven):
		d.aside[id] = wallSeen{v.generation, d.visits, v.first}
		return setAside
	}
	clear(d.aside)
	if able {
		d.helped[id] = true
	}
	return theSignIn
}

// notHelped notes that it was not signed in for the visit's order.
func (d *doubts) notHelped(v *Visit) { delete(d.helped, v.order) }

// passed notes that a visit's order got through.
func (d *doubts) passed(v *Visit) {
	delete(d.helped, v.order)
	delete(d.own, v.order)
	if v.seq > d.at {
		clear(d.walled)
	}
	for id, wall := range maps.Clone(d.aside) {
		switch {
		case id == v.order:
			delete(d.aside, id)
		case v.seq > wall.visits && v.generation == wall.generation:
			d.own[id] = true
			delete(d.aside, id)
		}
	}
}

// forget has every order begin anew.
func (d *doubts) forget() {
	visits := d.visits
	*d = newDoubts()
	d.visits = visits
}
