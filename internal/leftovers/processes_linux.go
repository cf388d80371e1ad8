package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/poscrape/poscrape/internal/proc"
)

// runAlone runs the command to its end and returns its exit code and a line for
// each process that it left, which it then kills. It adopts the command's
// orphans, so its children are all that is left: when the system says that it
// has none, it is proven that nothing is.
func runAlone(command []string, temp string, patience time.Duration,
	signals <-chan os.Signal, stdout, stderr *os.File,
) (code int, left []string, err error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, nil, fmt.Errorf("adopting orphans: %w", err)
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return 0, nil, err
	}
	process, err := os.StartProcess(path, command, &os.ProcAttr{
		Env: environment(temp), Files: []*os.File{os.Stdin, stdout, stderr},
	})
	if err != nil {
		return 0, nil, err
	}
	stop := passOn(signals, process)
	code, err = reapUntil(process.Pid)
	stop()
	if err != nil {
		return 0, nil, err
	}
	return code, endChildren(patience), nil
}

// passOn sends the process each SIGTERM that this one gets, until stop is
// called. The terminal sends an interrupt to both by itself.
func passOn(signals <-chan os.Signal, process *os.Process) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case s := <-signals:
				if s == syscall.SIGTERM {
					_ = process.Signal(s) // it may have ended
				}
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}

// reapUntil collects every child that ends, orphans included, until the one
// with this pid has ended, and returns its exit code: 128 and the number of the
// signal for one that was killed, as shells do.
func reapUntil(pid int) (int, error) {
	for {
		var status syscall.WaitStatus
		ended, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return 0, fmt.Errorf("waiting for process %d: %w", pid, err)
		case ended != pid:
			continue
		case status.Signaled():
			return 128 + int(status.Signal()), nil
		default:
			return status.ExitStatus(), nil
		}
	}
}

// endChildren waits until this process has no children any more. Those that
// remain after the patience it names and kills, and then those that this makes
// orphans: a few rounds, in case one cannot be killed.
func endChildren(patience time.Duration) []string {
	var left []string
	for range 5 {
		if childless(time.Now().Add(patience)) {
			break
		}
		for _, child := range children() {
			left = append(left, fmt.Sprintf("process %d: %s", child.PID, commandLine(child)))
			_ = syscall.Kill(child.PID, syscall.SIGKILL) // it may have ended
		}
		patience = time.Second
	}
	return left
}

// childless collects the children that end before the deadline, and says
// whether none is left.
func childless(deadline time.Time) bool {
	for {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		switch {
		case errors.Is(err, syscall.ECHILD):
			return true
		case pid > 0:
		case time.Now().After(deadline):
			return false
		default:
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// children returns this process's children that run, without those of the go command
// and of git, which may go on in the background.
func children() []proc.Process {
	all, _ := proc.All() // none where they cannot be listed
	return slices.DeleteFunc(all, func(p proc.Process) bool {
		return p.Ended || p.Parent != os.Getpid() || p.Name == "go" || p.Name == "git"
	})
}

// commandLine returns the arguments of the process, shortened, or its name where it
// has none.
func commandLine(p proc.Process) string {
	const enough = 300
	line := cmp.Or(proc.Command(p.PID), p.Name)
	return line[:min(len(line), enough)]
}
