package browser

import "os/exec"

// processGroup is a Chrome and its children. On Unix they share a group, which also keeps
// the terminal's Ctrl-C away from them. On Windows, Chrome's children end with their
// parent: its own job object sees to that.
type processGroup struct{ cmd *exec.Cmd }

// pid returns the id of Chrome's main process, or 0 while there is none.
func (g *processGroup) pid() int {
	if g.cmd == nil || g.cmd.Process == nil {
		return 0
	}
	return g.cmd.Process.Pid
}

// status says how Chrome ended, if it did so by itself. It may be asked once Close has
// returned without an error.
func (g *processGroup) status() string {
	if g.cmd == nil || g.cmd.ProcessState == nil || !g.cmd.ProcessState.Exited() {
		return ""
	}
	return g.cmd.ProcessState.String()
}
