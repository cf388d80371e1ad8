package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// processGroup is a Chrome and its children. On Windows, Chrome's children end
// with their parent: its own job object sees to that.
type processGroup struct {
	pid     int
	process *os.Process
}

// prepare sets up cmd so that it starts in a group of its own, and gets its pipes as
// handles that no other process gets.
func (g *processGroup) prepare(cmd *exec.Cmd, _ Sandbox, p pipes) error {
	for _, ours := range []*os.File{p.to, p.from} {
		if err := windows.SetHandleInformation(windows.Handle(ours.Fd()), windows.HANDLE_FLAG_INHERIT, 0); err != nil {
			return fmt.Errorf("keeping a pipe to Chrome from other processes: %w", err)
		}
	}
	commands, messages := syscall.Handle(p.commands.Fd()), syscall.Handle(p.messages.Fd())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags:              windows.CREATE_NEW_PROCESS_GROUP,
		AdditionalInheritedHandles: []syscall.Handle{commands, messages},
	}
	cmd.Args = slices.Insert(cmd.Args, 1, fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", commands, messages))
	return nil
}

func (g *processGroup) found(p *os.Process) { g.pid, g.process = p.Pid, p }

func (g *processGroup) kill() {
	if g.process != nil {
		_ = g.process.Kill() // it may have ended already
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
