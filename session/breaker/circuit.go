package breaker

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

const (
	// checkEvery is how often an open host that could not be connected to is
	// checked.
	checkEvery = 2 * time.Second
	// minProbe and maxProbe bound the time between two probes with an order.
	minProbe, maxProbe = 15 * time.Second, time.Minute
	// maxAskedWait bounds the wait before a probe that the host itself asks for,
	// as tasks.DefaultPolicy does that of an order.
	maxAskedWait = 5 * time.Minute
	// differentOrders is how many orders must have met the same trouble before
	// it is taken for the host's where nothing else says so.
	differentOrders = 5
	// refusalWindow is of how many orders of a host the last attempts count; it is taken to refuse when refusalShare of these were refused, at
	// least refusedOrders, and none ended well.
	refusalWindow, refusedOrders = 40, 25
	refusalShare                 = 0.95
	// maxDoubts is how often an order may be spared its last attempt while it
	// is not clear yet whose trouble it is.
	maxDoubts = 2
)

// trust says whether a plain connection from here tells anything about a host.
// Where Chrome goes another way than this program (a system's own proxy), it
// does not.
type trust int

const (
	trustUnknown trust = iota
	trustYes
	trustNo
)

// circuit is what the breaker knows of one host. It has no lock and no clock.
type circuit struct {
	// host and port as people write them, the address to connect to, and the
	// host's root as an URL.
	host, address, site string
	// portal is that of its orders; several hosts can be of one.
	portal string
	state  state
	// work is how many of its orders have not ended, orders how many there were.
	work, orders int
	// told is until when it was told that it is left alone.
	told time.Time
	// asked: an order of it was tried; failed counts the latest attempts in a row that failed for
	// the sake of the setting.
	asked   bool
	setting tasks.Setting
	failed  int
	// answered: it has answered an order, in this run or one before.
	answered bool
	dialling trust
	// proven: an order has ended well in this run.
	proven bool
	// unreached are the orders that had no answer since the last that had one,
	// refused those that were refused since the last that was not.
	unreached, refused map[uuid.UUID]bool
	window             []windowed

	// What follows counts while it is not closed: since when, whether it is
	// refusals that opened it or no answer at all, whether nobody can sign in, whether it could be connected
	// to when that was last tried, and when the next order may try.
	since     time.Time
	refuses   bool
	barred    bool
	reachable bool
	nextProbe time.Time
	// last is what was seen last, "connection refused".
	last string
}

// windowed is the last attempt at one order, in the window of the last orders.
type windowed struct {
	order         uuid.UUID
	refused, well bool
}

func newCircuit(host, address, site string) *circuit {
	return &circuit{host: host, address: address, site: site, state: stateClosed, unreached: map[uuid.UUID]bool{}, refused: map[uuid.UUID]bool{}}
}

// open lets no more orders go, for a new reason or again.
func (c *circuit) open(now time.Time, s sign, reachable bool) {
	again := c.state == stateHalfOpen
	if !c.become(stateOpen) {
		return
	}
	if !again {
		c.since = now
	}
	c.refuses, c.barred, c.reachable, c.last = s.kind == signRefused, s.barred, reachable, s.text
	c.nextProbe = now.Add(max(c.interval(now), min(s.after, maxAskedWait)))
}

// shut lets all orders go again.
func (c *circuit) shut() {
	if c.become(stateClosed) {
		c.window = nil
		clear(c.unreached)
		clear(c.refused)
	}
}

// interval is the time between two probes now: it grows with the time for which
// the host has been open.
func (c *circuit) interval(now time.Time) time.Duration {
	return min(max(now.Sub(c.since)/2, minProbe), maxProbe)
}

// due reports whether an order may go as a probe. One that would only find again
// what a plain connection finds in less time is spared.
func (c *circuit) due(now time.Time) bool {
	return c.state == stateOpen && !now.Before(c.nextProbe) && (c.reachable || c.refuses || c.dialling != trustYes)
}

// checked notes whether the host could be connected to. When it can be
// again, an order may try at once.
func (c *circuit) checked(now time.Time, reached bool) {
	if reached {
		c.dialling = trustYes
	}
	if c.state == stateOpen && reached && !c.reachable && !c.refuses {
		c.nextProbe = now
	}
	c.reachable = reached
}

// untilProbe is how long an order of this host need not come again.
func (c *circuit) untilProbe(now time.Time) time.Duration {
	if wait := c.nextProbe.Sub(now); wait > 0 {
		return min(wait, maxProbe)
	}
	return c.interval(now)
}

// note adds an attempt to the window, in place of the order's last one: else a
// slow portal would fill it with the retries of a few orders.
func (c *circuit) note(w windowed) {
	if w.refused {
		c.refused[w.order] = true
	} else {
		clear(c.refused)
	}
	c.proven = c.proven || w.well
	c.window = append(slices.DeleteFunc(c.window, func(o windowed) bool { return o.order == w.order }), w)
	if over := len(c.window) - refusalWindow; over > 0 {
		c.window = slices.Delete(c.window, 0, over)
	}
}

// refusing reports whether nearly all of the last orders were refused.
func (c *circuit) refusing() bool {
	refused := 0
	for _, w := range c.window {
		if w.well {
			return false
		}
		if w.refused {
			refused++
		}
	}
	return refused >= refusedOrders && float64(refused) >= refusalShare*float64(len(c.window))
}
