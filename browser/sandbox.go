package browser

import "fmt"

// Sandbox says how Chrome's own sandbox is used.
type Sandbox struct {
	// On: Chrome runs with its sandbox.
	On bool
	// UID and GID are the user that Chrome runs as; -1 means this process's own.
	UID, GID int
	// Why says in a few words why the sandbox is off, or who Chrome runs as.
	Why string
}

// NoSandbox turns the sandbox off, because the user said so.
func NoSandbox() Sandbox { return Sandbox{UID: -1, GID: -1, Why: "--no-sandbox was given"} }

// String returns "on", "on, as user 65534", or "off: " and the reason.
func (s Sandbox) String() string {
	switch {
	case !s.On:
		return "off: " + s.Why
	case s.UID >= 0:
		return fmt.Sprintf("on, as user %d", s.UID)
	}
	return "on"
}
