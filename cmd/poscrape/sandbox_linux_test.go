package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
)

// noNamespaces runs the command that follows where no user may make namespaces: in a namespace of
// users of its own.
const noNamespaces = `echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"`

// TestTheSandboxFailsClosed: where Chrome can have no sandbox nothing is opened, but for the demo,
// and not even a closed folder or -q has poscrape go on without one.
func TestTheSandboxFailsClosed(t *testing.T) { //nolint:tparallel // one after the other: nothing may have been asked for
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts Chromes")
	}
	chromekit.NeedSandbox(t)
	asked := make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Purchase order PO1000</title><h1>Purchase order PO1000</h1><p>No attachments</p>")
	}))
	t.Cleanup(server.Close)
	// here returns a command in a directory of its own with a sheet of one order.
	here := func(t *testing.T, name string, args ...string) *exec.Cmd {
		t.Helper()
		dir := testkit.OpenTempDir(t)
		testkit.Write(t, filepath.Join(dir, "pos.csv"), "po,url\nPO1000,"+server.URL+"/PO1000\n")
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, os.Environ()
		return cmd
	}
	refused := func(t *testing.T, cmd *exec.Cmd, why string) {
		t.Helper()
		out, _ := cmd.CombinedOutput()
		said := string(out)
		for _, part := range []string{why, "deploy/seccomp.json", "--no-sandbox"} {
			if cmd.ProcessState.ExitCode() != exitEnvironment || !strings.Contains(said, part) {
				t.Errorf("exit code %d, which does not say %q: %s", cmd.ProcessState.ExitCode(), part, said)
			}
		}
		if len(asked) > 0 {
			t.Errorf("%s was asked for", <-asked)
		}
		if _, err := os.Stat(filepath.Join(cmd.Dir, "out")); err == nil {
			t.Error("a session folder is left")
		}
	}
	run := []string{"run", "-q", "--no-progress", "-w", "1", "-o", "out"}
	asRoot := func(t *testing.T) {
		t.Helper()
		if os.Geteuid() != 0 {
			t.Skip("needs root, for whom Chrome runs as another user")
		}
	}
	inNamespace := func(t *testing.T, args ...string) *exec.Cmd {
		t.Helper()
		cmd := here(t, "unshare", append([]string{"-Ur", "sh", "-c", noNamespaces, "sh", "poscrape"}, args...)...)
		if out, err := exec.Command("unshare", "-Ur", "sh", "-c", noNamespaces, "sh", "true").CombinedOutput(); err != nil {
			t.Skipf("no namespace can be made here: %v: %s", err, out)
		}
		return cmd
	}
	t.Run("a closed folder for profiles", func(t *testing.T) {
		asRoot(t)
		cmd := here(t, "poscrape", append(run, "--temp-dir", "closed", "pos.csv")...)
		testkit.Must(t, os.Mkdir(filepath.Join(cmd.Dir, "closed"), 0o700))
		refused(t, cmd, "the user nobody cannot enter")
	})
	t.Run("a closed folder on the way to Chrome", func(t *testing.T) {
		asRoot(t)
		cmd := here(t, "poscrape", append(run, "--chrome", "closed/chrome", "pos.csv")...)
		testkit.Must(t, os.Mkdir(filepath.Join(cmd.Dir, "closed"), 0o700))
		testkit.Must(t, os.WriteFile(filepath.Join(cmd.Dir, "closed", "chrome"), []byte("#!/bin/sh\necho Chromium 156.0.8078.73\n"), 0o700))
		refused(t, cmd, "the user nobody cannot enter")
	})
	t.Run("no namespaces", func(t *testing.T) {
		refused(t, inNamespace(t, append(run, "pos.csv")...), "max_user_namespaces is 0")
	})
	t.Run("no namespaces, in check", func(t *testing.T) {
		refused(t, inNamespace(t, "check", "--probe", "1", "pos.csv"), "max_user_namespaces is 0")
	})
	t.Run("no namespaces, in the demo", func(t *testing.T) {
		cmd := inNamespace(t, "demo", "--orders", "2", "-w", "1", "-o", "out")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "only pages of this program are opened") {
			t.Errorf("got %v: %s", err, out)
		}
	})
	for state, args := range map[string][]string{"sandbox on": run, "sandbox off: --no-sandbox was given": append(run, "--no-sandbox")} {
		t.Run(state, func(t *testing.T) {
			cmd := here(t, "poscrape", append(args, "pos.csv")...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			<-asked
			report := testkit.ReadJSON[struct {
				Events []struct{ Type, Detail string }
			}](t, filepath.Join(cmd.Dir, "out", "report.json"))
			if first := report.Events[0]; !strings.Contains(first.Detail, state) {
				t.Errorf("the first event: %+v", first)
			}
			if log := testkit.Read(t, filepath.Join(cmd.Dir, "out", "poscrape.log")); !strings.Contains(log, state) {
				t.Errorf("the log does not say %q", state)
			}
		})
	}
}
