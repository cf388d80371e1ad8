package profiles

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// startBrowser starts what stands for a browser in a profile, and records it.
// Nil where none is found again.
var startBrowser func(*Profile) error

// actAsOwner makes a profile below the directory named in the environment, with
// a browser in it, says where its root is, and lives until it is killed.
func actAsOwner() {
	m, err := NewManager(Config{Parent: os.Getenv("PROFILES_TEST_PARENT"), MinFree: 1})
	var p *Profile
	if err == nil {
		p, err = m.Create("worker")
	}
	if err == nil && startBrowser != nil {
		err = startBrowser(p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(m.Root())
	_, _ = os.Stdin.Read(make([]byte, 1))
	os.Exit(0)
}

// actAsSweeper sweeps the directory named in the environment, and says what it
// had to leave.
func actAsSweeper() {
	swept, err := Sweep(context.Background(), os.Getenv("PROFILES_TEST_PARENT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	doubtful := 0
	for _, l := range swept.Left {
		doubtful += len(l.Doubtful)
	}
	fmt.Printf("left %d, doubtful %d\n", len(swept.Left), doubtful)
	os.Exit(0)
}

// startOwner starts a process that owns a root with a profile below parent. It
// is killed at the end of the test, if not before.
func startOwner(t *testing.T, parent string, prepare func(*exec.Cmd)) (cmd *exec.Cmd, root string) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), actAs+"=owner", "PROFILES_TEST_PARENT="+parent)
	cmd.Stderr = os.Stderr
	if prepare != nil {
		prepare(cmd)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		kill(cmd)
	})
	root, err = bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, strings.TrimSpace(root)
}

// kill ends a process and waits for it; for one that has ended it does nothing.
func kill(cmd *exec.Cmd) {
	if cmd.ProcessState == nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed: that is its error
	}
}

// deadRoot makes a root below parent with one profile and its record, as an
// owner leaves it that was killed.
func deadRoot(t *testing.T, parent string, processes ...processRecord) (root, profile string) {
	t.Helper()
	root, dir, lock, err := makeRoot(parent, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	profile = filepath.Join(root, "worker-1")
	write(t, filepath.Join(profile, "Default", "Preferences"), "{}")
	write(t, profile+recordSuffix, recordText(t, processes...))
	if err := errors.Join(dir.Close(), lock.Close()); err != nil {
		t.Fatal(err)
	}
	return root, profile
}

func recordText(t *testing.T, processes ...processRecord) string {
	t.Helper()
	content, err := json.Marshal(profileRecord{Name: "worker", Created: time.Now(), Processes: processes})
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func sweep(t *testing.T, parent string) Swept {
	t.Helper()
	swept, err := Sweep(t.Context(), parent)
	if err != nil {
		t.Fatal(err)
	}
	return swept
}
