package monitor

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestBrake(t *testing.T) {
	t.Parallel()
	cfg := DefaultConfig().withDefaults()
	for name, test := range map[string]struct {
		workers int
		memory  func(at time.Duration) float64
		// When it holds and releases, in intervals.
		want []int
		why  string
	}{
		"two workers":      {2, func(time.Duration) float64 { return 0.99 }, nil, ""},
		"enough":           {1, func(time.Duration) float64 { return 0.9 }, nil, ""},
		"too much for one": {1, func(time.Duration) float64 { return 0.95 }, []int{2, 14, 26, 38}, "memory is at 95 % still; orders are tried for 1m0s"},
		"it passes": {1, func(at time.Duration) float64 {
			if at < 20*time.Second {
				return 0.95
			}
			return 0.6
		}, []int{2, 7}, "memory is at 60 %"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := brake{cfg: cfg}
			var changes []int
			why := ""
			for i := range 40 {
				at := time.Duration(i) * cfg.Interval
				j := b.feed(Sample{At: start.Add(at), Memory: test.memory(at)}, test.workers)
				if j.hold || j.release {
					changes, why = append(changes, i), j.why
				}
				if j.hold && j.why != "memory 95 % over 90 % with one worker alone" {
					t.Errorf("it holds as %s", j.why)
				}
			}
			if len(changes) != len(test.want) || len(changes) > 0 && changes[len(changes)-1] != test.want[len(test.want)-1] || test.why != "" && len(changes)%2 == 0 && why != test.why {
				t.Errorf("it changes at %v, at last as %q; want %v and %q", changes, why, test.want, test.why)
			}
		})
	}
}

// holding is a scaler with one worker, which can have work wait.
type holding struct{ told []string }

func (*holding) Workers() (now, wanted int) { return 1, 1 }
func (*holding) Scale(int, string) error    { return nil }

func (h *holding) Hold(why string) (release func(string)) {
	h.told = append(h.told, "hold: "+why)
	return func(why string) { h.told = append(h.told, "go on: "+why) }
}

// TestHoldEndsWithTheMonitor: what it holds goes on when it is stopped.
func TestHoldEndsWithTheMonitor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &holding{}
		m, err := New(DefaultConfig(), fullMachine{}, h)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		if err := m.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(h.told, "; "); got != "hold: memory 97 % over 90 % with one worker alone; go on: the load is not watched any more" {
			t.Errorf("it was told %s", got)
		}
	})
}

// fullMachine is a sampler of a machine without memory.
type fullMachine struct{}

func (fullMachine) Sample(context.Context) (Sample, error) {
	return Sample{At: time.Now(), Memory: 0.97}, nil
}
