package profiles

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/proc"
)

// Whatever a record says, a process that is not provably the recorded one lives.
func TestSweepSparesWhoHasTheSameID(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(r *processRecord){
		"other start":            func(r *processRecord) { r.StartTicks++ },
		"earlier start":          func(r *processRecord) { r.StartTicks-- },
		"no start":               func(r *processRecord) { r.StartTicks = 0 },
		"other start of machine": func(r *processRecord) { r.BootID = "12345678-1234-1234-1234-123456789abc" },
		"no start of machine":    func(r *processRecord) { r.BootID = "" },
		"other namespace":        func(r *processRecord) { r.PIDNamespace = "pid:[1]" },
		"a record of nothing":    func(r *processRecord) { *r = processRecord{PGID: r.PGID} },
		"only its group's id":    func(r *processRecord) { r.PID = 1 },
		"everybody":              func(r *processRecord) { r.PID, r.PGID = -1, -1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			bystander := startGroup(t, nil, twoSleep)
			record := recordOf(bystander)
			change(&record)
			deadRoot(t, parent, record)
			if swept := sweep(t, parent); len(swept.Removed) != 1 || len(swept.Removed[0].Processes) != 0 {
				t.Errorf("swept: %+v", swept)
			}
			if n := running(t, bystander.Process.Pid); n != 2 {
				t.Errorf("%d of 2 processes run", n)
			}
			wantEmpty(t, parent)
		})
	}
}

// Of a group without its leader, one that differs in any respect from what was
// recorded is not known by its program.
func TestSweepSparesAGroupThatIsUnlikeTheRecorded(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(r *processRecord){
		"program":   func(r *processRecord) { r.Exe += ".old" },
		"nothing":   func(r *processRecord) { r.Exe = "" },
		"user":      func(r *processRecord) { r.UID++ },
		"session":   func(r *processRecord) { r.Session++ },
		"it is old": func(r *processRecord) { r.StartTicks += 1_000_000 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			group := startGroup(t, nil, subshell)
			record := recordOf(group)
			change(&record)
			kill(group)
			root, _ := deadRoot(t, parent, record)
			swept := sweep(t, parent)
			if len(swept.Left) != 1 || swept.Left[0].Path != root || len(swept.Left[0].Doubtful) == 0 {
				t.Errorf("swept: %+v", swept)
			}
			if running(t, group.Process.Pid) == 0 {
				t.Error("the group was ended")
			}
		})
	}
}

// A recorded process that leads no group is ended alone, whatever its record
// says of a group.
func TestSweepEndsNoGroupThatTheProcessDoesNotLead(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	group := startGroup(t, nil, `sleep 300 & echo $!; wait; sleep 300`)
	all, err := proc.All()
	if err != nil {
		t.Fatal(err)
	}
	record := processRecord{PGID: group.Process.Pid}
	for _, p := range all {
		if p.Group == group.Process.Pid && p.PID != p.Group {
			record.PID, record.identity = p.PID, identify(p.PID)
		}
	}
	deadRoot(t, parent, record)
	if swept := sweep(t, parent); len(swept.Removed) != 1 || len(swept.Removed[0].Processes) != 1 {
		t.Errorf("swept: %+v", swept)
	}
	if p, err := proc.Read(group.Process.Pid); err != nil || p.Ended {
		t.Error("the group's leader was ended")
	}
}

// Whoever sweeps is no leftover, nor who has started it, even where it lives in a
// profile, as a shell may that was opened there.
func TestSweepSparesItsOwnLine(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	_, profile := deadRoot(t, parent)
	shell := exec.Command("sh", "-c", `"$0" -test.run '^TestSweepSparesItsOwnLine$'; exit $?`, os.Args[0])
	shell.Env = append(os.Environ(), actAs+"=sweeper", "PROFILES_TEST_PARENT="+parent, "HOME="+profile)
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := shell.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "left 1, doubtful 2") {
		t.Errorf("%v: %s", err, out)
	}
}

// An owner in a container of its own has another table of processes; its lock
// says that it lives.
func TestSweepSparesTheOwnerInAnotherNamespace(t *testing.T) {
	t.Parallel()
	needRoot(t)
	parent := t.TempDir()
	owner, root := startOwner(t, parent, func(cmd *exec.Cmd) {
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	})
	if !strings.HasPrefix(filepath.Base(root), "poscrape-1-") {
		t.Fatalf("%s is not of a process with the id 1", root)
	}
	if swept := sweep(t, parent); len(swept.Removed)+len(swept.Left) != 0 {
		t.Errorf("while the owner lives: %+v", swept)
	}
	kill(owner)
	if swept := sweep(t, parent); len(swept.Removed) != 1 {
		t.Errorf("after the kill: %+v", swept)
	}
	wantEmpty(t, parent)
}

func TestSweepSparesOtherUsers(t *testing.T) {
	t.Parallel()
	needRoot(t)
	parent := reachable(t)
	root, profile := deadRoot(t, parent)
	group := startGroup(t, []string{"HOME=" + profile}, twoSleep)
	for _, path := range []string{root, filepath.Join(root, ownerFile)} {
		if err := os.Chown(path, other, other); err != nil {
			t.Fatal(err)
		}
		if left, err := Leftovers(parent); err != nil || len(left) != 0 {
			t.Errorf("left: %+v, %v, want none", left, err)
		}
		if swept := sweep(t, parent); len(swept.Removed)+len(swept.Left) != 0 {
			t.Errorf("swept: %+v, want nothing", swept)
		}
		if err := os.Chown(path, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if n := running(t, group.Process.Pid); n != 2 {
		t.Errorf("%d of 2 processes run", n)
	}
	wantEnded(t, parent, group, 2)
}

// A process of a user who cannot have been a browser's only says that it lives
// in a profile.
func TestSweepSparesWhoPretends(t *testing.T) {
	t.Parallel()
	needRoot(t)
	parent := reachable(t)
	_, profile := deadRoot(t, parent)
	pretender := as(other, "sleep", "300")
	pretender.Env = []string{"HOME=" + profile}
	if err := pretender.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(pretender) })
	if swept := sweep(t, parent); len(swept.Removed) != 1 || len(swept.Removed[0].Processes) != 0 {
		t.Errorf("swept: %+v", swept)
	}
	if p, err := proc.Read(pretender.Process.Pid); err != nil || p.Ended {
		t.Error("it was ended")
	}
	// Given to that user, the profile is proof.
	_, profile = deadRoot(t, parent)
	real := as(other, "sleep", "300")
	real.Env = []string{"HOME=" + profile}
	if err := errors.Join(os.Chown(profile, other, other), real.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(real) })
	if swept := sweep(t, parent); len(swept.Removed) != 1 || len(swept.Removed[0].Processes) != 1 {
		t.Errorf("swept: %+v", swept)
	}
	wantEmpty(t, parent)
}
