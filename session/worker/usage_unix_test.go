//go:build unix

package worker

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/monitor"
)

// BenchmarkUsageOfEightWorkers measures a sample of eight browsers and their
// profiles: cpu-ms/op is the processor time of one, and %core what looking at
// them every DefaultUsageInterval takes of one processor, which must stay under 1.
func BenchmarkUsageOfEightWorkers(b *testing.B) {
	o := startOne(b)
	var err error
	workers := make([]*Worker, 7) // with the first
	for i := range workers {
		if workers[i], err = o.launch(b.Context(), o.site("")); err != nil {
			b.Fatal(err)
		}
	}
	g := &gauge{opener: o, sampler: monitor.NewUsageSampler()}
	began := processorTime()
	for b.Loop() {
		if err := g.sample(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	took := (processorTime() - began) / time.Duration(b.N)
	b.ReportMetric(float64(took.Microseconds())/1000, "cpu-ms/op")
	b.ReportMetric(100*took.Seconds()/DefaultUsageInterval.Seconds(), "%core")
	b.StopTimer()
	for _, w := range workers {
		if err := w.Close(b.Context()); err != nil {
			b.Error(err)
		}
	}
}

// processorTime returns what this process has used.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func TestThePriorityOfAGroupIsLowered(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sleep", "60")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	if err := lowerPriority(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	// Linux's call says 20 - 10, the others' 10.
	if got, err := syscall.Getpriority(syscall.PRIO_PROCESS, cmd.Process.Pid); err != nil || got != lowPriority {
		t.Errorf("got %d, %v", got, err)
	}
}
