package browser

import (
	"context"
	"os/exec"
)

// Group is what a Chrome runs in, from its start to its proven end: a group of processes, or what
// Config.Start has made. Its methods may be called by several goroutines.
type Group interface {
	// PID returns the id of Chrome's main process on this machine, which leads the group that its
	// other processes are in too, or 0 while it is not known.
	PID() int
	// Kill ends all of it. It does not block.
	Kill()
	// Gone returns when nothing of it runs any more, or, when ctx ends before that, with an error that
	// says what does. It is called after Kill.
	Gone(ctx context.Context) error
	// Status says how Chrome ended, if it did so by itself. It may be asked once Gone has returned
	// without an error.
	Status() string
}

// Egress is how a browser that has no network of its own reaches servers: by a proxy of this program's.
type Egress interface {
	// Server returns the proxy's address, as the browser is told it.
	Server() string
	// From returns the IP address that was connected to last for an address's host, or "" if that
	// is not known.
	From(address string) string
	// Failure returns why the last connection to an address's host failed, in Chrome's words
	// ("net::ERR_CONNECTION_REFUSED"), or "".
	Failure(address string) string
}

// start prepares the command that starts Chrome, and returns what it will run in.
func (c Config) start(cmd *exec.Cmd) (Group, error) {
	cmd.Dir, cmd.Env = c.ProfileDir, c.environment()
	if c.Start != nil {
		return c.Start(cmd)
	}
	group := &processGroup{}
	group.prepare(cmd, c.Sandbox)
	return group, nil
}

// processGroup is a Chrome and its children. On Unix they share a group, which also keeps
// the terminal's Ctrl-C away from them. On Windows, Chrome's children end with their
// parent: its own job object sees to that.
type processGroup struct{ cmd *exec.Cmd }

// PID returns the id of Chrome's main process, or 0 while there is none.
func (g *processGroup) PID() int {
	if g.cmd == nil || g.cmd.Process == nil {
		return 0
	}
	return g.cmd.Process.Pid
}

// Status says how Chrome ended, if it did so by itself.
func (g *processGroup) Status() string {
	if g.cmd == nil || g.cmd.ProcessState == nil || !g.cmd.ProcessState.Exited() {
		return ""
	}
	return g.cmd.ProcessState.String()
}
