package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
)

// TestTempDir: a run is killed, whose profiles are where --temp-dir says. Doctor finds them
// there, and resume, which is told of the directory by the session alone, removes them.
func TestTempDir(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	dir := testkit.OpenTempDir(t)
	system, large := filepath.Join(dir, "system"), filepath.Join(dir, "large disk")
	for _, temp := range []string{system, large} {
		if err := os.Mkdir(temp, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	killed := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-killed:
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Purchase order PO1000</title><h1>Purchase order PO1000</h1><p>No attachments</p>")
	}))
	t.Cleanup(server.Close)
	if err := os.WriteFile(filepath.Join(dir, "pos.csv"), []byte("po,url\nPO1000,"+server.URL+"/PO1000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "TMPDIR="+system)
	run := exec.Command("poscrape", "run", "--temp-dir", "large disk", "--out", "out", "-q", "pos.csv")
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
	testkit.Wait(t, "an order that is begun", func() bool {
		log, _ := os.ReadFile(filepath.Join(dir, "out", "poscrape.log"))
		return strings.Contains(string(log), "task_assigned")
	})
	if groups = recordedGroups(t, large); len(groups) != 1 {
		t.Errorf("%d browsers are recorded in the directory, want 1", len(groups))
	}
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait() // it was killed: that is its error
	close(killed)
	// Of a browser that is just ending, not all processes can be told to be its own.
	testkit.Wait(t, "the end of its browsers", func() bool {
		for _, group := range groups {
			if !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) {
				return false
			}
		}
		return true
	})

	d := doctorOf(t, env, dir, "--temp-dir", "large disk")
	if len(d.Leftovers) != 1 || filepath.Dir(d.Leftovers[0].Path) != large || !d.CanRun {
		t.Fatalf("after the kill: %+v", d)
	}
	advised := false
	for _, f := range d.Findings {
		advised = advised || f.Advice == `'poscrape doctor --clean --temp-dir "large disk"' removes it`
		if f.Subject == "disk for profiles" && !strings.HasSuffix(f.Message, " free in large disk") {
			t.Errorf("profiles: %+v", f)
		}
	}
	if !advised {
		t.Errorf("no advice names the directory: %+v", d.Findings)
	}
	if d := leftoversOf(t, env, dir); len(d.Leftovers) != 0 {
		t.Errorf("elsewhere: %+v", d.Leftovers)
	}

	resume := exec.Command("poscrape", "resume", filepath.Join(dir, "out"))
	resume.Env, resume.Dir = env, system
	out, err := resume.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "cleared up after a killed run") {
		t.Errorf("resume: %v\n%s", err, out)
	}
	for _, temp := range []string{system, large} {
		if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
			t.Errorf("left in %s: %v, %v", temp, left, err)
		}
	}
}
