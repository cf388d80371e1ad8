package profiles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestSweepRemovesWhatAKilledOwnerLeft(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	owner, root := startOwner(t, parent, nil)
	processes := 0
	if startBrowser != nil {
		processes = 2
	}
	if swept := sweep(t, parent); len(swept.Removed)+len(swept.Left) != 0 {
		t.Errorf("while the owner lives: %+v", swept)
	}
	if left, err := Leftovers(parent); err != nil || len(left) != 0 {
		t.Errorf("while the owner lives: %+v, %v", left, err)
	}
	kill(owner)
	for range 2 { // looking changes nothing
		left, err := Leftovers(parent)
		if err != nil || len(left) != 1 {
			t.Fatalf("after the kill: %+v, %v", left, err)
		}
		l := left[0]
		if l.Path != root || l.OwnerPID != owner.Process.Pid || l.Profiles != 1 || l.Size == 0 || l.Reason != "" ||
			len(l.Processes) != processes || time.Since(l.Since) > time.Hour {
			t.Errorf("after the kill: %+v", l)
		}
	}
	swept := sweep(t, parent)
	if len(swept.Removed) != 1 || swept.Removed[0].Path != root || len(swept.Left) != 0 ||
		len(swept.Removed[0].Processes) != processes {
		t.Errorf("swept: %+v", swept)
	}
	wantEmpty(t, parent)
}

// Sweepers and a Close that meet do not get in each other's way, and each root is
// swept by one.
func TestSweepersMeet(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	const roots, sweepers = 5, 4
	for range roots {
		deadRoot(t, parent)
	}
	m, err := NewManager(Config{Parent: parent, MinFree: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := create(t, m, "worker")
	var wg sync.WaitGroup
	all := make([]Swept, sweepers)
	for i := range all {
		wg.Go(func() { all[i] = sweep(t, parent) })
	}
	wg.Wait()
	removed := map[string]int{}
	for _, swept := range all {
		for _, l := range swept.Removed {
			removed[l.Path]++
		}
		if len(swept.Left) > 0 {
			t.Errorf("left: %+v", swept.Left)
		}
	}
	for path, n := range removed {
		if n != 1 {
			t.Errorf("%s was removed by %d sweepers", path, n)
		}
	}
	if len(removed) != roots {
		t.Errorf("%d roots were removed, want %d", len(removed), roots)
	}
	if err := m.Validate(p); err != nil {
		t.Errorf("the living owner's profile: %v", err)
	}
	for range sweepers {
		wg.Go(func() { sweep(t, parent) })
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	wantEmpty(t, parent)
}

func TestSweepTouchesNothingOfOthers(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	write(t, filepath.Join(parent, "poscrape-1-1", lockFile), "") // no owner's record: perhaps in the making
	write(t, filepath.Join(parent, "poscrape-1-2", ownerFile), "{}")
	write(t, filepath.Join(parent, "poscrape-1-3"), "a file")
	write(t, filepath.Join(parent, "poscrape-mine", lockFile), "")
	write(t, filepath.Join(parent, "poscrape-mine", ownerFile), "{}")
	if err := os.MkdirAll(filepath.Join(parent, "poscrape-1-5"), 0o700); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		elsewhere := t.TempDir()
		write(t, filepath.Join(elsewhere, lockFile), "")
		write(t, filepath.Join(elsewhere, ownerFile), "{}")
		for name, target := range map[string]string{
			"poscrape-1-4": elsewhere, "poscrape-1-6/" + ownerFile: filepath.Join(elsewhere, ownerFile),
		} {
			write(t, filepath.Join(parent, "poscrape-1-6", lockFile), "")
			if err := os.Symlink(target, filepath.Join(parent, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := listing(t, parent)
	if left, err := Leftovers(parent); err != nil || len(left) != 0 {
		t.Errorf("left: %+v, %v, want none", left, err)
	}
	if swept := sweep(t, parent); len(swept.Removed)+len(swept.Left) != 0 {
		t.Errorf("swept: %+v, want nothing", swept)
	}
	if after := listing(t, parent); after != before {
		t.Errorf("it was\n%sand is\n%s", before, after)
	}
	missing := filepath.Join(parent, "missing")
	_, err := Leftovers(missing)
	_, sweepErr := Sweep(t.Context(), missing)
	if !errors.Is(err, fs.ErrNotExist) || !errors.Is(sweepErr, fs.ErrNotExist) {
		t.Errorf("a missing parent: %v and %v", err, sweepErr)
	}
}

// listing names everything below dir, with what kind of thing it is.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var text strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			fmt.Fprintln(&text, d.Type(), path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// Each parent is looked at once, and one that is missing keeps none from it.
func TestSweepOfSeveralParents(t *testing.T) {
	t.Parallel()
	one, other := t.TempDir(), t.TempDir()
	deadRoot(t, one)
	deadRoot(t, other)
	parents := []string{one, filepath.Join(one, "missing"), other, one}
	if left, err := Leftovers(parents...); len(left) != 2 || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left: %+v, %v", left, err)
	}
	swept, err := Sweep(t.Context(), parents...)
	if len(swept.Removed) != 2 || len(swept.Left) != 0 || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("swept: %+v, %v", swept, err)
	}
	wantEmpty(t, one)
	wantEmpty(t, other)
}

// A directory that its owner was making when it was killed is named, once it is
// certain that nobody is making it any more, and not touched.
func TestHalfMadeRootIsNamed(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	path := filepath.Join(parent, "poscrape-1-1")
	write(t, filepath.Join(path, lockFile), "")
	long := time.Now().Add(-2 * makingTakes)
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	left, err := Leftovers(parent)
	if err != nil || len(left) != 1 || !strings.Contains(left[0].Reason, "it has no "+ownerFile) {
		t.Errorf("left: %+v, %v", left, err)
	}
	if swept := sweep(t, parent); len(swept.Removed) != 0 || len(swept.Left) != 1 {
		t.Errorf("swept: %+v", swept)
	}
	if _, err := os.Stat(filepath.Join(path, lockFile)); err != nil {
		t.Error(err)
	}
}

// A record that was cut off, or is none, keeps neither its own root nor others
// from being swept.
func TestSweepWithDamagedRecords(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	for _, damaged := range []string{"", "{", `{"processes":[{"pid":`, `{"processes":"many"}`, `{"processes":[{"pid":-1,"pgid":-1}]}`, "\x00\xff"} {
		root, profile := deadRoot(t, parent)
		write(t, profile+recordSuffix, damaged)
		write(t, filepath.Join(root, ownerFile), damaged)
		if err := os.Mkdir(filepath.Join(root, "odd.json"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	deadRoot(t, parent)
	if swept := sweep(t, parent); len(swept.Removed) != 7 || len(swept.Left) != 0 {
		t.Errorf("swept: %+v", swept)
	}
	wantEmpty(t, parent)
}

func TestSweepFollowsNoLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	parent, outside := t.TempDir(), t.TempDir()
	precious := filepath.Join(outside, "deep", "precious")
	write(t, precious, "x")
	root, profile := deadRoot(t, parent)
	for link, target := range map[string]string{
		filepath.Join(profile, "outside"): outside, filepath.Join(profile, "Default", "up"): "../../..",
		filepath.Join(root, "worker-2"): outside, filepath.Join(root, "worker-2.json"): precious,
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(precious), 0o500); err != nil {
		t.Fatal(err)
	}
	if swept := sweep(t, parent); len(swept.Removed) != 1 {
		t.Errorf("swept: %+v", swept)
	}
	wantEmpty(t, parent)
	info, err := os.Stat(filepath.Dir(precious))
	if err != nil || info.Mode().Perm() != 0o500 {
		t.Errorf("outside: %v, %v", info, err)
	}
	if content, err := os.ReadFile(precious); err != nil || string(content) != "x" {
		t.Errorf("outside: %q, %v", content, err)
	}
}

func TestSweepThatIsCancelledBeginsNothing(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	deadRoot(t, parent)
	before := listing(t, parent)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	swept, err := Sweep(ctx, parent)
	if err != nil || len(swept.Removed)+len(swept.Left) != 0 {
		t.Errorf("swept: %+v, %v", swept, err)
	}
	if after := listing(t, parent); after != before {
		t.Errorf("it was\n%sand is\n%s", before, after)
	}
}

// BenchmarkSweepOfNothing is what every start pays, in a directory with 10,000
// entries of others.
func BenchmarkSweepOfNothing(b *testing.B) {
	parent := b.TempDir()
	for i := range 10_000 {
		if err := os.WriteFile(filepath.Join(parent, fmt.Sprintf("entry-%d", i)), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if swept, err := Sweep(b.Context(), parent); err != nil || len(swept.Removed) != 0 {
			b.Fatal(swept, err)
		}
	}
}
