package profiles

import (
	"bufio"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/proc"
)

// Here it is a group of two that outlives its owner.
func init() {
	startBrowser = func(p *Profile) error {
		cmd := exec.Command("sh", "-c", twoSleep)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
			return err
		}
		return p.RecordProcess(cmd.Process.Pid, cmd.Process.Pid, time.Now())
	}
}

// startGroup runs a shell script as the leader of a process group, instead of a
// browser, and returns when it has printed a line. The group is killed at the end.
func startGroup(t *testing.T, env []string, script string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may be gone
		kill(cmd)
	})
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// The leader waits for its children; what it prints says that they are there.
const (
	twoSleep  = `sleep 300 & echo ready; exec sleep 300`
	bareSleep = `env -i sleep 300 & while [ -r /proc/$! ] && ! grep -q sleep /proc/$!/comm; do :; done; echo ready; wait`
	subshell  = `( echo ready; sleep 300; : ) & wait`
)

func recordOf(cmd *exec.Cmd) processRecord {
	pid := cmd.Process.Pid
	return processRecord{PID: pid, PGID: pid, StartedAt: time.Now(), identity: identify(pid)}
}

// running counts the processes of a group, zombies left out.
func running(t *testing.T, group int) int {
	t.Helper()
	all, err := proc.All()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range all {
		if p.Group == group && !p.Ended {
			n++
		}
	}
	return n
}

func wantEnded(t *testing.T, parent string, group *exec.Cmd, least int) {
	t.Helper()
	left, err := Leftovers(parent)
	if err != nil || len(left) != 1 || len(left[0].Processes) < least || left[0].Reason != "" {
		t.Errorf("left: %+v, %v, want %d processes", left, err, least)
	}
	swept := sweep(t, parent)
	if len(swept.Removed) != 1 || len(swept.Removed[0].Processes) < least {
		t.Errorf("swept: %+v, want %d processes ended", swept, least)
	}
	if n := running(t, group.Process.Pid); n != 0 {
		t.Errorf("%d processes still run", n)
	}
	wantEmpty(t, parent)
}
