package space

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/disk"
)

func TestTooLittleToBegin(t *testing.T) {
	t.Parallel()
	out, temp := t.TempDir(), os.TempDir()
	free := map[string]int64{out: 8e6, temp: 8e6}
	g := &Guard{volumes: disk.VolumesOf(disk.Config{Dir: out, Temp: temp, Measure: func(path string) (disk.Space, error) {
		return disk.Space{Device: path, Size: 24e6, Free: free[path]}, nil
	}})}
	if err := g.Check(); err != nil {
		t.Errorf("with just enough: %v", err)
	}
	for path, says := range map[string][]string{
		out:  {"the disk of " + out + " has 5.8 MB left, under the reserve of 8 MB", "--out", "--min-free"},
		temp: {"the disk of " + temp + " (--temp-dir) has 5.8 MB left", "with --temp-dir"},
	} {
		free[out], free[temp] = 8e6, 8e6
		free[path] = 5.8e6
		err := g.Check()
		var environment *EnvironmentError
		if !errors.As(err, &environment) {
			t.Fatalf("%s: got %v", path, err)
		}
		for _, text := range says {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%q does not say %q", err, text)
			}
		}
	}
}

// watched is a session whose disk is watched, without the rest of it.
type watched struct {
	Watch
	free      map[string]int64
	displace  error
	inHand    int
	story     []string
	end       error
	out, temp string
	now       time.Time
}

func newWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{out: t.TempDir(), temp: os.TempDir(), now: time.Now()}
	w.free = map[string]int64{w.out: 20e6, w.temp: 20e6}
	measure := func(path string) (disk.Space, error) {
		return disk.Space{Device: path, Size: 100e6, Free: w.free[path]}, nil
	}
	w.Watch = Watch{
		Guard: &Guard{
			InPlace: func() error { return w.displace },
			Halt:    func(err error) { w.story, w.end = append(w.story, "halt"), err },
			dir:     w.out, volumes: disk.VolumesOf(disk.Config{Dir: w.out, Temp: w.temp, Measure: measure}),
		},
		Busy: func() bool { return w.inHand > 0 },
		Hold: func(why string) func(string) {
			w.story = append(w.story, "pause: "+why)
			return func(string) { w.story = append(w.story, "resume") }
		},
	}
	return w
}

// after looks again and again for so many seconds, and returns what came of it.
func (w *watched) after(seconds int) string {
	w.story = nil
	for range int(time.Duration(seconds) * time.Second / diskInterval) {
		w.now = w.now.Add(diskInterval)
		w.look(w.now)
	}
	return strings.Join(w.story, ", ")
}

func TestShortDiskPausesAndGoesOn(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	if got := w.after(60); got != "" {
		t.Errorf("with enough space: %s", got)
	}
	w.free[w.temp] = 9_999_999
	if got, want := w.after(1), "pause: the disk of "+w.temp+" (--temp-dir) has 9.9 MB left, under the reserve of 10 MB"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	w.free[w.temp] = 12_000_000 // over the reserve, but not by enough
	if got := w.after(20); got != "" {
		t.Errorf("a little over the reserve: %s", got)
	}
	w.free[w.temp] = 12_500_000
	if got := w.after(1); got != "resume" {
		t.Errorf("with enough again: %q", got)
	}
	if got := w.after(60); got != "" || w.end != nil {
		t.Errorf("afterwards: %q, %v", got, w.end)
	}
}

func TestShortDiskEndsTheSession(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	w.free[w.out], w.inHand = 6_000_000, 1
	if got := w.after(300); !strings.HasPrefix(got, "pause: ") || strings.Contains(got, "halt") {
		t.Errorf("with an order in progress: %q", got)
	}
	w.inHand = 0
	if got := w.after(1); !strings.HasPrefix(got, "halt") {
		t.Fatalf("with nothing in progress: %q", got)
	}
	var environment *EnvironmentError
	if !errors.As(w.end, &environment) {
		t.Fatalf("it ended with %v", w.end)
	}
	for _, text := range []string{w.out, "6 MB left", "6.5 MB are missing", "poscrape resume " + w.out} {
		if !strings.Contains(w.end.Error(), text) {
			t.Errorf("%q does not say %q", w.end, text)
		}
	}
}

func TestShortDiskIsGivenTime(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	w.free[w.out] = 6_000_000
	if got := w.after(29); strings.Contains(got, "halt") {
		t.Errorf("before the time was up: %q", got)
	}
	if got := w.after(2); !strings.Contains(got, "halt") {
		t.Errorf("after it: %q", got)
	}
}

func TestDisplacedFolderEndsTheSession(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	w.displace = errors.New("it is gone")
	w.look(w.now)
	if got := strings.Join(w.story, ", "); got != "halt" || !errors.Is(w.end, w.displace) {
		t.Errorf("got %q, %v", got, w.end)
	}
}

// TestWatchLooksAgainAndAgain lets a minute pass, until the watch is ended.
func TestWatchLooksAgainAndAgain(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute+diskInterval/2)
		defer stop()
		looks := 0
		w.Guard.InPlace = func() error { looks++; return nil }
		w.Run(ctx)
		if want := int(time.Minute / diskInterval); looks != want {
			t.Errorf("it looked %d times in a minute", looks)
		}
	})
}
