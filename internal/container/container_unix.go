//go:build unix

package container

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/poscrape/poscrape/internal/proc"
)

// leadGroup keeps the terminal's interrupts from the command.
func leadGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// most is what a container gets of open files and of a user's processes: far more than Chrome takes,
// and no more than engines have to give away where they may not raise limits (Podman 4.3 keeps 32,768
// processes for itself then).
var most = map[string]struct {
	resource int
	n        uint64
}{"nofile": {unix.RLIMIT_NOFILE, 8192}, "nproc": {unix.RLIMIT_NPROC, 32768}}

// userLimits are these, or this process's own where they are lower.
func userLimits() map[string]uint64 {
	limits := map[string]uint64{}
	for name, m := range most {
		limits[name] = m.n
		var r unix.Rlimit
		if err := unix.Getrlimit(m.resource, &r); err == nil {
			limits[name] = min(m.n, uint64(r.Max)) //nolint:unconvert // on FreeBSD it is signed
		}
	}
	return limits
}

// noProcess reports whether the system says that there is no process with this id.
func noProcess(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// probe returns os.ErrProcessDone for a process that has ended and was waited for.
func probe(p *os.Process) error { return p.Signal(syscall.Signal(0)) }

// findChrome returns the process that runs this program with this profile, with the tick of its
// start, or 0. Chrome soon writes its arguments as one; its helpers have no profile among theirs.
func findChrome(chrome, profile string) (pid int, start uint64) {
	all, _ := proc.All() // none where they cannot be listed
	for _, p := range all {
		command := proc.Command(p.PID) + " "
		if strings.HasPrefix(command, chrome+" ") && strings.Contains(command, " --user-data-dir="+profile+" ") && p.Group == p.PID {
			return p.PID, p.Start
		}
	}
	return 0, 0
}

// killGroup kills the process group that a process leads, if it is still the one.
func killGroup(pid int, start uint64) {
	if p, err := proc.Read(pid); pid > 1 && err == nil && p.Start == start {
		_ = syscall.Kill(-pid, syscall.SIGKILL) // it may have ended
	}
}
