//go:build linux

package chaos

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
)

// process is one poscrape.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	began  time.Time
	stdout string
	stderr string
	ended  chan struct{}
}

// start starts poscrape. It does not outlive the test.
func (p *workspace) start(args ...string) *process {
	p.t.Helper()
	p.started++
	output := filepath.Join(p.dir, fmt.Sprint("output", p.started))
	command := slices.Concat(p.around, []string{program(p.t)}, args)
	r := &process{t: p.t, cmd: exec.Command(command[0], command[1:]...), ended: make(chan struct{}),
		stdout: output + ".out", stderr: output + ".err"}
	r.cmd.Dir = p.dir
	// Else the race detector, where it is in the program, has it wait for a second before it ends.
	r.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "TMPDIR=" + p.tmp, "GORACE=atexit_sleep_ms=50",
		"POSCRAPE_ALLOW_LOCAL=true"}, p.env...) // the suite's portals are on this machine
	for _, name := range []string{"POSCRAPE_CHROME", chromekit.NoSandboxVariable} {
		if value := os.Getenv(name); value != "" {
			r.cmd.Env = append(r.cmd.Env, name+"="+value)
		}
	}
	stdout, err1 := os.Create(r.stdout)
	stderr, err2 := os.Create(r.stderr)
	if err := errors.Join(err1, err2); err != nil {
		p.t.Fatal(err)
	}
	defer stdout.Close()
	defer stderr.Close()
	r.cmd.Stdout, r.cmd.Stderr = stdout, stderr
	if p.stdin != nil {
		r.cmd.Stdin = p.stdin
	}
	r.began = time.Now()
	if err := r.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		defer close(r.ended)
		_ = r.cmd.Wait() // how it ended is read from its state
	}()
	p.t.Cleanup(r.kill)
	return r
}

// kill ends this process alone, as kill -9 does, and returns when it has ended.
func (r *process) kill() {
	r.signal(syscall.SIGKILL)
	<-r.ended
}

// signal sends the process a signal, unless it has ended.
func (r *process) signal(s syscall.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		r.t.Error(err)
	}
}

// killed returns when the process has ended, and reports whether SIGKILL did it.
func (r *process) killed() bool {
	r.wait()
	status, ok := r.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signal() == syscall.SIGKILL
}

// wait returns when the process has ended.
func (r *process) wait() {
	r.t.Helper()
	r.waitUpTo(testkit.Patience)
}

func (r *process) waitUpTo(limit time.Duration) {
	r.t.Helper()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-r.ended:
	case <-late.C:
		r.t.Fatalf("poscrape did not end within %v; it said\n%s", limit, r.said())
	}
}

// reaches returns when the channel is closed; the process must not end before.
func (r *process) reaches(reached <-chan struct{}) {
	r.t.Helper()
	late := time.NewTimer(testkit.Patience)
	defer late.Stop()
	select {
	case <-reached:
	case <-r.ended:
		r.t.Fatalf("poscrape ended before it was where it is to be broken; it said\n%s", r.said())
	case <-late.C:
		r.t.Fatalf("poscrape was not where it is to be broken within %v; it said\n%s", testkit.Patience, r.said())
	}
}

// exit returns the exit code, once the process has ended.
func (r *process) exit() int {
	r.t.Helper()
	r.wait()
	return r.cmd.ProcessState.ExitCode()
}

// mustExit fails the test unless the process ends with one of the codes.
func (r *process) mustExit(codes ...int) {
	r.t.Helper()
	got := r.exit()
	for _, code := range codes {
		if got == code {
			return
		}
	}
	r.t.Fatalf("poscrape ended with %d, want %d; it said\n%s", got, codes, r.said())
}

// said returns the last lines of what the process wrote.
func (r *process) said() string {
	const enough = 4000
	var all strings.Builder
	for _, name := range []string{r.stderr, r.stdout} {
		text, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(&all, err)
		}
		all.Write(text[max(0, len(text)-enough):])
	}
	return all.String()
}
