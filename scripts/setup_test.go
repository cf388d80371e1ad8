//go:build unix

// Package scripts tests the set-up script on machines made of stand-in programs.
package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// machine is a directory of programs, the only one in the script's PATH.
type machine struct {
	t    *testing.T
	bin  string
	log  string
	vars []string
}

// newMachine returns one with a shell's basics and go, but nothing else. The go
// command's C compiler is a program named cc.
func newMachine(t *testing.T, user string, programs ...string) *machine {
	t.Helper()
	dir := t.TempDir()
	m := &machine{t: t, bin: filepath.Join(dir, "bin"), log: filepath.Join(dir, "log")}
	if err := os.Mkdir(m.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"env", "readlink", "chmod"} {
		tool, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(tool, filepath.Join(m.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	m.add("id", "echo "+user)
	m.add("go", "echo cc")
	for _, name := range programs {
		m.add(name, ":")
	}
	return m
}

// add puts a shell script into the machine.
func (m *machine) add(name, script string) {
	m.t.Helper()
	path := filepath.Join(m.bin, name)
	// A child that a parallel test forks now would hold the file open for writing,
	// and the system runs no such file.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		m.t.Fatal(err)
	}
}

// addApt adds an apt-get that logs each call and installs any of these packages
// as a program of the same name; with another one the call fails, as apt-get's does.
func (m *machine) addApt(packages ...string) {
	m.add("apt-get", `
echo "apt-get $*" >>`+m.log+`
[ "$2" = update ] && exit 0
while [ "$1" != --no-install-recommends ]; do shift; done
shift
for package; do
	case " `+strings.Join(packages, " ")+` " in
	*" $package "*) ;;
	*) echo "Unable to locate package $package" >&2; exit 100 ;;
	esac
done
for package; do
	[ "$package" = gcc ] && package=cc
	[ "$package" = libnss3-tools ] && package=certutil
	[ "$package" = nodejs ] && package=node
	echo "#!/bin/sh" >`+m.bin+`/$package
	chmod +x `+m.bin+`/$package
done`)
}

// addSudo adds a sudo that logs that it was used.
func (m *machine) addSudo() {
	m.add("sudo", `echo "sudo $1" >>`+m.log+`; [ "$1" = -n ] && shift; exec "$@"`)
}

// setup runs the script and returns its exit code, its output, and the log.
func (m *machine) setup(what string) (code int, output string, log []string) {
	m.t.Helper()
	script, err := filepath.Abs("setup")
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.CommandContext(m.t.Context(), script, what)
	cmd.Env = append([]string{"PATH=" + m.bin}, m.vars...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	text, err := os.ReadFile(m.log)
	if err != nil && !os.IsNotExist(err) {
		m.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out), strings.Split(strings.TrimSpace(string(text)), "\n")
}

func TestSetupWithAllThere(t *testing.T) {
	t.Parallel()
	for what, programs := range map[string][][]string{
		"demo":  {{"chrome-headless-shell"}, {"chromium-headless-shell"}, {"chromium"}, {"google-chrome"}},
		"test":  {{"chrome-headless-shell", "google-chrome", "cc", "tmux", "certutil"}, {"chromium-headless-shell", "chromium", "cc", "tmux", "certutil"}},
		"lint":  {{"node", "npm"}},
		"bench": {{"chrome-headless-shell", "node", "npm"}, {"chromium-headless-shell", "node", "npm"}},
	} {
		for _, there := range programs {
			m := newMachine(t, "0", there...)
			m.addApt()
			code, output, log := m.setup(what)
			if code != 0 || output != "" || log[0] != "" {
				t.Errorf("%s with %q: exit code %d, %q, calls %q; want 0, silence, none", what, there, code, output, log)
			}
		}
	}
}

func TestSetupInstalls(t *testing.T) {
	t.Parallel()
	const (
		update  = "apt-get -q update"
		install = "apt-get -q -y -o DPkg::Lock::Timeout=120 install --no-install-recommends "
	)
	all := []string{"chromium-headless-shell", "chromium", "gcc", "libc6-dev", "tmux", "libnss3-tools"}
	for _, c := range []struct {
		name, what, user string
		there, packages  []string
		want             []string
	}{
		{"a Chrome", "demo", "0", nil, all, []string{update, install + "chromium-headless-shell"}},
		{
			"an older Debian", "demo", "0", nil, []string{"chromium"},
			[]string{update, install + "chromium-headless-shell", install + "chromium"},
		},
		{
			"all for the tests", "test", "0", nil, all,
			[]string{update, install + "chromium-headless-shell chromium gcc libc6-dev tmux libnss3-tools"},
		},
		{"only what is missing", "test", "0", []string{"chromium", "cc", "tmux", "certutil"}, all, []string{update, install + "chromium-headless-shell"}},
		{"all to lint", "lint", "0", nil, []string{"nodejs", "npm"}, []string{update, install + "nodejs npm"}},
		{
			"all for the benchmark", "bench", "0", nil, []string{"chromium-headless-shell", "nodejs", "npm"},
			[]string{update, install + "chromium-headless-shell nodejs npm"},
		},
		{"with sudo", "demo", "1000", nil, all, []string{"sudo -n", update, "sudo -n", install + "chromium-headless-shell"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, c.user, c.there...)
			m.addApt(c.packages...)
			m.addSudo()
			code, output, log := m.setup(c.what)
			if code != 0 || !slices.Equal(log, c.want) {
				t.Errorf("exit code %d, calls %q, want 0 and %q; it printed:\n%s", code, log, c.want, output)
			}
		})
	}
}

func TestSetupSaysWhatToInstall(t *testing.T) {
	t.Parallel()
	noApt := func(*machine) {}
	noRights := func(m *machine) {
		m.addApt("chromium-headless-shell", "chromium", "gcc", "libc6-dev", "tmux", "libnss3-tools")
	}
	for _, c := range []struct {
		name, what string
		prepare    func(*machine)
		want       []string
		calls      bool
	}{
		{"demo without apt", "demo", noApt, []string{"a Chrome", "POSCRAPE_CHROME", "same command again"}, false},
		{"tests without apt", "test", noApt, []string{"chrome-headless-shell", "google-chrome", "C compiler", "tmux"}, false},
		{"lint without apt", "lint", noApt, []string{"The lint needs this", "Node.js 18", "npm"}, false},
		{"benchmark without apt", "bench", noApt, []string{"chrome-headless-shell", "Node.js 18", "npm"}, false},
		{
			"demo without rights", "demo", noRights,
			[]string{"apt-get update", "apt-get install -y --no-install-recommends chromium-headless-shell\n"}, false,
		},
		{
			"tests without rights", "test", noRights,
			[]string{"apt-get install -y --no-install-recommends chromium-headless-shell chromium gcc libc6-dev tmux libnss3-tools\n"}, false,
		},
		{"no such package", "demo", func(m *machine) { m.addSudo(); m.addApt() }, []string{"Unable to locate", "a Chrome"}, true},
		{"a snap", "demo", addSnap, []string{"no snap package"}, false},
		{
			"a wrong POSCRAPE_CHROME", "demo", func(m *machine) { m.vars = append(m.vars, "POSCRAPE_CHROME=/nowhere/chrome") },
			[]string{"/nowhere/chrome", "unset it"}, false,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, "1000")
			c.prepare(m)
			code, output, log := m.setup(c.what)
			if code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			for _, want := range c.want {
				if !strings.Contains(output, want) {
					t.Errorf("the output lacks %q:\n%s", want, output)
				}
			}
			if called := log[0] != ""; called != c.calls {
				t.Errorf("calls: %q", log)
			}
		})
	}
}

// addSnap adds a Chromium that leads to the snap command.
func addSnap(m *machine) {
	snap := filepath.Join(m.t.TempDir(), "snap")
	if err := os.WriteFile(snap, []byte("#!/bin/sh\n"), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Symlink(snap, filepath.Join(m.bin, "chromium")); err != nil {
		m.t.Fatal(err)
	}
}
