package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Container is one Chrome in a container, as browser.Group has it. Its methods may be called by
// several goroutines.
type Container struct {
	engine  *Engine
	name    string
	cmd     *exec.Cmd
	chrome  string // its path in the image
	profile string
	gate    *gate // nil without one

	mu    sync.Mutex
	pid   int
	start uint64 // of the process with that id

	removal sync.Mutex // held during one
	gone    bool       // guarded by removal
}

// String says what it is, for people.
func (c *Container) String() string { return "container " + c.name }

// PID returns the id of Chrome's main process on this machine, which leads the group that all of
// Chrome's processes are in; 0 while it cannot be found.
func (c *Container) PID() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pid == 0 {
		c.pid, c.start = findChrome(c.chrome, c.profile)
	}
	return c.pid
}

// Kill ends Chrome, and with it the container, if it is found. Otherwise Gone does.
func (c *Container) Kill() {
	c.mu.Lock()
	pid, start := c.pid, c.start
	c.mu.Unlock()
	killGroup(pid, start)
	if c.gate != nil {
		c.gate.close()
	}
}

// LeftError says that a container is not proven gone.
type LeftError struct {
	Engine, Name string
	Err          error
}

func (e *LeftError) Error() string {
	return fmt.Sprintf("the browser's container may still be there; remove it with '%s rm -f %s': %v", e.Engine, e.Name, e.Err)
}

// Unwrap returns the error behind it.
func (e *LeftError) Unwrap() error { return e.Err }

// settles is how long the engine gets to clean up by itself, before the container is removed by
// name: it takes a few tenths of a second.
const settles = 3 * time.Second

// Gone returns when the container is proven gone, or with an error when ctx ends before that.
func (c *Container) Gone(ctx context.Context) error {
	c.removal.Lock()
	defer c.removal.Unlock()
	if c.gone || c.cmd.Process == nil {
		return nil
	}
	settling, cancel := context.WithTimeout(ctx, settles)
	c.awaitCommand(settling)
	cancel()
	err := c.engine.remove(ctx, c.name)
	if err == nil && !c.awaitCommand(ctx) {
		err = fmt.Errorf("its command, process %d, has not ended", c.cmd.Process.Pid)
	}
	if err != nil {
		return &LeftError{Engine: c.engine.String(), Name: c.name, Err: err}
	}
	c.gone = true
	return nil
}

// awaitCommand waits until the engine's command has ended and somebody has waited for it, and
// reports whether that is so before ctx ends.
func (c *Container) awaitCommand(ctx context.Context) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !errors.Is(probe(c.cmd.Process), os.ErrProcessDone) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// Status says how the engine's command ended, if it did. It may be asked once Gone has returned
// without an error.
func (c *Container) Status() string {
	if c.cmd.ProcessState == nil {
		return ""
	}
	return fmt.Sprintf("%s: %s", c.engine, c.cmd.ProcessState)
}
