package breaker

import "slices"

// state says whether orders go to a host.
//
//	CLOSED --> OPEN --> HALF_OPEN --> CLOSED   the host answers an order again
//	            |  ^        |
//	            |  +--------+                  it does not
//	            +--> GIVEN_UP                  nor in all the time it was given
type state string

const (
	// stateClosed: orders go. Trouble that is not theirs moves it on.
	stateClosed state = "CLOSED"
	// stateOpen: no order goes. The next probe moves it on, or the end of the
	// patience.
	stateOpen state = "OPEN"
	// stateHalfOpen: one order goes, as a probe. What it meets moves it on.
	stateHalfOpen state = "HALF_OPEN"
	// stateGivenUp: no order goes any more in this run.
	stateGivenUp state = "GIVEN_UP"
)

var transitions = map[state][]state{
	stateClosed:   {stateOpen},
	stateOpen:     {stateHalfOpen, stateGivenUp},
	stateHalfOpen: {stateClosed, stateOpen},
}

// become moves the circuit on, and reports whether its state allows that. It is
// the one place that assigns the state of a circuit.
func (c *circuit) become(next state) bool {
	if !slices.Contains(transitions[c.state], next) {
		return false
	}
	c.state = next
	return true
}
