package session

import "slices"

// breakerState says whether orders go to a host.
//
//	CLOSED --> OPEN --> HALF_OPEN --> CLOSED   the host answers an order again
//	            |  ^        |
//	            |  +--------+                  it does not
//	            +--> GIVEN_UP                  nor in all the time it was given
type breakerState string

const (
	// breakerClosed: orders go. Trouble that is not theirs moves it on.
	breakerClosed breakerState = "CLOSED"
	// breakerOpen: no order goes. The next probe moves it on, or the end of the
	// patience.
	breakerOpen breakerState = "OPEN"
	// breakerHalfOpen: one order goes, as a probe. What it meets moves it on.
	breakerHalfOpen breakerState = "HALF_OPEN"
	// breakerGivenUp: no order goes any more in this run.
	breakerGivenUp breakerState = "GIVEN_UP"
)

var breakerTransitions = map[breakerState][]breakerState{
	breakerClosed:   {breakerOpen},
	breakerOpen:     {breakerHalfOpen, breakerGivenUp},
	breakerHalfOpen: {breakerClosed, breakerOpen},
}

// become moves the circuit on, and reports whether its state allows that. It is
// the one place that assigns the state of a circuit.
func (c *circuit) become(next breakerState) bool {
	if !slices.Contains(breakerTransitions[c.state], next) {
		return false
	}
	c.state = next
	return true
}
