//go:build linux

package chaos

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
)

// undisturbed is a run that nothing has disturbed.
type undisturbed struct {
	once sync.Once
	report
	took time.Duration
}

var (
	undisturbedMu   sync.Mutex
	undisturbedRuns = map[string]*undisturbed{}
)

// undisturb returns the undisturbed run of a portal with these flags, which is
// made once for all tests.
func undisturb(t *testing.T, cfg portal.Config, flags ...string) *undisturbed {
	t.Helper()
	key := fmt.Sprintf("%+v %q", cfg, flags)
	undisturbedMu.Lock()
	u := undisturbedRuns[key]
	if u == nil {
		u = &undisturbed{}
		undisturbedRuns[key] = u
	}
	undisturbedMu.Unlock()
	u.once.Do(func() { u.make(t, cfg, flags) })
	if len(u.Tasks) == 0 {
		t.Fatal("the undisturbed run has failed")
	}
	return u
}

func (u *undisturbed) make(t *testing.T, cfg portal.Config, flags []string) {
	t.Helper()
	s := open(t, cfg)
	p := newWorkspace(t, s)
	if !*full {
		flags = append(flags, "--workers", "2")
	}
	r := p.run(flags...)
	r.mustExit(0, 3)
	u.took = time.Since(r.began)
	found := p.report()
	for _, o := range s.Orders() {
		if got := found.order(o.Number); got.Outcome != o.Want.Outcome {
			t.Fatalf("undisturbed, order %s (%s) is %q, and not %q", o.Number, o.Variation, got.Outcome, o.Want.Outcome)
		}
	}
	for _, problem := range append(p.lost(found, found), p.left(found)...) {
		t.Fatal("undisturbed: " + problem)
	}
	u.report = found
}
