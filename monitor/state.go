package monitor

import "fmt"

// State says what the monitor is doing.
type State string

const (
	// StateInactive: it does not run. Run moves it on.
	StateInactive State = "INACTIVE"
	// StateMonitoring: it weighs every sample. A decision to take a worker
	// away moves it on, or the end of Run.
	StateMonitoring State = "MONITORING"
	// StateScalingDown: a worker was taken away, and the load settles. The end
	// of that moves it on, or the end of Run.
	StateScalingDown State = "SCALING_DOWN"
)

// States lists all states.
func States() []State { return []State{StateInactive, StateMonitoring, StateScalingDown} }

var transitions = map[State][]State{
	StateInactive:    {StateMonitoring},
	StateMonitoring:  {StateScalingDown, StateInactive},
	StateScalingDown: {StateMonitoring, StateInactive},
}

// CanBecome reports whether a monitor may go from s to next in one step.
func (s State) CanBecome(next State) bool {
	for _, t := range transitions[s] {
		if t == next {
			return true
		}
	}
	return false
}

// become moves the monitor to the next state, or returns an error and leaves it
// as it is. It is the one place that assigns the state. m.mu must be held.
func (m *ResourceMonitor) become(next State) error {
	if !m.state.CanBecome(next) {
		return fmt.Errorf("a monitor cannot go from %s to %s", m.state, next)
	}
	m.state = next
	return nil
}
