//go:build linux

package chaos

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
)

// diskOrders bring home some 40 MB of documents in the full suite.
func diskOrders() portal.Config {
	return portal.Config{Orders: 60, Variations: []portal.Variation{portal.Several, portal.Plain}, MaxDocument: 4 << 20}
}

// atOrder runs poscrape and calls breakIt when the n-th page is asked for; the
// page comes afterwards.
func (p *workspace) atOrder(s *site, n int, breakIt func(), flags ...string) *process {
	p.t.Helper()
	reached, broken := make(chan struct{}), make(chan struct{})
	s.meddleWith(countdown(n, orderOf, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		close(reached)
		<-broken
		next.ServeHTTP(w, r)
	}))
	defer close(broken)
	r := p.run(flags...)
	r.reaches(reached)
	breakIt()
	return r
}

// TestOutputTaken takes the session folder away in mid-run: poscrape must notice,
// say so, and leave nothing behind, nor write anywhere else. One that was moved
// can be gone on with where it is.
func TestOutputTaken(t *testing.T) {
	for i, c := range []struct {
		name, fault, seen string
		take              func(dir string) error
	}{
		{"Removed", "the session folder is deleted", "The orders go with it; the run says so, with exit code 4", os.RemoveAll},
		{"Moved", "the session folder is moved away, and gone on with there", "", func(dir string) error { return os.Rename(dir, away(dir)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			fullOnly(t)
			want := undisturb(t, diskOrders())
			s := open(t, diskOrders())
			p := newWorkspace(t, s)
			r := p.atOrder(s, 20, func() {
				// poscrape may make a file while its folder is being emptied.
				testkit.Wait(t, "the folder to go", func() bool { return c.take(p.out) == nil })
			})
			broken := time.Now()
			r.mustExit(4)
			y := newTally(t, 400+i, c.fault, "from the fault until poscrape has ended")
			y.recovered(time.Since(broken))
			y.row.Seen = c.seen
			v := findings{chrome: want.Session.Chrome, left: p.leftElsewhere()}
			v.says(r, filepath.Base(p.out))
			y.count(1, v)
			if _, err := os.Stat(away(p.out)); err == nil {
				p.out = away(p.out)
				s.meddleWith(nil)
				before := p.remember(s)
				p.resume().mustExit(0)
				y.count(0, p.judge(s, want.report, before))
			}
			y.write()
		})
	}
}

// away is where a session folder is moved.
func away(dir string) string { return dir + "-away" }

// leftElsewhere returns what a run whose folder is gone has left.
func (p *workspace) leftElsewhere() []string {
	p.t.Helper()
	left := p.processesAndTemporaries()
	if _, err := os.Lstat(p.out); !errors.Is(err, fs.ErrNotExist) {
		left = append(left, fmt.Sprintf("%s was made anew (%v)", p.out, err))
	}
	return left
}

// says notes it if what the process said does not have a text.
func (v *findings) says(r *process, text string) {
	if said := r.said(); !strings.Contains(said, text) {
		v.other = append(v.other, fmt.Sprintf("poscrape did not say %q, but\n%s", text, said))
	}
}

// TestLedgerCut cuts the session file of a killed run at a random length. Either
// all that was recorded is still there, or the file is refused and stays as it is.
func TestLedgerCut(t *testing.T) {
	fullOnly(t)
	const cuts = 20
	random := rand.New(rand.NewPCG(*seed, 4))
	y := newTally(t, 410, "session.db of a killed run is cut at a random length", "")
	refused := 0
	for n := range cuts {
		k := newKilling(t, y)
		reached := make(chan struct{})
		k.site.meddleWith(countdown(10+random.IntN(30), orderOf, func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
			close(reached)
			<-r.Context().Done()
		}))
		k.run().killWhen(reached)
		k.site.meddleWith(nil)
		before := k.remember(k.site)
		file := filepath.Join(k.out, "session.db")
		if n%2 == 0 {
			k.fold(file)
		}
		length := k.cut(file, random.Float64())
		was, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := k.resume()
		switch code := r.exit(); code {
		case 0, 3:
			y.count(1, k.judge(k.site, k.want, before))
		case 2:
			refused++
			v := findings{orders: killedOrders().Orders, left: k.processes()}
			v.says(r, "session.db")
			if now, err := os.ReadFile(file); err != nil || string(now) != string(was) {
				v.lost = append(v.lost, fmt.Sprintf("a file that was refused has changed (%v)", err))
			}
			if _, err := os.Stat(filepath.Join(k.out, "report.json")); err == nil {
				v.other = append(v.other, "there is a report of a session that could not be read")
			}
			y.count(1, v)
		default:
			t.Errorf("cut to %d bytes: exit code %d\n%s", length, code, r.said())
		}
	}
	y.row.Seen = fmt.Sprintf("%d of the files were refused, with exit code 2 and their name", refused)
	y.write()
}

// fold puts into the session file what its write-ahead log holds, as happens now
// and then in a run: a cut then takes away what is nowhere else.
func (p *workspace) fold(file string) {
	p.t.Helper()
	db, err := sql.Open("sqlite", "file:"+file)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := db.ExecContext(p.t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		p.t.Error(err)
	}
	if err := db.Close(); err != nil {
		p.t.Fatal(err)
	}
}

// cut shortens a file to a share of its length, and returns the new one.
func (p *workspace) cut(file string, share float64) int64 {
	p.t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		p.t.Fatal(err)
	}
	length := int64(share * float64(info.Size()))
	if err := os.Truncate(file, length); err != nil {
		p.t.Fatal(err)
	}
	return length
}

// small mounts a file system of some size at a directory of the workspace.
func (p *workspace) small(dir string, size string) (enlarge func(size string)) {
	p.t.Helper()
	mount := func(flags uintptr, size string) error {
		return syscall.Mount("tmpfs", dir, "tmpfs", flags, "mode=0755,size="+size)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := mount(0, size); err != nil {
		p.t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	p.t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			p.t.Error(err)
		}
	})
	return func(size string) {
		p.t.Helper()
		if err := mount(syscall.MS_REMOUNT, size); err != nil {
			p.t.Fatal(err)
		}
	}
}

// TestFullDisk fills the disk of the session folder, or that of the profiles: the
// run ends with exit code 4 before anything is lost, and goes on when there is room.
func TestFullDisk(t *testing.T) {
	for i, c := range []struct {
		name, fault string
		dir         func(p *workspace) string
		size        string
	}{
		{"Output", "the disk of the session folder is full", func(p *workspace) string { return p.out }, "24m"},
		{"Profiles", "the disk of the profiles is full", func(p *workspace) string { return p.tmp }, "400m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fullOnly(t)
			want := undisturb(t, diskOrders()).report
			s := open(t, diskOrders())
			p := newWorkspace(t, s)
			enlarge := p.small(c.dir(p), c.size)
			var r *process
			if c.name == "Output" {
				r = p.run() // the documents fill it
			} else {
				r = p.atOrder(s, 20, func() { p.fill(c.dir(p)) })
			}
			r.mustExit(4)
			s.meddleWith(nil)
			before := p.remember(s)
			if before == nil {
				t.Fatalf("the run ended before it began; it said\n%s", r.said())
			}
			y := newTally(t, 420+i, c.fault, fromResume)
			stopped := findings{}
			stopped.says(r, "poscrape resume")
			if problem := p.intact(); problem != "" {
				stopped.lost = append(stopped.lost, "session.db: "+problem)
			}
			y.count(0, stopped)
			p.unfill(c.dir(p))
			enlarge("2g")
			again := p.resume()
			again.mustExit(0)
			v := p.judge(s, want, before)
			if len(v.report.events("session_paused")) == 0 { // else it was full before it ran short
				v.wantEvents("session_interrupted", 1)
			}
			if begun, any := v.now.begunAgain(again.began); any {
				y.recovered(begun)
			}
			y.count(1, v)
			y.write()
		})
	}
}

const fillerName = "filler"

// fill leaves a megabyte of a file system free.
func (p *workspace) fill(dir string) {
	p.t.Helper()
	f, err := os.Create(filepath.Join(dir, fillerName))
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	var space syscall.Statfs_t
	if err := syscall.Statfs(dir, &space); err != nil {
		p.t.Fatal(err)
	}
	room := int64(space.Bavail)*space.Bsize - 1<<20
	if err := syscall.Fallocate(int(f.Fd()), 0, 0, max(room, 1)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *workspace) unfill(dir string) {
	p.t.Helper()
	if err := os.Remove(filepath.Join(dir, fillerName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.t.Fatal(err)
	}
}
