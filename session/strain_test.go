package session

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/tasks"
)

func TestLimitsNeedTwoLooksAndAreToldOnce(t *testing.T) {
	t.Parallel()
	cfg := DefaultConfig()
	cfg.WorkerMemoryLimit, cfg.WorkerCPULimit, cfg.WorkerDiskLimit = 300_000_000, 1.5, 40_000_000
	high := use{memory: 1_312_000_000, cpu: 1.75, disk: 41_000_000}
	calm := use{memory: 300_000_000, cpu: 1.5, disk: 40_000_000}
	var s strain
	for i, step := range []struct {
		use              use
		confirmed, fresh int
	}{
		{high, 0, 0},
		{calm, 0, 0},
		{high, 0, 0},
		{high, 3, 3},
		{high, 3, 0},
		{use{cpu: 2}, 1, 0},
		{calm, 0, 0},
		{high, 0, 0},
		{high, 3, 0},
	} {
		confirmed, fresh := s.judge(cfg.over(step.use))
		if len(confirmed) != step.confirmed || len(fresh) != step.fresh {
			t.Errorf("look %d: %v are confirmed, %v to be told; want %d and %d", i+1, confirmed, fresh, step.confirmed, step.fresh)
		}
	}
	want := []string{
		"WORKER-005: it uses 1.31 GB of memory, over its limit of 300 MB (--worker-memory-limit)",
		"WORKER-005: it keeps 1.75 processors busy, over its limit of 1.5 (--worker-cpu-limit)",
		"WORKER-005: its profile has 41 MB, over its limit of 40 MB (--worker-disk-limit)",
	}
	for i, limit := range cfg.over(high) {
		if limit.Error() != want[i] {
			t.Errorf("got  %s\nwant %s", limit, want[i])
		}
	}
	if none := DefaultConfig().over(use{1 << 50, 64, 1 << 50}); len(none) != 0 {
		t.Errorf("without limits, it is over %v", none)
	}
}

func TestARestEndsWhenTheWorkerIsBelowItsLimits(t *testing.T) {
	t.Parallel()
	over := &LimitError{Flag: "worker-cpu-limit", Using: "it keeps 2.00 processors busy", Allowed: "1"}
	synctest.Test(t, func(t *testing.T) {
		var s strain
		began := time.Now()
		rested := func(ctx context.Context) chan error {
			done := make(chan error, 1)
			go func() { done <- s.rest(ctx, restAtMost) }()
			synctest.Wait()
			return done
		}
		if err := s.rest(t.Context(), restAtMost); err != nil || s.held() {
			t.Errorf("a worker that is not throttled rests: %v", err)
		}
		if !s.hold(over) || s.hold(over) || !s.held() {
			t.Error("a worker is held once, and then until it is eased")
		}
		done := rested(t.Context())
		s.ease()
		s.ease()
		if err := <-done; err != nil || s.held() || time.Since(began) != 0 {
			t.Errorf("eased after %v: %v", time.Since(began), err)
		}

		s.hold(over)
		err := <-rested(t.Context())
		if !errors.Is(err, over) || time.Since(began) != restAtMost {
			t.Errorf("not eased, after %v: %v", time.Since(began), err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("stopped")
		done = rested(ctx)
		cancel(stop)
		if err := <-done; !errors.Is(err, stop) {
			t.Errorf("stopped: %v", err)
		}
	})
}

func TestABrowserIsEndedOnceAndItsOrderPutBack(t *testing.T) {
	t.Parallel()
	full := &LimitError{Flag: "profile-size-limit"}
	var s strain
	if s.end(full, true) {
		t.Error("an idle worker was ended for the sake of its order")
	}
	if err := s.begin(); err != nil {
		t.Error(err)
	}
	if !s.end(full, true) || s.end(full, false) {
		t.Error("a busy worker is ended, once")
	}
	if err := s.finish(); !errors.Is(err, full) {
		t.Errorf("finish: %v", err)
	}
	if err := s.begin(); !errors.Is(err, full) {
		t.Errorf("begin: %v", err)
	}
	if _, err := s.used(); !errors.Is(err, full) {
		t.Errorf("used: %v", err)
	}
}

func TestAWorkerIsBusyUntilItsLastOrderEnds(t *testing.T) {
	t.Parallel()
	var s strain
	if err := errors.Join(s.begin(), s.begin(), s.finish()); err != nil {
		t.Fatal(err)
	}
	if !s.end(errors.New("too much memory"), true) {
		t.Error("a worker with one of two orders left is not taken for busy")
	}
}

func TestWhatAnEndedBrowserBrings(t *testing.T) {
	t.Parallel()
	ended := &LimitError{Flag: "worker-memory-limit"}
	staging := filepath.Join(t.TempDir(), "staging")
	if err := os.Mkdir(staging, 0o700); err != nil {
		t.Fatal(err)
	}
	whole := &tasks.Result{Outcome: tasks.OutcomeComplete}
	if res, err := blame(whole, nil, ended); res != whole || err != nil {
		t.Errorf("a whole result became %+v, %v", res, err)
	}
	none := tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "no such order")
	if _, err := blame(nil, none, ended); !errors.Is(err, none) {
		t.Errorf("a last word became %v", err)
	}
	broken := tasks.Retry(tasks.ClassInternal, "cut off")
	broken.Phase, broken.Evidence = "download", []string{"evidence/a"}
	part := &tasks.Result{Outcome: tasks.OutcomePartial, Staging: staging}
	for name, c := range map[string]struct {
		res *tasks.Result
		err error
	}{"error": {nil, broken}, "part": {part, nil}} {
		res, err := blame(c.res, c.err, ended)
		f := tasks.AsFailure(err)
		if res != nil || f.Class != tasks.ClassBrowserLost || f.Advice != tasks.AdviceRelease || !errors.Is(f, ended) {
			t.Errorf("%s: got %+v, %+v", name, res, f)
		}
		if c.err != nil && (f.Phase != "download" || len(f.Evidence) != 1) {
			t.Errorf("%s: phase and evidence are lost: %+v", name, f)
		}
	}
	if _, err := os.Stat(staging); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the documents of a result that is dropped: %v", err)
	}
}

func TestBoundsOfLimits(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Config){
		"--max-worker-age: -1s is negative":                     func(c *Config) { c.MaxWorkerAge = -time.Second },
		"--max-worker-memory: 1000000 bytes are too few":        func(c *Config) { c.MaxWorkerMemory = 1_000_000 },
		"--worker-memory-limit: -5 bytes are too few":           func(c *Config) { c.WorkerMemoryLimit = -5 },
		"--worker-disk-limit: 9 bytes are too few":              func(c *Config) { c.WorkerDiskLimit = 9 },
		"--worker-cpu-limit: NaN is out of bounds":              func(c *Config) { c.WorkerCPULimit = math.NaN() },
		"--worker-cpu-limit: -1 is out of bounds":               func(c *Config) { c.WorkerCPULimit = -1 },
		"--limit-action: \"shout\" is neither warn nor throttl": func(c *Config) { c.LimitAction = "shout" },
		"session: UsageInterval is -1s":                         func(c *Config) { c.UsageInterval = -time.Second },
	} {
		cfg := DefaultConfig()
		change(&cfg)
		var setting *ConfigError
		err := cfg.Validate()
		if err == nil || !strings.HasPrefix(err.Error(), want) || errors.As(err, &setting) != strings.HasPrefix(want, "--") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	cfg := DefaultConfig()
	cfg.MaxWorkerAge, cfg.MaxWorkerMemory, cfg.LimitAction = 0, 0, ""
	if err := cfg.Validate(); err != nil {
		t.Errorf("a session that was remembered before there were limits: %v", err)
	}
}

// TestFitLooksAtNoDisk takes a worker's profile away: that it is fit is said from
// what was seen at the last look, and only the next one knows better.
func TestFitLooksAtNoDisk(t *testing.T) {
	t.Parallel()
	s, closeSession := openOne(t)
	w := s.opener.spare
	w.orders = 10
	w.strain.measured(use{memory: 900_000_000, disk: 499_000_000})
	if err := os.Rename(w.profile.Path, w.profile.Path+"-away"); err != nil {
		t.Fatal(err)
	}
	if err := w.Fit(); err != nil {
		t.Errorf("before the next look: %v", err)
	}
	g := &gauge{session: s, sampler: monitor.NewUsageSampler(), looks: validateEvery - 1}
	if err := g.look(t.Context()); err != nil {
		t.Error(err)
	}
	if err := w.Fit(); !errors.Is(err, profiles.ErrTampered) {
		t.Errorf("after the next look: %v", err)
	}
	w.strain.spoil(nil)
	for _, c := range []struct {
		use  use
		want string
	}{
		{use{memory: 1_100_000_000}, "it uses 1.10 GB of memory, and 1.00 GB is the most (--max-worker-memory)"},
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
	closeSession()
}
