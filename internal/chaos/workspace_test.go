//go:build linux

package chaos

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
)

// workspace is where one run happens: a sheet, a session folder, and a directory
// for temporary files that is its own, so that what lies there is its own too.
type workspace struct {
	t                    *testing.T
	dir, tmp, out, sheet string
	gauge                string
	env                  []string
	around               []string // a command that runs its arguments, or nothing
	started              int
	// stdin is that of what is started, or nil.
	stdin *os.File
}

// newWorkspace makes one for the orders of a site, with further rows of number
// and address. The browsers' own user can get there.
func newWorkspace(t *testing.T, s *site, more ...[2]string) *workspace {
	t.Helper()
	dir, err := os.MkdirTemp("", "chaos-") //nolint:usetesting // the browsers' own user cannot enter t.TempDir()
	if err != nil {
		t.Fatal(err)
	}
	p := &workspace{t: t, dir: dir, tmp: filepath.Join(dir, "tmp"), out: filepath.Join(dir, "out"),
		sheet: filepath.Join(dir, "pos.csv"), gauge: filepath.Join(dir, "goroutines")}
	t.Cleanup(func() {
		p.endBrowsers()
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(p.tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	s.writeSheet(p.sheet, more...)
	return p
}

// endBrowsers ends what a failed test has left, by the ids that are provably the
// workspace.
func (p *workspace) endBrowsers() {
	for _, g := range groupsOf(p.tmp) {
		g.kill()
	}
}

// run starts poscrape run on the sheet.
func (p *workspace) run(flags ...string) *process {
	p.t.Helper()
	args := append([]string{"run", "--json", "--no-scale", "-o", p.out}, flags...)
	return p.start(append(args, p.sheet)...)
}

// resume starts poscrape resume on the session folder.
func (p *workspace) resume(flags ...string) *process {
	p.t.Helper()
	return p.start(append([]string{"resume", "--json", p.out}, flags...)...)
}

// left returns what is there after a run that should have left nothing but the
// session folder: processes, temporary files, staged files, and files below
// orders that the report does not list.
func (p *workspace) left(r report) []string {
	p.t.Helper()
	left := append(p.processesAndTemporaries(), p.files("session.db-*", "session.db.lock", ".staging/*", ".reserve")...)
	return append(left, r.unlisted(p)...)
}

// files returns what is in the session folder under these patterns.
func (p *workspace) files(patterns ...string) []string {
	p.t.Helper()
	return glob(p.t, p.out, patterns...)
}

func glob(t *testing.T, dir string, patterns ...string) []string {
	t.Helper()
	var found []string
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, names...)
	}
	return found
}

// processesAndTemporaries returns the browsers that run, and what lies in the
// directory for temporary files.
func (p *workspace) processesAndTemporaries() []string {
	p.t.Helper()
	return append(p.processes(), glob(p.t, p.tmp, "*", ".*")...)
}

// processes returns the browsers that still run when all should have ended.
func (p *workspace) processes() []string {
	p.t.Helper()
	var left []string
	if !testkit.Holds(func() bool { return len(groupsOf(p.tmp)) == 0 }) {
		for _, g := range groupsOf(p.tmp) {
			left = append(left, g.String())
		}
	}
	return left
}
