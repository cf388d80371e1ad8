package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patienceVariable makes the test binary be the command itself: what it adopts
// and collects are a whole process's children, so each test needs its own.
const patienceVariable = "LEFTOVERS_TEST_PATIENCE"

func TestMain(m *testing.M) {
	if text := os.Getenv(patienceVariable); text != "" {
		patience, err := time.ParseDuration(text)
		if err != nil {
			panic(err)
		}
		os.Exit(run(os.Args[1:], patience, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// leftovers runs a shell script under the command.
func leftovers(t *testing.T, patience time.Duration, script string) (code int, stdout, stderr string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "sh", "-c", script)
	cmd.Env = append(os.Environ(), patienceVariable+"="+patience.String(), "TMPDIR="+t.TempDir())
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

func TestExitCodeOfACleanCommand(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]int{
		"exit 0":        0,
		"exit 7":        7,
		"kill -KILL $$": 128 + 9,
		`t=$(mktemp -d); touch "$t/file"; rm -r "$t"`: 0,
		"sleep 0.2 & exit 0":                          0,
	} {
		code, _, stderr := leftovers(t, time.Minute, script)
		if code != want || stderr != "" {
			t.Errorf("%s: exit code %d and %q, want %d and silence", script, code, stderr, want)
		}
	}
}

func TestLeftFile(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := leftovers(t, time.Minute, `touch "$TMPDIR/poscrape-profile"; echo "$TMPDIR"`)
	if code != 1 || !strings.Contains(stderr, "poscrape-profile") {
		t.Errorf("exit code %d, %q; want 1 and the file's name", code, stderr)
	}
	if _, err := os.Stat(strings.TrimSpace(stdout)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary directory is still there: %v", err)
	}
}

// A daemon in a session of its own, whose parent has ended, is found and killed.
func TestLeftProcess(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := leftovers(t, 10*time.Millisecond,
		`setsid sh -c 'sleep 1000 & echo $!' `)
	if code != 1 || !strings.Contains(stderr, "sleep 1000") {
		t.Errorf("exit code %d, %q; want 1 and the process's command", code, stderr)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(stdout))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d is still there: %v", pid, err)
	}
}

func TestCommandFailsAndLeavesSomething(t *testing.T) {
	t.Parallel()
	code, _, stderr := leftovers(t, time.Minute, `touch "$TMPDIR/poscrape-x"; exit 5`)
	if code != 5 || !strings.Contains(stderr, "poscrape-x") {
		t.Errorf("exit code %d, %q; want the command's own, 5, and the file's name", code, stderr)
	}
}

// A SIGTERM reaches the command, whose end is then waited for.
func TestTermination(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := leftovers(t, time.Minute,
		`trap 'echo cleaned; exit 9' TERM; kill -TERM $PPID; while :; do sleep 0.01; done`)
	if code != 9 || stdout != "cleaned\n" || stderr != "" {
		t.Errorf("exit code %d, %q, %q; want 9 after a clean end", code, stdout, stderr)
	}
}
