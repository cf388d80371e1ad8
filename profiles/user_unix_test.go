//go:build unix

package profiles

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// other is a user that owns nothing here: it need not have an account.
const other = 54321

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to run something as another user")
	}
}

// reachable returns a directory of the test's own that every user can enter.
func reachable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(path, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func as(uid uint32, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	cmd.Dir = "/"
	return cmd
}

func TestProfilesAreGivenToTheUserOfChrome(t *testing.T) {
	t.Parallel()
	needRoot(t)
	m := newManager(t, Config{Parent: reachable(t), UID: other, GID: other, Base: newBase(t)})
	p := create(t, m, "worker")
	if err := m.Validate(p); err != nil {
		t.Error(err)
	}
	err := filepath.WalkDir(p.Path, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if stat := info.Sys().(*syscall.Stat_t); stat.Uid != other || stat.Gid != other {
			t.Errorf("%s belongs to %d:%d", path, stat.Uid, stat.Gid)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for what, test := range map[string]struct {
		uid   uint32
		shell string
		works bool
	}{
		"the user writes":               {other, `echo x >"$0/Default/x" && echo x >"$0/Downloads/x" && cat "$0/Default/Cookies"`, true},
		"the user lists the root":       {other, `ls "$0/.."`, false},
		"the user writes records":       {other, `echo x >"$0.json"`, false},
		"the user reads the base":       {other, `cat "$0/../base/Default/Cookies"`, false},
		"another user enters":           {other + 1, `cat "$0/Default/Cookies"`, false},
		"another user lists downloads":  {other + 1, `ls "$0/Downloads"`, false},
		"the user plants a link to us":  {other, `ln -s "$0/../owner.json" "$0/Default/link"`, true},
		"the user shuts a directory up": {other, `mkdir "$0/shut" && touch "$0/shut/x" && chmod 0 "$0/shut"`, true},
	} {
		if out, err := as(test.uid, "sh", "-c", test.shell, p.Path).CombinedOutput(); (err == nil) != test.works {
			t.Errorf("%s: %v: %s", what, err, out)
		}
	}
	if err := m.Remove(p); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(m.Root(), ownerFile)); err != nil {
		t.Errorf("the owner's record: %v", err)
	}
}

func TestUnreachableParentIsRefused(t *testing.T) {
	t.Parallel()
	needRoot(t)
	parent := t.TempDir() // 0700 above it
	_, err := NewManager(Config{Parent: parent, UID: other})
	wantMessage(t, err, "54321", filepath.Dir(parent), "--temp-dir")
	wantEmpty(t, parent)
}

// TestUnwritableDirectoriesAreRemoved needs a user whom modes bind: as root it
// runs itself again as another user.
func TestUnwritableDirectoriesAreRemoved(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		runAsOther(t, "TestUnwritableDirectoriesAreRemoved")
		return
	}
	m := newManager(t, Config{})
	p := create(t, m, "worker")
	deep := filepath.Join(p.Path, "Default", "a", "b")
	write(t, filepath.Join(deep, "file"), "x")
	for _, dir := range []string{deep, filepath.Dir(deep), p.Downloads, p.Path} {
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(deep), 0); err != nil {
		t.Fatal(err)
	}
	if err := m.Remove(p); err != nil {
		t.Error(err)
	}
	wantOnlyOwner(t, m)
}

func TestOnlyRootCanGiveProfilesAway(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		runAsOther(t, "TestOnlyRootCanGiveProfilesAway")
		return
	}
	wantMessage(t, Config{UID: os.Geteuid() + 1}.Validate(), "UID", "only root")
	m := newManager(t, Config{UID: os.Geteuid()})
	if err := m.Validate(create(t, m, "worker")); err != nil {
		t.Error(err)
	}
}

func runAsOther(t *testing.T, test string) {
	t.Helper()
	dir := reachable(t)
	binary := filepath.Join(dir, "test")
	// Written by this process, it could not be run while another test's child
	// is just being started: that has every file open that this process has.
	if out, err := exec.Command("cp", os.Args[0], binary).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	temp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(temp, other, other); err != nil {
		t.Fatal(err)
	}
	cmd := as(other, binary, "-test.v", "-test.run=^"+test+"$")
	cmd.Env = []string{"TMPDIR=" + temp, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+test) {
		t.Errorf("as user %d: %v\n%s", other, err, out)
	}
}
