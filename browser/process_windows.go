package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// processGroup is a Chrome and its children. On Windows, Chrome's children end
// with their parent: its own job object sees to that.
type processGroup struct {
	pid int
	cmd *exec.Cmd
}

// prepare changes single fields of SysProcAttr: the pipe's handles are in it.
func (g *processGroup) prepare(cmd *exec.Cmd, _ Sandbox) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
	g.cmd = cmd
}

func (g *processGroup) found(p *os.Process) { g.pid = p.Pid }

func (g *processGroup) kill() {
	if g.cmd != nil && g.cmd.Process != nil {
		g.pid = g.cmd.Process.Pid
		_ = g.cmd.Process.Kill() // it may have ended already
	}
}

func (g *processGroup) gone(ctx context.Context) error {
	if g.pid == 0 {
		return nil
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if !runs(uint32(g.pid)) {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the browser's process %d is still running; end it with taskkill /T /F /PID %d", g.pid, g.pid)
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
