package worker

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestLimitsNeedTwoLooksAndAreToldOnce(t *testing.T) {
	t.Parallel()
	var cfg Limits
	cfg.MemoryLimit, cfg.CPULimit, cfg.DiskLimit = 300_000_000, 1.5, 40_000_000
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
		confirmed, fresh := s.count(cfg.over(step.use))
		if len(confirmed) != step.confirmed || len(fresh) != step.fresh {
			t.Errorf("sample %d: %v are confirmed, %v to be told; want %d and %d", i+1, confirmed, fresh, step.confirmed, step.fresh)
		}
	}
	want := []string{
		"WORKER-005: it uses 1.3 GB of memory, over its limit of 300 MB (--worker-memory-limit)",
		"WORKER-005: it keeps 1.75 processors busy, over its limit of 1.5 (--worker-cpu-limit)",
		"WORKER-005: its profile has 41 MB, over its limit of 40 MB (--worker-disk-limit)",
	}
	for i, limit := range cfg.over(high) {
		if limit.Error() != want[i] {
			t.Errorf("got  %s\nwant %s", limit, want[i])
		}
	}
	if none := (Limits{}).over(use{1 << 50, 64, 1 << 50}); len(none) != 0 {
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
			go func() { done <- s.rest(ctx, DefaultRest) }()
			synctest.Wait()
			return done
		}
		if err := s.rest(t.Context(), DefaultRest); err != nil || s.throttled() {
			t.Errorf("a worker that is not throttled rests: %v", err)
		}
		if !s.throttle(over) || s.throttle(over) || !s.throttled() {
			t.Error("a worker is held once, and then until it is eased")
		}
		done := rested(t.Context())
		s.ease()
		s.ease()
		if err := <-done; err != nil || s.throttled() || time.Since(began) != 0 {
			t.Errorf("eased after %v: %v", time.Since(began), err)
		}

		s.throttle(over)
		err := <-rested(t.Context())
		if !errors.Is(err, over) || time.Since(began) != DefaultRest {
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
