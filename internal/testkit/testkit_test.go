package testkit

import (
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// inner is a test whose failing is looked for.
type inner struct {
	testing.TB
	failed bool
}

func (*inner) Helper() {}

func (i *inner) Fatal(...any) {
	i.failed = true
	runtime.Goexit()
}

func (i *inner) Fatalf(string, ...any) { i.Fatal() }
func (i *inner) Errorf(string, ...any) { i.failed = true }

// failing runs a test that must fail.
func failing(t *testing.T, test func(t testing.TB)) {
	t.Helper()
	inner := &inner{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(inner)
	}()
	<-done
	if !inner.failed {
		t.Error("the test did not fail")
	}
}

func TestWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		Wait(t, "a second", func() bool { return time.Since(began) >= time.Second })
		if took := time.Since(began); took > time.Second+pause {
			t.Errorf("it took %v", took)
		}
		failing(t, func(t testing.TB) { Wait(t, "the impossible", func() bool { return false }) })
		if took := time.Since(began); took < Patience || took > 2*Patience {
			t.Errorf("after %v", took)
		}
	})
}

// A condition that came to hold while nobody looked is not missed.
func TestHoldsLooksOnceMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		looked := 0
		if !holdsWithin(pause/2, func() bool { looked++; return looked == 2 }) {
			t.Error("it came to hold")
		}
	})
}

func TestReceive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		c <- 5
		if got := Receive(t, "a number", c); got != 5 {
			t.Errorf("got %d", got)
		}
		failing(t, func(t testing.TB) { Receive(t, "a number", c) })
		close(c)
		if got := Receive(t, "the end", c); got != 0 {
			t.Errorf("got %d", got)
		}
	})
}

func TestInVain(t *testing.T) {
	t.Parallel()
	var tried []time.Duration
	InVain(t, time.Second, func(limit time.Duration) error {
		if tried = append(tried, limit); limit < 10*time.Second {
			return errors.New("too slow")
		}
		return nil
	})
	if want := []time.Duration{time.Second, 4 * time.Second, 16 * time.Second}; !slices.Equal(tried, want) {
		t.Errorf("tried with %v, want %v", tried, want)
	}
	failing(t, func(t testing.TB) {
		InVain(t, time.Second, func(time.Duration) error { return errors.New("never") })
	})
}

func TestFiles(t *testing.T) {
	t.Parallel()
	path := Write(t, filepath.Join(t.TempDir(), "f.json"), `{"list": [1, 2]}`)
	if got := Read(t, path); got != `{"list": [1, 2]}` {
		t.Errorf("got %q", got)
	}
	if got := ReadJSON[struct{ List []int }](t, path); !slices.Equal(got.List, []int{1, 2}) {
		t.Errorf("got %v", got)
	}
	failing(t, func(t testing.TB) { ReadJSON[[]int](t, path) })
	missing := filepath.Join(t.TempDir(), "no", "file")
	failing(t, func(t testing.TB) { Read(t, missing) })
	failing(t, func(t testing.TB) { ReadJSON[any](t, missing) })
	failing(t, func(t testing.TB) { Write(t, filepath.Join(path, "below", "a file"), "") })
	if got := Read(t, Write(t, missing, "found")); got != "found" {
		t.Errorf("got %q", got)
	}
}
