package browser

import (
	"cmp"
	"fmt"
	"strings"
)

// Sandbox says how Chrome's own sandbox is used. A browser without it is only started where it is
// Forgone.
type Sandbox struct {
	// On: Chrome runs with its sandbox.
	On bool
	// UID and GID are the user that Chrome runs as; -1 means this process's own.
	UID, GID int
	// Why says in a few words why the sandbox is off, and Remedy what would let it be on.
	Why, Remedy string
	// Forgone: it is off because that was asked for.
	Forgone bool
}

// NoSandbox turns the sandbox off, because the user said so.
func NoSandbox() Sandbox {
	return Sandbox{UID: -1, GID: -1, Why: "--no-sandbox was given", Forgone: true}
}

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

// check returns a *SandboxError where the sandbox is off and nobody asked for that.
func (s Sandbox) check() error {
	if s.On || s.Forgone {
		return nil
	}
	return &SandboxError{Why: s.Why, Remedy: s.Remedy}
}

// SandboxError says that Chrome's sandbox cannot be had. It wraps ErrLaunch.
type SandboxError struct {
	// Why is the reason, and Remedy what would let the sandbox be on.
	Why, Remedy string
}

func (e *SandboxError) Error() string {
	return "Chrome's sandbox cannot be had: " + e.Why + "; " + e.Advice()
}

// Advice names the ways out.
func (e *SandboxError) Advice() string {
	return cmp.Or(e.Remedy, anyRemedy) + "; or run poscrape in a container with the project's seccomp file, deploy/seccomp.json " +
		"(docs/sandbox.md says how); or type --no-sandbox: then a page that finds a hole in Chrome can read and do all that this user can"
}

// Unwrap returns ErrLaunch.
func (*SandboxError) Unwrap() error { return ErrLaunch }

// anyRemedy is what helps where nothing more is known.
const anyRemedy = "let ordinary users of this system make namespaces"

// refusals are what Chrome prints where the system refuses it what its sandbox needs.
var refusals = []string{"No usable sandbox", "Failed to move to new namespace", "sys_chroot", "sandbox/linux/"}

// refused returns a *SandboxError if what a Chrome printed says that it could not have its
// sandbox, or nil.
func (s Sandbox) refused(chrome Chrome, said string) error {
	for line := range strings.Lines(said) {
		for _, refusal := range refusals {
			if s.On && strings.Contains(line, refusal) {
				return &SandboxError{Why: fmt.Sprintf("%s says %q", chrome.Path, message(line)), Remedy: remedyFor(chrome)}
			}
		}
	}
	return nil
}

// message returns a line of Chrome's log without where it comes from, or its beginning.
func message(line string) string {
	if _, rest, ok := strings.Cut(line, "] "); ok && strings.HasPrefix(line, "[") {
		line = rest
	}
	const enough = 100
	if line = strings.TrimSpace(line); len(line) > enough {
		return line[:enough] + "..."
	}
	return line
}
