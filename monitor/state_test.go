package monitor

import "testing"

func TestAllPairsOfStates(t *testing.T) {
	t.Parallel()
	allowed := map[[2]State]bool{
		{StateInactive, StateMonitoring}:    true,
		{StateMonitoring, StateScalingDown}: true,
		{StateMonitoring, StateInactive}:    true,
		{StateScalingDown, StateMonitoring}: true,
		{StateScalingDown, StateInactive}:   true,
	}
	for _, from := range States() {
		for _, to := range States() {
			m := &ResourceMonitor{state: from}
			err := m.become(to)
			if (err == nil) != allowed[[2]State{from, to}] {
				t.Errorf("%s to %s: %v", from, to, err)
			}
			if want := map[bool]State{true: to, false: from}[err == nil]; m.state != want {
				t.Errorf("%s to %s ended in %s", from, to, m.state)
			}
		}
	}
}
