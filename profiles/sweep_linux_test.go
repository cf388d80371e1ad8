package profiles

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/proc"
)

func TestSweepEndsTheRecordedGroup(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	group := startGroup(t, nil, twoSleep)
	deadRoot(t, parent, recordOf(group))
	wantEnded(t, parent, group, 2)
}

func TestSweepEndsAStoppedGroup(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	group := startGroup(t, nil, twoSleep)
	if err := syscall.Kill(-group.Process.Pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	deadRoot(t, parent, recordOf(group))
	wantEnded(t, parent, group, 2)
}

// A leader that has ended, and waits as a zombie for its parent, still shows
// whose the group is.
func TestSweepEndsTheGroupOfAZombie(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	group := startGroup(t, nil, bareSleep)
	deadRoot(t, parent, recordOf(group))
	if err := group.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for p, err := proc.Read(group.Process.Pid); err == nil && !p.Ended; {
		p, err = proc.Read(group.Process.Pid)
	}
	wantEnded(t, parent, group, 1)
}

func TestSweepEndsAGroupWithoutItsLeader(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"known by its home":    twoSleep,
		"known by its program": subshell,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			root, profile := deadRoot(t, parent)
			env := []string{"HOME=" + profile}
			if script == subshell {
				env = nil
			}
			group := startGroup(t, env, script)
			write(t, profile+recordSuffix, recordText(t, recordOf(group)))
			kill(group)
			if running(t, group.Process.Pid) == 0 {
				t.Fatalf("nothing is left of the group of %s", root)
			}
			wantEnded(t, parent, group, 1)
		})
	}
}

// What is left of a group may be another's that has come and gone meanwhile: it
// is named, nobody touches it, and other roots are swept.
func TestSweepLeavesWhatIsInDoubt(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	group := startGroup(t, nil, bareSleep)
	root, _ := deadRoot(t, parent, recordOf(group))
	other, _ := deadRoot(t, parent)
	kill(group)
	before := listing(t, root)
	swept := sweep(t, parent)
	if len(swept.Removed) != 1 || swept.Removed[0].Path != other || len(swept.Left) != 1 {
		t.Fatalf("swept: %+v", swept)
	}
	l := swept.Left[0]
	if l.Path != root || len(l.Processes) != 0 || len(l.Doubtful) != 1 ||
		!strings.Contains(l.Reason, fmt.Sprintf("process %d (sleep)", l.Doubtful[0].PID)) {
		t.Errorf("left: %+v", l)
	}
	if running(t, group.Process.Pid) != 1 || listing(t, root) != before {
		t.Error("something was touched")
	}
	if err := syscall.Kill(-group.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for running(t, group.Process.Pid) > 0 { // it is on its way
	}
	if swept := sweep(t, parent); len(swept.Removed) != 1 {
		t.Errorf("after its end: %+v", swept)
	}
	wantEmpty(t, parent)
}

// A browser may have been killed together with its owner before it was recorded.
func TestSweepEndsWhatWasNotRecorded(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(t *testing.T, record string){
		"not yet": func(*testing.T, string) {},
		"missing": func(t *testing.T, record string) {
			if err := os.Remove(record); err != nil {
				t.Fatal(err)
			}
		},
		"half-written": func(t *testing.T, record string) { write(t, record, `{"name":"worker","processes":[{"pid":`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			_, profile := deadRoot(t, parent)
			group := startGroup(t, []string{"HOME=" + profile}, twoSleep)
			damage(t, profile+recordSuffix)
			wantEnded(t, parent, group, 2)
		})
	}
}

// A process that left the group, as Chrome's crash handler does, is ended too; the
// rest of the group that it is in is not.
func TestSweepEndsASingleProcess(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	_, profile := deadRoot(t, parent)
	group := startGroup(t, nil, `HOME=`+profile+` sleep 300 & while [ -r /proc/$! ] && ! grep -q sleep /proc/$!/comm; do :; done; echo ready; wait; sleep 300`)
	swept := sweep(t, parent)
	if len(swept.Removed) != 1 || len(swept.Removed[0].Processes) != 1 || swept.Removed[0].Processes[0].Name != "sleep" {
		t.Errorf("swept: %+v", swept)
	}
	if running(t, group.Process.Pid) == 0 {
		t.Error("the whole group was ended")
	}
	wantEmpty(t, parent)
}

// TestSweepMakesDirectoriesWritable needs a user whom modes bind: as root it runs
// itself again as another user.
func TestSweepMakesDirectoriesWritable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		runAsOther(t, "TestSweepMakesDirectoriesWritable")
		return
	}
	parent := t.TempDir()
	root, profile := deadRoot(t, parent)
	deep := filepath.Join(profile, "Default", "a", "b")
	write(t, filepath.Join(deep, "file"), "x")
	for _, dir := range []string{deep, filepath.Dir(deep), profile, root} {
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
	}
	if swept := sweep(t, parent); len(swept.Removed) != 1 {
		t.Errorf("swept: %+v", swept)
	}
	wantEmpty(t, parent)
}
