//go:build unix

package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// processGroup is the group that a Chrome and all its children share. It is
// also what keeps the terminal's Ctrl-C away from them.
type processGroup struct{ pid int }

// prepare sets up cmd so that it starts as the leader of a new group, dies with
// this process, runs as the sandbox's user, and has its pipes where Chrome looks for
// them: as the files 3 and 4.
func (g *processGroup) prepare(cmd *exec.Cmd, s Sandbox, p pipes) error {
	attr := &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(attr)
	s.apply(attr)
	cmd.SysProcAttr = attr
	cmd.ExtraFiles = []*os.File{p.commands, p.messages}
	for _, pipe := range cmd.ExtraFiles {
		widen(pipe)
	}
	return nil
}

func (g *processGroup) found(p *os.Process) { g.pid = p.Pid }

// kill ends all processes of the group at once.
func (g *processGroup) kill() {
	if g.pid > 1 { // -1 would be every process there is
		_ = syscall.Kill(-g.pid, syscall.SIGKILL) // ESRCH: it is gone already
	}
}

// gone returns when no process of the group runs any more. Zombies, which wait
// for their parent, count as gone.
func (g *processGroup) gone(ctx context.Context) error {
	if g.pid <= 1 {
		return nil
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := syscall.Kill(-g.pid, syscall.SIGKILL); errors.Is(err, syscall.ESRCH) || !groupRuns(g.pid) {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("processes of the browser's group %d are still running; end them with kill -9 -%d", g.pid, g.pid)
		}
	}
}
