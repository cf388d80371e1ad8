//go:build unix

package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// clone is a repository with the script that repeats the tests, beside a stand-in for make that
// notes in the file calls what it was given, and how many processes the script had beside it.
type clone struct {
	t   *testing.T
	dir string
	bin string
}

// newClone returns one whose make goes on with the given shell script, where n is the number of
// the call.
func newClone(t *testing.T, then string) *clone {
	t.Helper()
	c := &clone{t: t, dir: t.TempDir(), bin: t.TempDir()}
	script, err := os.ReadFile("repeat")
	if err != nil {
		t.Fatal(err)
	}
	c.write(filepath.Join(c.dir, "scripts", "repeat"), string(script))
	c.write(filepath.Join(c.dir, ".gitignore"), "/repeats/\n/calls\n")
	c.make(then)
	c.git("init", "-q")
	c.git("add", ".")
	c.commit()
	return c
}

func (c *clone) make(then string) {
	c.t.Helper()
	c.write(filepath.Join(c.bin, "make"), `#!/bin/sh
beside=$(($(ps -A -o ppid= | grep -c "^ *$PPID\$") - 1))
echo "$*; beside $beside" >>calls
n=$(grep -c . calls)
`+then+"\n")
}

// write makes an executable file.
func (c *clone) write(path, text string) {
	c.t.Helper()
	syscall.ForkLock.RLock() // as in add
	defer syscall.ForkLock.RUnlock()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o755)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *clone) git(args ...string) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), "git", append([]string{"-C", c.dir}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func (c *clone) commit() {
	c.t.Helper()
	c.git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "one more")
}

// repeat runs the script and returns its exit code and its output.
func (c *clone) repeat(args ...string) (code int, output string) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), filepath.Join(c.dir, "scripts", "repeat"), args...)
	cmd.Env = append(os.Environ(), "PATH="+c.bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// calls returns what make was called with.
func (c *clone) calls() []string {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, "calls"))
	if err != nil && !os.IsNotExist(err) {
		c.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func (c *clone) wants(output string, patterns ...string) {
	c.t.Helper()
	for _, p := range patterns {
		if !regexp.MustCompile(`(?m)` + p).MatchString(output) {
			c.t.Errorf("the output does not match %s:\n%s", p, output)
		}
	}
}

func TestRepeat(t *testing.T) {
	t.Parallel()
	c := newClone(t, `[ "$n" -ne 2 ] || { echo "--- FAIL: TestOne (0.01s)"; echo "    --- FAIL: TestOne/two (0.00s)"; printf 'FAIL\texample.org/p\t0.1s\nFAIL\n'; exit 2; }`)
	code, output := c.repeat("3", "1", "./session", "./pool")
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	c.wants(output,
		`^idle-01: ok, \d+ s$`, `^idle-02: FAILED, \d+ s$`, `^busy-01: ok, \d+ s$`,
		`^Commit [0-9a-f]{40}, \./session \./pool:$`,
		`^2 runs: 1 ok, 1 failed; \d+ to \d+ s, half of them at most \d+ s$`,
		`^  idle-02, \d+ s, repeats/\S+/idle-02\.log:\n(    .*\n)*    --- FAIL: TestOne \(`, `^    --- FAIL: TestOne/two `, `^    FAIL\texample.org/p\t`,
		`^1 runs, beside a busy loop on each of \d+ processors: 1 ok, 0 failed;`)
	loops, err := exec.CommandContext(t.Context(), "getconf", "_NPROCESSORS_ONLN").Output()
	if err != nil {
		t.Fatal(err)
	}
	idle, busy := "test COUNT=1 TEST_TIMEOUT=40m PACKAGES=./session ./pool; beside 0", "test COUNT=1 TEST_TIMEOUT=40m PACKAGES=./session ./pool; beside "+strings.TrimSpace(string(loops))
	if got := c.calls(); strings.Join(got, "\n") != strings.Join([]string{idle, idle, busy}, "\n") {
		t.Errorf("calls %q, want %q twice and %q", got, idle, busy)
	}
	// Other packages are counted for themselves.
	if code, output = c.repeat("1", "0"); code != 0 || c.calls()[3] != "test COUNT=1 TEST_TIMEOUT=40m; beside 0" {
		t.Errorf("exit code %d, calls %q", code, c.calls())
	}
	c.wants(output, `, all packages:$`, `^1 runs: 1 ok, 0 failed;`)
}

// A run that was stopped is done again, those before it are not.
func TestRepeatGoesOn(t *testing.T) {
	t.Parallel()
	c := newClone(t, `[ "$n" -ne 2 ] || { ps -A -o pid=,ppid= | awk -v p="$PPID" '$2 == p { print $1 }' >children; kill -TERM "$PPID"; exec sleep 1000; }`)
	c.write(filepath.Join(c.dir, ".gitignore"), "/repeats/\n/calls\n/children\n")
	c.git("add", ".")
	c.commit()
	code, output := c.repeat("2", "2")
	if code != 143 || len(c.calls()) != 2 {
		t.Errorf("exit code %d after %d calls, want 143 after 2:\n%s", code, len(c.calls()), output)
	}
	children, err := os.ReadFile(filepath.Join(c.dir, "children"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(string(children))); n < 2 {
		t.Errorf("%d children, want make and the loops", n)
	}
	for _, child := range strings.Fields(string(children)) {
		if pid, err := strconv.Atoi(child); err != nil || syscall.Kill(pid, 0) == nil {
			t.Errorf("process %s is left: %v", child, err)
		}
	}
	if code, output = c.repeat("2", "2"); code != 0 || len(c.calls()) != 3 {
		t.Errorf("exit code %d after %d calls, want 0 after 3:\n%s", code, len(c.calls()), output)
	}
	if code, output = c.repeat("2", "2"); code != 0 || len(c.calls()) != 3 {
		t.Errorf("exit code %d after %d calls, want 0 and none more:\n%s", code, len(c.calls()), output)
	}
	c.wants(output, `^2 runs, beside .*: 2 ok, 0 failed;`)
}

func TestRepeatIsAboutOneCommit(t *testing.T) {
	t.Parallel()
	c := newClone(t, "")
	c.write(filepath.Join(c.dir, "new.go"), "package p\n")
	code, output := c.repeat("1", "0")
	if code != 1 || !strings.Contains(output, "differs from its commit") {
		t.Errorf("exit code %d with a file that is not committed:\n%s", code, output)
	}
	c.git("add", ".")
	c.commit()
	c.make("git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m more")
	if code, output = c.repeat("1", "0"); code != 1 || !strings.Contains(output, "commit changed meanwhile") {
		t.Errorf("exit code %d after a commit:\n%s", code, output)
	}
	c.make("")
	if code, output = c.repeat("1", "0"); code != 0 || len(c.calls()) != 2 {
		t.Errorf("exit code %d after %d calls, want the new commit's run:\n%s", code, len(c.calls()), output)
	}
	for _, args := range [][]string{{}, {"1"}, {"x", "0"}, {"1", "2"}} {
		if code, output = c.repeat(args...); code != 2 || !strings.Contains(output, "usage:") {
			t.Errorf("%q: exit code %d, want 2 and the usage:\n%s", args, code, output)
		}
	}
}
