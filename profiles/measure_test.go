package profiles

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestSizeCountsAllFiles(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{})
	p := create(t, m, "worker")
	before, err := m.Size(p)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.Downloads, "a.pdf"), strings.Repeat("x", 1000))
	write(t, filepath.Join(p.Path, "Default", "deep", "er", "b"), strings.Repeat("x", 234))
	if after, err := m.Size(p); err != nil || after != before+1234 {
		t.Errorf("size went from %d to %d, want 1234 more; %v", before, after, err)
	}
}

func TestSizeFollowsNoSymbolicLink(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	m := newManager(t, Config{})
	p := create(t, m, "worker")
	outside := t.TempDir()
	write(t, filepath.Join(outside, "large"), strings.Repeat("x", 100_000))
	if err := os.Symlink(outside, filepath.Join(p.Path, "link")); err != nil {
		t.Fatal(err)
	}
	if size, err := m.Size(p); err != nil || size >= 100_000 {
		t.Errorf("size is %d, %v", size, err)
	}
	if err := m.Remove(p); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(outside, "large")); err != nil {
		t.Errorf("removing the profile reached outside: %v", err)
	}
}

func TestValidateSeesWhatIsWrong(t *testing.T) {
	t.Parallel()
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		harm func(t *testing.T, p *Profile)
		want error
		unix bool
	}{
		"removed": {func(t *testing.T, p *Profile) { must(t, os.RemoveAll(p.Path)) }, ErrTampered, false},
		"replaced": {func(t *testing.T, p *Profile) {
			must(t, os.Rename(p.Path, p.Path+".away"))
			must(t, os.Mkdir(p.Path, 0o700))
		}, ErrTampered, false},
		"a link": {func(t *testing.T, p *Profile) {
			must(t, os.Rename(p.Path, p.Path+".away"))
			must(t, os.Symlink(p.Path+".away", p.Path))
		}, ErrTampered, true},
		"open to all":  {func(t *testing.T, p *Profile) { must(t, os.Chmod(p.Path, 0o755)) }, ErrTampered, true},
		"no downloads": {func(t *testing.T, p *Profile) { must(t, os.Remove(p.Downloads)) }, ErrTampered, false},
		"too large":    {func(t *testing.T, p *Profile) { write(t, filepath.Join(p.Path, "x"), strings.Repeat("x", 5000)) }, ErrTooLarge, false},
		"nothing":      {func(*testing.T, *Profile) {}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.unix && runtime.GOOS == "windows" {
				t.Skip("modes and links are not used on Windows")
			}
			m := newManager(t, Config{SizeLimit: 4000})
			p := create(t, m, "worker")
			test.harm(t, p)
			t.Cleanup(func() { _ = os.RemoveAll(p.Path + ".away") })
			err := m.Validate(p)
			if !errors.Is(err, test.want) {
				t.Errorf("error is %v, want %v", err, test.want)
			}
			if err != nil {
				wantMessage(t, err, p.Path)
			}
			if err := m.Remove(p); err != nil {
				t.Errorf("a harmed profile cannot be removed: %v", err)
			}
		})
	}
}
