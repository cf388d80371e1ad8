package worker

// lowerPriority: this system has no priority of process groups.
func lowerPriority(int) error { return nil }
