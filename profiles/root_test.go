package profiles

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// actAsOwner makes a profile below the directory named in the environment, says
// where its root is, and lives until it is killed.
func actAsOwner() {
	m, err := NewManager(Config{Parent: os.Getenv("PROFILES_TEST_PARENT"), MinFree: 1})
	if err == nil {
		_, err = m.Create("worker")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(m.Root())
	_, _ = os.Stdin.Read(make([]byte, 1))
	os.Exit(0)
}

func TestLeftNamesWhatAKilledOwnerLeft(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), actAs+"=owner", "PROFILES_TEST_PARENT="+parent)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stdin.Close() }()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	root, err := bufio.NewReader(stdout).ReadString('\n')
	root = strings.TrimSpace(root)
	if err != nil {
		_ = cmd.Process.Kill()
		t.Fatal(err, cmd.Wait())
	}
	if left, err := Left(parent); err != nil || len(left) != 0 {
		t.Errorf("while its owner lives: %v, %v", left, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed: that is its error
	for range 2 {  // looking changes nothing
		if left, err := Left(parent); err != nil || !slices.Equal(left, []string{root}) {
			t.Errorf("after the kill: %v, %v, want %s", left, err, root)
		}
	}
}

func TestLeftTouchesNothingOfOthers(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	write(t, filepath.Join(parent, "poscrape-1-1", lockFile), "") // no owner's record: perhaps in the making
	write(t, filepath.Join(parent, "poscrape-1-2", ownerFile), "{}")
	write(t, filepath.Join(parent, "poscrape-1-3"), "a file")
	write(t, filepath.Join(parent, "poscrape-mine", lockFile), "")
	write(t, filepath.Join(parent, "poscrape-mine", ownerFile), "{}")
	if runtime.GOOS != "windows" {
		elsewhere := t.TempDir()
		write(t, filepath.Join(elsewhere, lockFile), "")
		write(t, filepath.Join(elsewhere, ownerFile), "{}")
		if err := os.Symlink(elsewhere, filepath.Join(parent, "poscrape-1-4")); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := Left(parent); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v, want none", left, err)
	}
	if _, err := Left(filepath.Join(parent, "missing")); err == nil {
		t.Error("a missing parent is no error")
	}
}

func TestRecordProcess(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{})
	p := create(t, m, "worker")
	started := time.Now().Truncate(time.Second)
	if err := p.RecordProcess(os.Getpid(), os.Getppid(), started); err != nil {
		t.Fatal(err)
	}
	if err := p.RecordProcess(os.Getppid(), 0, started); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(p.Path + recordSuffix)
	if err != nil {
		t.Fatal(err)
	}
	var got profileRecord
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "worker" || !got.Created.Equal(p.Created) || len(got.Processes) != 2 {
		t.Fatalf("record is %s", content)
	}
	first := got.Processes[0]
	if first.PID != os.Getpid() || first.PGID != os.Getppid() || !first.StartedAt.Equal(started) {
		t.Errorf("process is %+v", first)
	}
	if ticks, boot := processStart(os.Getpid()); first.StartTicks != ticks || first.BootID != boot {
		t.Errorf("process is %+v, want start %d of %s", first, ticks, boot)
	}
	if runtime.GOOS == "linux" && (first.StartTicks == 0 || first.BootID == "" || first.StartTicks <= got.Processes[1].StartTicks) {
		t.Errorf("starts are %d and, of the parent, %d", first.StartTicks, got.Processes[1].StartTicks)
	}
	if p.RecordProcess(0, 0, started) == nil || p.RecordProcess(1, -1, started) == nil {
		t.Error("what is no process was recorded")
	}
	if err := m.Remove(p); err != nil {
		t.Fatal(err)
	}
	if err := p.RecordProcess(os.Getpid(), 0, started); !errors.Is(err, ErrGone) {
		t.Errorf("after Remove: %v, want ErrGone", err)
	}
	wantOnlyOwner(t, m)
}
