package container_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/container"
	"github.com/poscrape/poscrape/internal/egress"
	"github.com/poscrape/poscrape/internal/proc"
	"github.com/poscrape/poscrape/internal/testkit"
)

// find returns the engine, or skips the test and says why.
func find(t *testing.T) *container.Engine {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	engine, err := container.Find(t.Context(), container.Config{Command: os.Getenv("POSCRAPE_CONTAINER_ENGINE")})
	var unusable *container.UnusableError
	if errors.As(err, &unusable) {
		t.Skip("no containers here: ", err)
	}
	testkit.Must(t, err)
	return engine
}

// contained is a browser in a container, whose way out leads to one server.
type contained struct {
	*browser.Browser
	group   *container.Container
	profile string
	out     *egress.Proxy
}

type egressOf struct{ *egress.Proxy }

func (e egressOf) Server() string {
	return fmt.Sprintf("%s://127.0.0.1:%d", e.Scheme(), container.GatePort)
}

// launch starts a browser that may ask one host and port.
func launch(ctx context.Context, engine *container.Engine, profile, allowed string, limits container.Limits) (*contained, error) {
	c := &contained{profile: profile}
	cfg := browser.DefaultConfig()
	cfg.Chrome = browser.Chrome{Path: engine.Chrome(), HeadlessShell: true}
	cfg.Sandbox = browser.ChooseSandbox(filepath.Dir(profile), cfg.Chrome)
	cfg.ProfileDir, cfg.DownloadDir = profile, filepath.Join(profile, "Downloads")
	if err := os.MkdirAll(cfg.DownloadDir, 0o700); err != nil {
		return nil, err
	}
	if cfg.Sandbox.UID >= 0 {
		if err := errors.Join(os.Chown(profile, cfg.Sandbox.UID, cfg.Sandbox.GID), os.Chown(cfg.DownloadDir, cfg.Sandbox.UID, cfg.Sandbox.GID)); err != nil {
			return nil, err
		}
	}
	out, err := egress.New(egress.Config{Allowed: func(host, port string) bool { return net.JoinHostPort(host, port) == allowed }})
	if err != nil {
		return nil, err
	}
	c.out, cfg.Egress = out, egressOf{out}
	cfg.Start = func(cmd *exec.Cmd) (group browser.Group, err error) {
		c.group, err = engine.Start(cmd, container.Spec{Profile: profile, UID: cfg.Sandbox.UID, GID: cfg.Sandbox.GID, Limits: limits, Gate: out.Serve})
		return c.group, err
	}
	c.Browser, err = browser.Launch(ctx, cfg)
	return c, err
}

// open starts a browser that is closed with the test.
func open(t *testing.T, engine *container.Engine, allowed string, limits container.Limits) *contained {
	t.Helper()
	c, err := launch(t.Context(), engine, profileDir(t), allowed, limits)
	testkit.Must(t, err)
	t.Cleanup(func() {
		testkit.Must(t, c.Close())
		c.out.Close()
	})
	return c
}

// profileDir returns a directory that the user of Chrome's sandbox can reach.
func profileDir(t *testing.T) string {
	t.Helper()
	return filepath.Join(testkit.OpenTempDir(t), "profile")
}

func engineCommand(t *testing.T, engine *container.Engine, args ...string) string {
	t.Helper()
	command := append(strings.Fields(engine.String()), args...)
	out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).Output()
	testkit.Must(t, err)
	return strings.TrimSpace(string(out))
}

// status returns a line of a process's status, see proc_pid_status(5).
func status(t *testing.T, pid int, name string) []string {
	t.Helper()
	for line := range strings.Lines(testkit.Read(t, fmt.Sprintf("/proc/%d/status", pid))) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.Fields(rest)
		}
	}
	t.Fatalf("process %d has no %s", pid, name)
	return nil
}

// renderer returns a process of the browser that renders pages.
func (c *contained) renderer(t *testing.T) int {
	t.Helper()
	all, err := proc.All()
	testkit.Must(t, err)
	for _, p := range all {
		if p.Group == c.PID() && strings.Contains(proc.Command(p.PID), "--type=renderer") {
			return p.PID
		}
	}
	t.Fatal("the browser renders nothing")
	return 0
}

// TestWalls: both walls stand around a page, and nothing but one server can be reached.
func TestWalls(t *testing.T) {
	t.Parallel()
	engine := find(t)
	page := http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(rw, "<title>order</title>hello")
	})
	portal, other := httptest.NewServer(page), httptest.NewServer(page)
	t.Cleanup(portal.Close)
	t.Cleanup(other.Close)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	testkit.Must(t, closed.Close())
	c := open(t, engine, strings.TrimPrefix(portal.URL, "http://"), container.Limits{Memory: 1 << 30, CPUs: 1})

	res, err := c.Tab().Navigate(t.Context(), portal.URL, "")
	if err != nil || res.Status != http.StatusOK {
		t.Fatalf("%+v, %v", res, err)
	}
	_, zone := time.Unix(0, 0).Zone()
	var shown string
	err = c.Tab().Evaluate(t.Context(), "navigator.onLine + ' ' + new Date(0).getTimezoneOffset()", &shown)
	if want := fmt.Sprint("true ", -zone/60); err != nil || strings.TrimSpace(shown) != want {
		t.Errorf("it shows whether there is a network, and its time zone, as %q, %v; want %q", shown, err, want)
	}
	var failed *browser.NavigationError
	if _, err := c.Tab().Navigate(t.Context(), other.URL, ""); !errors.As(err, &failed) || failed.Text != "net::ERR_BLOCKED_BY_ADMINISTRATOR" {
		t.Errorf("another server: %v", err)
	}
	testkit.Must(t, errors.Join(second(c.Tab().Navigate(t.Context(), portal.URL, ""))))

	pid, page1 := c.PID(), c.renderer(t)
	main, err := proc.Read(pid)
	testkit.Must(t, err)
	first := main.Parent // what reaps processes in the container
	if caps := status(t, pid, "CapEff"); strings.Trim(caps[0], "0") != "" {
		t.Errorf("Chrome has the capabilities %s", caps)
	}
	if status(t, pid, "NoNewPrivs")[0] != "1" {
		t.Error("Chrome may get new privileges")
	}
	if depth := len(status(t, page1, "NSpid")); depth < 3 {
		t.Errorf("a page is %d namespaces of process ids deep, not 3", depth)
	}
	user := func(pid int) string {
		space, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/user", pid))
		testkit.Must(t, err)
		return space
	}
	if user(page1) == user(first) {
		t.Error("a page has the user namespace of the container: Chrome's sandbox is off")
	}
	filters := func(pid int) int {
		n, err := strconv.Atoi(status(t, pid, "Seccomp_filters")[0])
		testkit.Must(t, err)
		return n
	}
	if filters(pid) == 0 || filters(page1) <= filters(pid) {
		t.Errorf("Chrome has %d filters of system calls, a page %d", filters(pid), filters(page1))
	}
	interfaces := strings.Count(testkit.Read(t, fmt.Sprintf("/proc/%d/net/dev", pid)), "\n") - 2
	if routes := strings.Count(testkit.Read(t, fmt.Sprintf("/proc/%d/net/route", pid)), "\n") - 1; interfaces != 1 || routes != 0 {
		t.Errorf("it has %d network interfaces and %d routes", interfaces, routes)
	}
	name := strings.TrimPrefix(c.group.String(), "container ")
	if driver := engineCommand(t, engine, "inspect", "--format", "{{.HostConfig.LogConfig.Type}}", name); driver != "none" {
		t.Errorf("the engine keeps a log (%s)", driver)
	}
	if memory := engineCommand(t, engine, "inspect", "--format", "{{.HostConfig.Memory}} {{.HostConfig.ReadonlyRootfs}}", name); memory != "1073741824 true" && (!engine.Unlimited() || memory != "0 true") {
		t.Errorf("its memory and whether it is read-only: %s", memory)
	}
	testkit.Must(t, c.Close())
	if names := engineCommand(t, engine, "ps", "--all", "--format", "{{.Names}}"); slices.Contains(strings.Fields(names), name) {
		t.Errorf("%s is still there", name)
	}
}

func second[T any](_ T, err error) error { return err }

// ownerVariable makes the test binary be a process that owns a container; its value is the profile.
const ownerVariable = "CONTAINER_TEST_PROFILE"

func ownerMain() bool {
	profile := os.Getenv(ownerVariable)
	if profile == "" {
		return false
	}
	engine, err := container.Find(context.Background(), container.Config{Command: os.Getenv("POSCRAPE_CONTAINER_ENGINE")})
	if err == nil {
		var c *contained
		if c, err = launch(context.Background(), engine, profile, "", container.Limits{}); err == nil {
			fmt.Println(c.PID(), strings.TrimPrefix(c.group.String(), "container "))
		}
	}
	if err != nil {
		fmt.Println(0, err)
	}
	select {} // until it is killed
}

// owner starts a process that owns a container, and returns it with Chrome's id and the container's name.
func owner(t *testing.T) (cmd *exec.Cmd, pid int, name string) {
	t.Helper()
	self, err := os.Executable()
	testkit.Must(t, err)
	cmd = exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), ownerVariable+"="+profileDir(t))
	out, err := cmd.StdoutPipe()
	testkit.Must(t, err)
	testkit.Must(t, cmd.Start())
	if _, err := fmt.Fscanln(out, &pid, &name); err != nil || pid == 0 {
		t.Fatalf("%v, %d, %s", err, pid, name)
	}
	return cmd, pid, name
}

// TestKilledOwner: Chrome ends when its pipe does, and the container with it.
func TestKilledOwner(t *testing.T) {
	t.Parallel()
	engine := find(t)
	cmd, _, name := owner(t)
	testkit.Must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	testkit.Wait(t, "the container's end", func() bool {
		return !slices.Contains(strings.Fields(engineCommand(t, engine, "ps", "--all", "--format", "{{.Names}}")), name)
	})
}

// TestSweep: what does not see the end of its owner is removed by the next one, and what another owner
// has is not.
func TestSweep(t *testing.T) {
	t.Parallel()
	engine := find(t)
	dead, frozen, name := owner(t)
	alive, _, its := owner(t)
	t.Cleanup(func() {
		testkit.Must(t, alive.Process.Kill())
		_ = alive.Wait()
	})
	testkit.Must(t, syscall.Kill(-frozen, syscall.SIGSTOP))
	testkit.Must(t, dead.Process.Kill())
	_ = dead.Wait()
	// Sessions of other tests sweep, too.
	left, err := engine.Leftovers(t.Context())
	testkit.Must(t, err)
	for _, l := range left {
		if l.Name == name && !l.Dead || l.Name == its && l.Dead {
			t.Errorf("its owner is taken for dead: %+v", l)
		}
	}
	removed, err := engine.Sweep(t.Context())
	if err != nil || slices.Contains(removed, its) {
		t.Errorf("removed %q, %v", removed, err)
	}
	testkit.Wait(t, "the end of the frozen browser", func() bool {
		p, err := proc.Read(frozen)
		return err != nil || p.Ended
	})
	if names := strings.Fields(engineCommand(t, engine, "ps", "--all", "--format", "{{.Names}}")); slices.Contains(names, name) || !slices.Contains(names, its) {
		t.Errorf("there are %q", names)
	}
}

// TestFrozenBrowser: one that does not see its pipe's end is ended by its name.
func TestFrozenBrowser(t *testing.T) {
	t.Parallel()
	c := open(t, find(t), "", container.Limits{})
	testkit.Must(t, syscall.Kill(-c.PID(), syscall.SIGSTOP))
	testkit.Must(t, c.Close())
}
