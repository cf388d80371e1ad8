// Package drift notices that a portal has changed: that a place of the recipe which has met
// something on nearly every order meets nothing any more, or that what is read there has another
// shape. It compares the latest orders with all before them, and with those of an earlier session
// as far as they were read by the same selectors. It does no I/O, decides nothing, and knows
// nothing of browsers.
//
// Each order says something of each place, yes or no: a signal. Where nearly all have said the
// same, a run of orders that say the other is a change as soon as chance explains it no more.
// But orders are not drawn by chance: a sheet may be sorted by supplier, and some suppliers have
// no contract, or a digit in their names. So orders are grouped, by their supplier or, in questions
// about what a text looks like, by that text. In a run, each order counts whose group has said
// the usual before; of a group that has not, all orders count as one.
//
//	steady --(a run that chance does not explain)--> changed, which is told once
package drift

import (
	"cmp"
	"math"
	"slices"
)

const (
	// least is how many orders must have said something of a place before a change there can be
	// told.
	least = 5
	// chance is how probable a run may be where nothing has changed. A recipe has some fifty
	// signals, and a session may have thousands of orders.
	chance = 1e-6
	// common is how many of the orders must have said the same.
	common = 0.75
	// shortest is how long a run must be.
	shortest = 4
	// remembered is how many orders of a run are named.
	remembered = 5
	// mostGroups bounds how many groups are known of a signal.
	mostGroups = 2000
)

// Change is one that is told.
type Change struct {
	// Where is the place in the recipe, as in tasks.Look without ".selector".
	Where string
	// Says is what of it has changed, with how many orders: "met nothing on the last 5 orders, and
	// something on 20 of 20 before".
	Says string
	// Orders are the last in the run, the latest last.
	Orders []string
}

// Watch watches the orders of one portal. It is used by one goroutine at a time.
type Watch struct {
	signals map[key]*signal
	most    map[string]int
	last    map[string]string
	seen    map[string]bool
}

// key names a signal: what is asked of a place.
type key struct{ where, asks string }

// tally counts those that have said yes, and no.
type tally struct{ yes, no int }

func (t *tally) add(yes bool, n int) {
	if yes {
		t.yes += n
	} else {
		t.no += n
	}
}

// odd is how probable it is, after all that was said, that the next says the unusual.
func (t tally) odd(usual bool) float64 {
	odd := t.no
	if !usual {
		odd = t.yes
	}
	return (float64(odd) + 1) / (float64(t.yes+t.no) + 2)
}

// signal is what orders have said of a place.
type signal struct {
	// orders and groups count those before the run, known are the groups' answers.
	orders, groups tally
	known          map[string]tally
	// run are the orders that say, one after the other, what few have said before. Of those,
	// flipped are in groups that have said the usual, and strange are the other groups.
	run     []string
	flipped int
	strange map[string]bool
	// longest is the longest such run before, as evidence.
	longest int
	told    bool
}

// New returns a Watch that has seen nothing.
func New() *Watch {
	return &Watch{signals: map[key]*signal{}, most: map[string]int{}, last: map[string]string{}, seen: map[string]bool{}}
}

// Remember takes in an order of before, of which nothing is told.
func (w *Watch) Remember(o Order) {
	for _, a := range w.answers(o) {
		s := w.signal(a.key)
		s.take(o.Name, a)
		s.rest()
	}
}

// Begin separates what was remembered from the session's own orders: the runs of then are over.
func (w *Watch) Begin() {
	clear(w.last)
	clear(w.seen)
}

// See takes in an order, and returns what has changed by it. An order that is read again counts
// once.
func (w *Watch) See(o Order) (changes []Change) {
	if w.seen[o.Name] {
		return nil
	}
	w.seen[o.Name] = true
	for _, a := range w.answers(o) {
		s := w.signal(a.key)
		s.take(o.Name, a)
		if !s.changed(a) {
			continue
		}
		s.told = true
		latest := s.run[max(0, len(s.run)-remembered):]
		changes = append(changes, Change{Where: a.where, Says: a.says(len(s.run), s.major(), s.all()), Orders: slices.Clone(latest)})
	}
	return changes
}

func (w *Watch) signal(k key) *signal {
	s := w.signals[k]
	if s == nil {
		s = &signal{known: map[string]tally{}, strange: map[string]bool{}}
		w.signals[k] = s
	}
	return s
}

// usual is what most orders have said.
func (s *signal) usual() bool { return s.orders.yes >= s.orders.no }

// major is how many orders have said it.
func (s *signal) major() int { return max(s.orders.yes, s.orders.no) }

func (s *signal) all() int { return s.orders.yes + s.orders.no }

// evidence is how long the run is.
func (s *signal) evidence() int { return s.flipped + len(s.strange) }

// take counts what an order says.
func (s *signal) take(name string, a answer) {
	if s.all() == 0 || a.yes == s.usual() {
		s.rest()
		s.orders.add(a.yes, 1)
		s.know(a.group, a.yes)
		return
	}
	s.run = append(s.run, name)
	before := s.known[a.group]
	switch usually := before.yes > 0 && s.usual() || before.no > 0 && !s.usual(); {
	case usually:
		s.flipped++
	default:
		s.strange[a.group] = true
	}
}

// know notes what a group has said.
func (s *signal) know(group string, yes bool) {
	before, there := s.known[group]
	if yes && before.yes == 0 || !yes && before.no == 0 {
		s.groups.add(yes, 1)
	}
	if before.add(yes, 1); there || len(s.known) < mostGroups {
		s.known[group] = before
	}
}

// rest ends the run: what it said was the exception.
func (s *signal) rest() {
	if len(s.run) == 0 {
		return
	}
	unusual := !s.usual()
	s.longest = max(s.longest, s.evidence())
	s.orders.add(unusual, len(s.run))
	for group := range s.strange {
		s.know(group, unusual)
	}
	s.run, s.flipped, s.told = nil, 0, false
	clear(s.strange)
}

// changed reports whether the run is one that chance does not explain.
func (s *signal) changed(a answer) bool {
	if s.told || len(s.run) == 0 || s.all() < least || float64(s.major()) < common*float64(s.all()) || a.oneWay && !s.usual() {
		return false
	}
	likely := float64(s.flipped)*math.Log(s.orders.odd(s.usual())) + float64(len(s.strange))*math.Log(s.groups.odd(s.usual()))
	return s.evidence() >= shortest && s.evidence() > 2*s.longest && likely < math.Log(chance)
}

// Sort puts changes in the order of their places.
func Sort(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.Where, b.Where) })
}
