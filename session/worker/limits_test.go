package worker

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestUnusualUseIsWarnedAbout samples workers without limits: whatever the action, the
// only thing that comes of it is one warning for a browser and what it uses.
func TestUnusualUseIsWarnedAbout(t *testing.T) {
	t.Parallel()
	memory := "WORKER-005: it uses 2.1 GB of memory, more than 2 GB, which is unusual (--worker-memory-limit sets a limit)"
	cpu := "WORKER-005: it keeps 2.50 processors busy, more than 2, which is unusual (--worker-cpu-limit sets a limit)"
	for name, test := range map[string]struct {
		limits  Limits
		samples []use
		want    []string
	}{
		"as usual":         {Limits{}, slices.Repeat([]use{{memory: unusualMemory, cpu: unusualCPU}}, 4), nil},
		"once":             {Limits{}, []use{{}, {memory: 2_100_000_000, cpu: 2.5}, {}}, nil},
		"much memory":      {Limits{}, slices.Repeat([]use{{memory: 2_100_000_000}}, 4), []string{memory}},
		"much of both":     {Limits{}, slices.Repeat([]use{{memory: 2_100_000_000, cpu: 2.5}}, 4), []string{memory, cpu}},
		"a larger limit":   {Limits{MemoryLimit: 3_000_000_000}, slices.Repeat([]use{{memory: 2_100_000_000, cpu: 2.5}}, 4), []string{cpu}},
		"more processors":  {Limits{CPULimit: 4}, slices.Repeat([]use{{memory: 2_100_000_000, cpu: 2.5}}, 4), []string{memory}},
		"a large profile":  {Limits{}, slices.Repeat([]use{{disk: 400_000_000}}, 4), nil},
		"of other worries": {Limits{DiskLimit: 300_000_000}, slices.Repeat([]use{{memory: 2_100_000_000, disk: 200_000_000}}, 4), []string{memory}},
	} {
		for _, action := range []LimitAction{LimitWarn, LimitThrottle, LimitKill} {
			t.Run(name+" "+string(action), func(t *testing.T) {
				t.Parallel()
				var told, warned []string
				limits := test.limits
				limits.Action, limits.ProfileSize = action, 500_000_000
				o := NewOpener(Config{Limits: limits,
					Tell: func(e tasks.Event) { told = append(told, e.Worker+" "+e.Type+" "+e.Detail) },
					Warn: func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }})
				w := &Worker{opener: o}
				w.sitIn("worker_001")
				for _, u := range test.samples {
					o.enforce(w, u)
				}
				var events, notices []string
				for _, text := range test.want {
					events = append(events, "worker_001 "+tasks.EventLimitExceeded+" "+text)
					notices = append(notices, "worker_001: "+text)
				}
				if !slices.Equal(told, events) || !slices.Equal(warned, notices) {
					t.Errorf("told %q and warned %q, want\n%s", told, warned, strings.Join(test.want, "\n"))
				}
				if _, ended := w.strain.used(); ended != nil || w.Tired() {
					t.Errorf("it was ended (%v), or throttled (%t)", ended, w.Tired())
				}
			})
		}
	}
}
