package monitor

import (
	"fmt"
	"time"
)

// The bounds and defaults of Config. The flags of the same names promise those of the
// thresholds and of the interval.
const (
	DefaultCPU      = 0.8
	MinCPU, MaxCPU  = 0.5, 0.95
	DefaultMemory   = 0.9
	MinMemory       = 0.7
	MaxMemory       = 0.98
	DefaultInterval = 5 * time.Second
	MinInterval     = time.Second
	MaxInterval     = 30 * time.Second

	defaultSamples   = 3
	defaultLowerMark = 0.1
	// confirmWithin bounds the time from the first sample over a threshold to
	// the last one that is needed for a decision.
	confirmWithin = 2 * time.Second
)

// Config says when there are too many workers, and when there may be more.
// Start from DefaultConfig.
type Config struct {
	// CPU and Memory are the thresholds, as shares of what the machine or its
	// container has: CPU 0.5 to 0.95, Memory 0.7 to 0.98.
	CPU, Memory float64
	// Interval between two samples: 1 s to 30 s.
	Interval time.Duration
	// Samples over a threshold in a row make a breach: 2 or 3. 0 means 3.
	Samples int
	// LowerMark is how far below its threshold a load must be before it counts
	// as passed: 0.02 to 0.4. 0 means 0.1, that is ten points.
	LowerMark float64
	// Settle is how long the load is left alone after a change. 0 means one
	// Interval.
	Settle time.Duration
	// Dwell is how long the load must have passed before one worker more is
	// asked for. 0 means three Intervals.
	Dwell time.Duration

	// These are called on the goroutine of Run and must not block. Each may be
	// nil.

	// OnDecision is called with every change that the Scaler accepted.
	OnDecision func(Decision)
	// OnSample is called with every sample.
	OnSample func(Sample)
	// OnError is called with the first sample that failed, and the first change that
	// the Scaler refused; ResourceMonitor.Failures counts all of them.
	OnError func(error)
}

// DefaultConfig returns the configuration that is used where nothing else is
// said.
func DefaultConfig() Config {
	return Config{CPU: DefaultCPU, Memory: DefaultMemory, Interval: DefaultInterval}
}

func (c Config) withDefaults() Config {
	if c.Samples == 0 {
		c.Samples = defaultSamples
	}
	if c.LowerMark == 0 {
		c.LowerMark = defaultLowerMark
	}
	if c.Settle == 0 {
		c.Settle = c.Interval
	}
	if c.Dwell == 0 {
		c.Dwell = 3 * c.Interval
	}
	return c
}

// Validate returns an error that names the first field that is out of bounds,
// and its bounds.
func (c Config) Validate() error {
	// The comparisons are written so that NaN fails them.
	switch {
	case !(c.CPU >= MinCPU && c.CPU <= MaxCPU):
		return fmt.Errorf("monitor: CPU is %v: it must be between %v and %v", c.CPU, MinCPU, MaxCPU)
	case !(c.Memory >= MinMemory && c.Memory <= MaxMemory):
		return fmt.Errorf("monitor: Memory is %v: it must be between %v and %v", c.Memory, MinMemory, MaxMemory)
	case c.Interval < MinInterval || c.Interval > MaxInterval:
		return fmt.Errorf("monitor: Interval is %v: it must be between %v and %v", c.Interval, MinInterval, MaxInterval)
	case c.Samples != 0 && c.Samples != 2 && c.Samples != 3:
		return fmt.Errorf("monitor: Samples is %d: it must be 2 or 3, or 0 for %d", c.Samples, defaultSamples)
	case c.LowerMark != 0 && !(c.LowerMark >= 0.02 && c.LowerMark <= 0.4):
		return fmt.Errorf("monitor: LowerMark is %v: it must be between 0.02 and 0.4, or 0 for %v", c.LowerMark, defaultLowerMark)
	case c.Settle < 0:
		return fmt.Errorf("monitor: Settle is %v: it must not be negative", c.Settle)
	case c.Dwell < 0:
		return fmt.Errorf("monitor: Dwell is %v: it must not be negative", c.Dwell)
	}
	return nil
}
