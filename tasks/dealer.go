package tasks

import (
	"maps"
	"slices"
)

// Dealer deals tasks to workers in turn: the book-keeping of RoundRobin, for
// those who write a TaskQueue. Tasks go by their number in the queue. A worker
// that is not listed any more, or shows no sign of life, loses its tasks to the
// others. The zero value is ready; it is not safe for concurrent use.
type Dealer struct {
	seats []string
	turn  int
	dealt map[int64]string
	// quiet counts for each worker the calls of Check in a row that did not see it.
	quiet map[string]int
}

// Seat replaces the seats by the list of the worker that asks, and adds a seat for
// that worker if the list has none. It reports whether the seats have changed.
func (d *Dealer) Seat(worker string, workers []string) bool {
	delete(d.quiet, worker)
	seats := slices.Clone(workers)
	if !slices.Contains(seats, worker) {
		seats = append(seats, worker)
	}
	if slices.Equal(d.seats, seats) {
		return false
	}
	d.seats = seats
	maps.DeleteFunc(d.dealt, func(_ int64, w string) bool { return !slices.Contains(seats, w) })
	return true
}

// Join gives a worker that waits a seat behind the others, unless it has one.
func (d *Dealer) Join(worker string) {
	if !slices.Contains(d.seats, worker) {
		d.seats = append(d.seats, worker)
	}
}

// Deal returns the worker whose turn the task is, and keeps to it from then on.
func (d *Dealer) Deal(seq int64) string {
	if worker, ok := d.dealt[seq]; ok {
		return worker
	}
	for range d.seats {
		worker := d.seats[d.turn%len(d.seats)]
		d.turn++
		if d.quiet[worker] < maxMissed {
			if d.dealt == nil {
				d.dealt = make(map[int64]string)
			}
			d.dealt[seq] = worker
			return worker
		}
	}
	return ""
}

// Forget drops a task that was claimed: it is dealt anew if it comes back.
func (d *Dealer) Forget(seq int64) { delete(d.dealt, seq) }

// Check looks which workers show a sign of life: they hold a lease or wait for
// a task. One that did not during two calls in a row loses its tasks and its
// turn until it asks again. Check reports whether tasks came free so.
func (d *Dealer) Check(alive map[string]bool) bool {
	lost := make(map[string]bool)
	for _, worker := range d.seats {
		if alive[worker] {
			delete(d.quiet, worker)
			continue
		}
		if d.quiet == nil {
			d.quiet = make(map[string]int)
		}
		d.quiet[worker]++
		lost[worker] = d.quiet[worker] == maxMissed
	}
	before := len(d.dealt)
	maps.DeleteFunc(d.dealt, func(_ int64, w string) bool { return lost[w] })
	return len(d.dealt) < before
}
