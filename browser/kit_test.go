//go:build unix

package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/proc"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
)

// thorough is the environment variable with which make thorough has long tests do all that they can.
const thorough = "POSCRAPE_THOROUGH"

func TestMain(m *testing.M) { goleak.VerifyTestMain(chromekit.Tests{M: m}) }

// configured returns the configuration of a browser without its paths.
func configured(t *testing.T, change ...func(*browser.Config)) browser.Config {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	chrome, err := browser.Find(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	cfg := browser.DefaultConfig()
	cfg.Chrome, cfg.Sandbox = chrome, browser.NoSandbox()
	for _, c := range change {
		c(&cfg)
	}
	return cfg
}

// share returns a browser that other tests have used, or use later: for those that are not
// about how one starts or ends, or what it keeps.
func share(t *testing.T, change ...func(*browser.Config)) *browser.Browser {
	t.Helper()
	cfg := configured(t, change...)
	return chromekit.Share(t, fmt.Sprintf("%+v", cfg), cfg)
}

// launch starts a browser whose files go with the test, and whose end the test checks.
func launch(t *testing.T, change ...func(*browser.Config)) *browser.Browser {
	t.Helper()
	profile, downloads := dirs(t)
	paths := func(cfg *browser.Config) { cfg.ProfileDir, cfg.DownloadDir = profile, downloads }
	cfg := configured(t, append([]func(*browser.Config){paths}, change...)...)
	b, err := browser.Launch(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("closing the browser: %v", err)
		}
		if err := syscall.Kill(-b.PID(), 0); err == nil && running(t, b.PID()) {
			t.Errorf("processes of group %d are left", b.PID())
		}
	})
	return b
}

func dirs(t *testing.T) (profile, downloads string) {
	t.Helper()
	root := t.TempDir()
	profile, downloads = filepath.Join(root, "profile"), filepath.Join(root, "downloads")
	for _, dir := range []string{profile, downloads} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return profile, downloads
}

// running reports whether a process of the group is more than a zombie.
func running(t *testing.T, pgid int) bool {
	t.Helper()
	all, err := proc.All()
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(all, func(p proc.Process) bool { return p.Group == pgid && !p.Ended })
}

// descends reports whether the process is in a group that is led by a child of
// this process, and that is not this process's own.
func descends(pid int) bool {
	group, err := syscall.Getpgid(pid)
	if err != nil || pid <= 1 || group <= 1 || group == syscall.Getpgrp() {
		return false
	}
	leader, err := proc.Read(group)
	return err == nil && leader.Parent == os.Getpid()
}

func serve(t *testing.T, routes map[string]http.HandlerFunc) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, h := range routes {
		mux.HandleFunc(path, h)
	}
	s := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(s) })
	return s.URL
}

// meet tells that a request has come, and waits for the answer; both only as long as whoever asks
// waits, who may ask again.
func meet(r *http.Request, asked chan<- struct{}, answer <-chan struct{}) {
	select {
	case asked <- struct{}{}:
	case <-r.Context().Done():
		return
	}
	select {
	case <-answer:
	case <-r.Context().Done():
	}
}

func html(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	}
}

// open navigates and waits until the page is loaded.
func open(t *testing.T, tab *browser.Tab, url string) {
	t.Helper()
	if _, err := tab.Navigate(t.Context(), url, ""); err != nil {
		t.Fatal(err)
	}
	stop := tab.KeepPace(t.Context()) // with a clock that stands still it may never be loaded
	defer stop()
	loaded := `document.readyState === "complete" ? true : new Promise(r => addEventListener("load", () => r(true)))`
	if err := tab.Evaluate(t.Context(), loaded, nil); err != nil {
		t.Fatal(err)
	}
}

// renderers returns the processes of the browser that render pages.
func renderers(t *testing.T, b *browser.Browser) []int {
	t.Helper()
	all, err := proc.All()
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, p := range all {
		if p.Group == b.PID() && strings.Contains(proc.Command(p.PID), "--type=renderer") {
			pids = append(pids, p.PID)
		}
	}
	return pids
}

// signal sends a signal to processes, of which there must be one at least, and
// none that does not belong to a browser of this test.
func signal(t *testing.T, s syscall.Signal, pids ...int) {
	t.Helper()
	if len(pids) == 0 {
		t.Fatal("there is no process to send a signal to")
	}
	for _, pid := range pids {
		if !descends(pid) {
			t.Fatalf("process %d is none of a browser that this test has started", pid)
		}
		if err := syscall.Kill(pid, s); err != nil {
			t.Fatal(err)
		}
	}
}

// chromes returns the Chrome of each kind that is there.
func chromes(t *testing.T) map[string]browser.Chrome {
	t.Helper()
	found := map[string]browser.Chrome{}
	for _, headful := range []bool{false, true} {
		c, err := browser.Find(t.Context(), "", headful)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(c.Path)] = c
	}
	return found
}
