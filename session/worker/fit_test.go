package worker

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// startOne returns an Opener with its first worker.
func startOne(t testing.TB) *Opener {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	chrome, err := browser.Find(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	o := NewOpener(Config{
		Chrome: chrome, Sandbox: browser.NoSandbox(), Temp: t.TempDir(), MinFree: 1,
		Limits: Limits{MaxOrders: 200, MaxAge: time.Hour, MaxMemory: 1_000_000_000, ProfileSize: 500_000_000},
		Portal: scrape.NewPortal(scrape.AutoRecipe(), nil),
		Places: scrape.Places{Evidence: scrape.NewEvidence(scrape.KeepNone, 0, nil)},
		Grace:  func() context.Context { return nil }, DiskFault: func(error) error { return nil },
		Tell: func(tasks.Event) {}, Warn: func(string, ...any) {}, Failed: func(string, error) {},
	})
	if err := o.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

// TestFitLooksAtNoDisk takes a worker's profile away: that it is fit is said from
// what was seen in the last sample, and only the next one knows better.
func TestFitLooksAtNoDisk(t *testing.T) {
	t.Parallel()
	o := startOne(t)
	w := o.spare
	w.orders = 10
	w.strain.measured(use{memory: 900_000_000, disk: 499_000_000})
	if err := os.Rename(w.profile.Path, w.profile.Path+"-away"); err != nil {
		t.Fatal(err)
	}
	if err := w.Fit(); err != nil {
		t.Errorf("before the next sample: %v", err)
	}
	g := &gauge{opener: o, sampler: monitor.NewUsageSampler(), samples: validateEvery - 1}
	if err := g.sample(t.Context()); err != nil {
		t.Error(err)
	}
	if err := w.Fit(); !errors.Is(err, profiles.ErrTampered) {
		t.Errorf("after the next sample: %v", err)
	}
	w.strain.spoil(nil)
	for _, c := range []struct {
		use  use
		want string
	}{
		{use{memory: 1_100_000_000}, "it uses 1.1 GB of memory, and 1 GB is the most (--max-worker-memory)"},
		{use{disk: 501_000_000}, "its profile has 501 MB, over its limit of 500 MB (--profile-size-limit)"},
	} {
		w.strain.measured(c.use)
		if err := w.Fit(); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if err := os.Rename(w.profile.Path+"-away", w.profile.Path); err != nil {
		t.Fatal(err)
	}
}
