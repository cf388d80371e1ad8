package proc

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
)

const statLine = "50 (a) S 9 9 (b) Z 1 40 30 0 -1 4194304 1 2 3 4 10 20 30 40 20 0 1 0 100 1000 7 0 0\n"

func TestParseStat(t *testing.T) {
	t.Parallel()
	want := Process{
		PID: 50, Parent: 1, Group: 40, Session: 30, Name: "a) S 9 9 (b", Ended: true, Start: 100,
		Own: 300 * time.Millisecond, Children: 700 * time.Millisecond, Resident: 7 * int64(os.Getpagesize()),
	}
	if got, err := parse(50, []byte(statLine)); err != nil || got != want {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	for _, line := range []string{"", "50", "50 (a", "50 a) S 1", ")(", statLine[:40], strings.Replace(statLine, " 100 ", " x ", 1)} {
		if p, err := parse(50, []byte(line)); err == nil {
			t.Errorf("%q is %+v", line, p)
		}
	}
}

func TestParseMemory(t *testing.T) {
	t.Parallel()
	const rollup = "00400000-7ffd [rollup]\nRss:  900 kB\nPss:  100 kB\nPss_Dirty:  50 kB\nSwap:  90 kB\nSwapPss:  20 kB\n"
	if n, err := proportional([]byte(rollup)); err != nil || n != 120<<10 {
		t.Errorf("got %d, %v", n, err)
	}
	if _, err := proportional(nil); !errors.Is(err, ErrEnded) {
		t.Errorf("without a figure: %v", err)
	}
	if n, err := proportional([]byte("Pss: many kB\n")); err == nil {
		t.Errorf("no number is %d", n)
	}
}

func TestReadsAProcess(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	cmd := exec.Command("cat", "-")
	cmd.Env = []string{"HOME=" + home + "/"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	p, err := Read(pid)
	if err != nil || p.PID != pid || p.Parent != os.Getpid() || p.Group != pid || p.Ended || p.Start == 0 {
		t.Errorf("got %+v, %v", p, err)
	}
	all, err := All()
	if err != nil || !slices.ContainsFunc(all, func(o Process) bool { return o.PID == pid && o.Start == p.Start }) {
		t.Errorf("it is not among %+v, %v", all, err)
	}
	if line := Command(pid); line != "cat -" {
		t.Errorf("its command is %q", line)
	}
	if n, err := Memory(pid); err != nil || n <= 0 {
		t.Errorf("its memory is %d, %v", n, err)
	}
	if uid, ok := User(pid); !ok || uid != os.Getuid() {
		t.Errorf("its user is %d, %v", uid, ok)
	}
	if got := Home(pid); got != home {
		t.Errorf("its home is %q, want %q", got, home)
	}
	if program := Program(pid); program == "" || program == Program(os.Getpid()) {
		t.Errorf("its program is %q", program)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	testkit.Wait(t, "the child to end", func() bool {
		p, err := Read(pid)
		return err != nil || p.Ended
	})
	if p, err := Read(pid); err != nil || !p.Ended {
		t.Errorf("as a zombie it is %+v, %v", p, err)
	}
	if n, err := Memory(pid); !errors.Is(err, ErrEnded) {
		t.Errorf("a zombie's memory is %d, %v", n, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if p, err := Read(pid); err == nil {
		t.Errorf("when it is gone it is %+v", p)
	}
	if _, err := Memory(pid); !errors.Is(err, ErrEnded) {
		t.Errorf("when it is gone, its memory: %v", err)
	}
	if uid, ok := User(pid); ok || Command(pid)+Program(pid)+Home(pid) != "" {
		t.Errorf("when it is gone, it has the user %d, or a command, a program or a home", uid)
	}
}

func TestReadsTheSystem(t *testing.T) {
	t.Parallel()
	if id := Boot(); len(id) != 36 {
		t.Errorf("this start of the system is %q", id)
	}
	if space := Namespace("pid"); !strings.HasPrefix(space, "pid:[") {
		t.Errorf("the namespace of ids is %q", space)
	}
	if none := Namespace("none"); none != "" {
		t.Errorf("there is a namespace %q", none)
	}
}
