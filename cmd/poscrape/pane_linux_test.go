package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/poscrape/poscrape/internal/testkit"
)

// pane is a terminal of its own: a pseudo-terminal of the system, with a screen at its other end.
type pane struct {
	t   *testing.T
	dir string
	// far is the end at which a terminal is, and its user.
	far *os.File

	mu     sync.Mutex
	screen *screen
	// cutOff is what was written last and is not whole yet.
	cutOff []byte
}

// newPane runs a shell command in a terminal of so many columns. It writes a line with its exit code
// when it has ended.
func newPane(t *testing.T, columns int, command string) *pane {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes seconds to see what a terminal shows")
	}
	far, near := openTerminal(t)
	p := &pane{t: t, dir: t.TempDir(), far: far, screen: newScreen(t, columns)}
	p.setWidth(columns)
	// A Ctrl-C is for the command; the shell goes on.
	sh := exec.Command("sh", "-c", "trap : INT; "+command+"; echo \"exit code $?\"")
	sh.Dir, sh.Env = p.dir, append(os.Environ(), "TERM=xterm")
	sh.Stdin, sh.Stdout, sh.Stderr = near, near, near
	sh.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err := sh.Start()
	_ = near.Close()
	if err != nil {
		_ = far.Close()
		t.Fatal(err)
	}
	silent := make(chan struct{})
	go func() {
		defer close(silent)
		_, _ = io.Copy(p, far) // until no process has the terminal any more
	}()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the terminal shows\n%s", strings.Join(p.rows(), "\n"))
		}
		endCommands(sh.Process.Pid, silent)
		_ = sh.Wait() // its exit code is on the screen
		_ = far.Close()
	})
	return p
}

// endCommands waits until nothing runs in a terminal any more. What goes on there after a failure is
// told to end, again and again, as a session needs to be told twice.
func endCommands(group int, silent <-chan struct{}) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-silent:
			return
		case <-ticker.C:
			_ = syscall.Kill(-group, syscall.SIGTERM)
		}
	}
}

// openTerminal returns the two ends of a new terminal: its user's, and that of the programs in it.
func openTerminal(t *testing.T) (far, near *os.File) {
	t.Helper()
	far, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	if err = unix.IoctlSetPointerInt(int(far.Fd()), unix.TIOCSPTLCK, 0); err == nil {
		number, err = unix.IoctlGetInt(int(far.Fd()), unix.TIOCGPTN)
	}
	if err == nil {
		near, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		_ = far.Close()
		t.Fatal(err)
	}
	return far, near
}

func (p *pane) setWidth(columns int) {
	if err := unix.IoctlSetWinsize(int(p.far.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(columns), Row: 40}); err != nil {
		p.t.Error(err)
	}
}

// Write shows what a program has written. The end of it may be a part of a character or of a control
// sequence: that is kept until the rest comes.
func (p *pane) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := slices.Concat(p.cutOff, text)
	n := wholeUntil(all)
	_, err := p.screen.Write(all[:n])
	p.cutOff = all[n:]
	return len(text), err
}

// wholeUntil returns how much of a text comes before a last character or control sequence that is not
// whole.
func wholeUntil(text []byte) int {
	if i := strings.LastIndexByte(string(text), '\x1b'); i >= 0 && !strings.ContainsAny(string(text[i:]), "AKJ") {
		return i
	}
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}

// resize gives the terminal another width.
func (p *pane) resize(columns int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.setWidth(columns)
	p.screen.resize(columns)
}

// press presses keys.
func (p *pane) press(keys string) {
	p.t.Helper()
	if _, err := io.WriteString(p.far, keys); err != nil {
		p.t.Fatal(err)
	}
}

// rows returns what is on the screen and above it, without empty lines.
func (p *pane) rows() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var rows []string
	for _, row := range p.screen.rows() {
		if row != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// shows waits until the screen has a text.
func (p *pane) shows(text string) {
	p.t.Helper()
	testkit.Wait(p.t, "the terminal to show "+strconv.Quote(text), func() bool {
		return strings.Contains(strings.Join(p.rows(), "\n"), text)
	})
}
