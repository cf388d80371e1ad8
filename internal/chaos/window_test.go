//go:build linux

package chaos

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
)

// display starts a display that nobody sees, and returns its name.
func display(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("Xvfb is not installed, so no window can be opened")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	x := exec.Command(path, "-displayfd", "3", "-ac", "-nolisten", "tcp", "-screen", "0", "1280x1000x24")
	x.ExtraFiles = []*os.File{write}
	err = x.Start()
	_ = write.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = x.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = x.Wait()
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return ":" + strings.TrimSpace(number)
}

// TestSignInInAWindow has a person sign in in a window: until the recipe's login.success is seen, until
// Enter is pressed, or until the window is closed.
func TestSignInInAWindow(t *testing.T) {
	beside(t)
	d := newDoored(t, 1, &portal.Door{}, "")
	d.env = append(d.env, "DISPLAY="+display(t))
	recipe, err := os.ReadFile(d.recipe)
	if err != nil {
		t.Fatal(err)
	}
	enter, press, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = enter.Close(); _ = press.Close() })
	d.stdin = enter
	in := strings.Replace(string(recipe), portal.DoorPath, "/door/home", 1) // where somebody is signed in
	without, _, _ := strings.Cut(in, "  success:")
	for name, c := range map[string]struct {
		recipe string
		do     func()
		code   int
	}{
		"seen":   {in, func() {}, 0},
		"Enter":  {without, func() { _, _ = press.WriteString("\n") }, 0},
		"closed": {string(recipe), d.closeWindows, 5},
	} {
		file := filepath.Join(d.dir, name+".yaml")
		if err := os.WriteFile(file, []byte(c.recipe), 0o600); err != nil {
			t.Fatal(err)
		}
		login := d.start("login", "--recipe", file)
		testkit.Wait(t, "the window", func() bool {
			return strings.Contains(login.said(), "Sign in") && (name != "closed" || d.door.Counts().Asked > 0)
		})
		c.do()
		login.mustExit(c.code)
		state := filepath.Join(d.dir, name+".state.json")
		printed, err := os.ReadFile(login.stdout)
		_, there := os.Stat(state)
		if want := map[int]string{0: state + "\n"}[c.code]; err != nil || string(printed) != want || (there == nil) != (want != "") {
			t.Errorf("%s: it printed %q, and of the file is known %v", name, printed, there)
		}
		if left := d.processesAndTemporaries(); len(left) > 0 {
			t.Errorf("%s: left are %q", name, left)
		}
	}
}

// closeWindows ends the browsers as people do.
func (d *doored) closeWindows() {
	for _, g := range groupsOf(d.tmp) {
		_ = syscall.Kill(g.pgid, syscall.SIGTERM) // it may have ended
	}
}
