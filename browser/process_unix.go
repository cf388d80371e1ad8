//go:build unix

package browser

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// prepare sets up cmd so that it starts as the leader of a new group, dies with
// this process, and runs as the sandbox's user.
func (g *processGroup) prepare(cmd *exec.Cmd, s Sandbox) {
	attr := &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(attr)
	s.apply(attr)
	cmd.SysProcAttr = attr
	widen(cmd.ExtraFiles)
	g.cmd = cmd
}

// Kill ends all processes of the group at once.
func (g *processGroup) Kill() {
	if pid := g.PID(); pid > 1 { // -1 would be every process there is
		_ = syscall.Kill(-pid, syscall.SIGKILL) // ESRCH: it is gone already
	}
}

// Gone returns when no process of the group runs any more. Zombies, which wait
// for their parent, count as gone.
func (g *processGroup) Gone(ctx context.Context) error {
	pid := g.PID()
	if pid <= 1 {
		return nil
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := syscall.Kill(-pid, syscall.SIGKILL); errors.Is(err, syscall.ESRCH) || !groupRuns(pid) {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("processes of the browser's group %d are still running; end them with kill -9 -%d", pid, pid)
		}
	}
}
