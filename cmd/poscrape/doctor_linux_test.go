package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/proc"
	"github.com/poscrape/poscrape/internal/testkit"
)

// doctorOf runs `poscrape doctor --json` in a process of its own.
func doctorOf(t *testing.T, env []string, dir string, args ...string) diagnosis {
	t.Helper()
	return diagnosisOf(t, exitWell, env, dir, args...)
}

// leftoversOf is doctorOf where only leftovers are of interest: no Chrome is started.
func leftoversOf(t *testing.T, env []string, dir string, args ...string) diagnosis {
	t.Helper()
	return diagnosisOf(t, exitEnvironment, env, dir, append(args, "--chrome", "./none")...)
}

func diagnosisOf(t *testing.T, want int, env []string, dir string, args ...string) diagnosis {
	t.Helper()
	cmd := exec.Command("poscrape", append([]string{"doctor", "--json"}, args...)...)
	cmd.Env, cmd.Dir = env, dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != want {
		t.Fatalf("doctor: %v\n%s%s", err, out, stderr.String())
	}
	var d diagnosis
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatalf("doctor: %v\n%s", err, out)
	}
	return d
}

// recordedGroups returns the process groups of the browsers whose profiles are
// below temp.
func recordedGroups(t *testing.T, temp string) []int {
	t.Helper()
	records, err := filepath.Glob(filepath.Join(temp, "poscrape-*", "browser-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var groups []int
	for _, record := range records {
		content, err := os.ReadFile(record)
		if err != nil {
			t.Fatal(err)
		}
		var r struct{ Processes []struct{ PGID int } }
		if err := json.Unmarshal(content, &r); err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Processes {
			groups = append(groups, p.PGID)
		}
	}
	return groups
}

// runningIn counts the processes of a group that are more than zombies.
func runningIn(t *testing.T, group int) int {
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

// A run is killed while its browsers hang, so that they cannot end by themselves:
// doctor finds and removes all of it, and nothing as long as the run lives.
func TestDoctorCleansUpAfterAKill(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	dir := t.TempDir()
	temp := filepath.Join(dir, "temp")
	for _, open := range []string{filepath.Dir(dir), dir} { // Chrome may run as another user
		if err := os.Chmod(open, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(temp, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "TMPDIR="+temp)
	run := exec.Command("poscrape", "demo", "--orders", "200", "--workers", "2", "--no-scale", "-q", "--out", "out")
	run.Env, run.Dir = env, dir
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	var groups []int
	t.Cleanup(func() {
		for _, group := range groups {
			_ = syscall.Kill(-group, syscall.SIGKILL) // gone, if all is well
		}
		_ = run.Process.Kill()
	})
	testkit.Wait(t, "two browsers", func() bool { return len(recordedGroups(t, temp)) == 2 })
	groups = recordedGroups(t, temp)
	if d := leftoversOf(t, env, dir, "--clean"); len(d.Leftovers)+len(d.Removed) != 0 {
		t.Errorf("while the run lives: %+v, %+v", d.Leftovers, d.Removed)
	}
	if now := recordedGroups(t, temp); len(now) < 2 {
		t.Fatalf("while the run lives, its browsers are %v, were %v", now, groups)
	}

	for _, group := range groups {
		if err := syscall.Kill(-group, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait() // it was killed: that is its error
	d := doctorOf(t, env, dir)
	// Stopped processes whose parent has died are woken by the kernel, and may end
	// by themselves before anybody counts them.
	if len(d.Leftovers) != 1 || d.Leftovers[0].Bytes == 0 || !d.CanRun {
		t.Fatalf("after the kill: %+v", d)
	}
	path := d.Leftovers[0].Path
	d = leftoversOf(t, env, dir, "--clean")
	if len(d.Leftovers) != 0 || len(d.Removed) != 1 || d.Removed[0].Path != path {
		t.Errorf("cleaned: %+v", d)
	}
	for _, group := range groups {
		if n := runningIn(t, group); n != 0 {
			t.Errorf("%d processes of the group %d still run", n, group)
		}
	}
	entries, err := os.ReadDir(temp)
	if err != nil || len(entries) != 0 {
		t.Errorf("left in the directory for temporary files: %v, %v", entries, err)
	}
	if !strings.HasPrefix(d.Findings[len(d.Findings)-1].Message, "removed "+path) {
		t.Errorf("cleaned: %+v", d.Findings)
	}
}
