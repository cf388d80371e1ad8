package monitor

import (
	"context"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
)

func take(t *testing.T, s Sampler) Sample {
	t.Helper()
	sample, err := s.Sample(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !(sample.CPU >= 0 && sample.CPU <= 1) || !(sample.Memory > 0 && sample.Memory <= 1) || !(sample.Pressure == -1 || sample.Pressure >= 0 && sample.Pressure <= 1) {
		t.Fatalf("sample is out of bounds: %+v", sample)
	}
	return sample
}

// burn keeps all processors busy until the test ends.
func burn(t *testing.T) {
	t.Helper()
	var done atomic.Bool
	var burners sync.WaitGroup
	for range runtime.NumCPU() {
		burners.Go(func() {
			for !done.Load() {
			}
		})
	}
	t.Cleanup(func() { done.Store(true); burners.Wait() })
}

// TestRealLoadIsSeen burns all processors until the real sampler says so.
func TestRealLoadIsSeen(t *testing.T) {
	t.Parallel()
	sampler := NewSampler()
	take(t, sampler)
	burn(t)
	testkit.Wait(t, "the load to be seen", func() bool { return take(t, sampler).CPU > 0.9 })
}

// TestRealLoadTakesWorkersAway lets the real sampler and the real clock bring
// three workers down to one.
func TestRealLoadTakesWorkersAway(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it measures real load for seconds")
	}
	cfg := DefaultConfig()
	cfg.Interval, cfg.Samples, cfg.Settle = time.Second, 2, time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	scaler := &fakeScaler{now: 3, wanted: 3}
	cfg.OnDecision = func(d Decision) {
		if d.To == 1 {
			cancel()
		}
		if d.CPU <= cfg.CPU && d.Memory <= cfg.Memory {
			t.Errorf("decision without a breach: %+v", d)
		}
	}
	m, err := New(cfg, NewSampler(), scaler)
	if err != nil {
		t.Fatal(err)
	}
	burn(t)
	if err := m.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if now, _ := scaler.Workers(); now != 1 {
		t.Errorf("%d workers after %v under load; failures: %+v", now, testkit.Patience, m.Failures())
	}
}

func TestSamplesCloseTogetherRepeatTheirRates(t *testing.T) {
	t.Parallel()
	sampler := newSampler("/")
	take(t, sampler)
	sampler.lastCPU, sampler.lastStalled = 0.123, 0.456
	sampler.at = time.Now().Add(time.Hour) // however slow this machine is
	if s := take(t, sampler); s.CPU != 0.123 || s.Pressure != 0.456 {
		t.Errorf("sample is %+v", s)
	}
}

func TestPressureIsKnownWhereTheKernelMeasuresIt(t *testing.T) {
	t.Parallel()
	_, err := os.ReadFile("/proc/pressure/cpu")
	sampler := newSampler("/")
	take(t, sampler)
	sampler.at = sampler.at.Add(-time.Second)
	if s := take(t, sampler); (s.Pressure >= 0) != (err == nil) {
		t.Errorf("pressure is %v, /proc/pressure: %v", s.Pressure, err)
	}
}

// TestLimitOfAGroupCounts lays a tight control group over the real machine.
func TestLimitOfAGroupCounts(t *testing.T) {
	t.Parallel()
	root := newTree(t, map[string]string{
		"proc/self/cgroup":               "0::/\n",
		"proc/self/mountinfo":            "30 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
		"sys/fs/cgroup/memory.max":       "1000\n",
		"sys/fs/cgroup/memory.current":   "999\n",
		"sys/fs/cgroup/cpu.max":          "1000 100000\n",
		"sys/fs/cgroup/cpu.stat":         "usage_usec 0\n",
		"sys/fs/cgroup/cpu.pressure":     "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
		"sys/fs/cgroup/memory.pressure":  "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 total=5\n",
		"proc/pressure/this-is-no-known": "",
	})
	sampler := newSampler(root)
	if s := take(t, sampler); s.Memory != 0.999 || s.Pressure != -1 {
		t.Errorf("first sample is %+v", s)
	}
	writeTree(t, root, map[string]string{
		"sys/fs/cgroup/cpu.stat":        "usage_usec 100000000\n",
		"sys/fs/cgroup/memory.pressure": "some avg10=0.00 avg60=0.00 avg300=0.00 total=900000000\n",
	})
	sampler.at = sampler.at.Add(-time.Second)
	if s := take(t, sampler); s.CPU != 1 || s.Pressure != 1 {
		t.Errorf("second sample is %+v", s)
	}
}

// TestNobodyElseUsesGopsutil keeps the frozen library behind one file.
func TestNobodyElseUsesGopsutil(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		content, err := os.ReadFile(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		if uses := strings.Contains(string(content), "shirou/"+"gopsutil"); uses != (entry.Name() == "sampler.go") {
			t.Errorf("%s uses gopsutil: %v", entry.Name(), uses)
		}
	}
}

// BenchmarkSample is what one sample costs. At the shortest interval there is
// one each second, and while a breach is confirmed, three in two seconds: under
// 1 % of one processor as long as one takes less than 6 ms.
func BenchmarkSample(b *testing.B) {
	sampler := newSampler("/")
	for b.Loop() {
		sampler.at = sampler.at.Add(-time.Second) // measure all of it each time
		if _, err := sampler.Sample(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCountersThatRunBackwards leave the machine's last figure, and not what a control group had used
// at the time.
func TestCountersThatRunBackwards(t *testing.T) {
	t.Parallel()
	s := &machineSampler{total: math.MaxFloat64, lastMachine: 0.25, lastCPU: 1}
	if err := s.measureRates(t.Context(), time.Second); err != nil {
		t.Skip(err)
	}
	if s.lastCPU != 0.25 {
		t.Errorf("CPU is at %v, want 0.25", s.lastCPU)
	}
}
