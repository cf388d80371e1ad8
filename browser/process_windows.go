package browser

import (
	"context"
	"fmt"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// prepare sets up cmd so that it starts in a group of its own. It changes a single field:
// the handles of Chrome's pipes are in the others.
func (g *processGroup) prepare(cmd *exec.Cmd, _ Sandbox) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
	g.cmd = cmd
}

func (g *processGroup) Kill() {
	if g.PID() != 0 {
		_ = g.cmd.Process.Kill() // it may have ended already
	}
}

func (g *processGroup) Gone(ctx context.Context) error {
	pid := g.PID()
	if pid == 0 {
		return nil
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if !runs(uint32(pid)) {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the browser's process %d is still running; end it with taskkill /T /F /PID %d", pid, pid)
		}
	}
}

func runs(pid uint32) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, pid)
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	event, err := windows.WaitForSingleObject(h, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}

func sharedMemory() uint64 { return minSharedMemory }
