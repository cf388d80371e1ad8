package session

import (
	"errors"
	"testing"
	"time"

	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/tasks"
)

// TestDefaults: what the requirements promise of a session of which nothing else is said. The flags
// have the same defaults: see cmd/poscrape.
func TestDefaults(t *testing.T) {
	t.Parallel()
	cfg, policy, load := DefaultConfig(), tasks.DefaultPolicy(), monitor.DefaultConfig()
	const ofSession, ofPolicy, ofMonitor = "session.DefaultConfig", "tasks.DefaultPolicy", "monitor.DefaultConfig"
	for _, d := range []struct {
		row, source, field string
		got, want          any
	}{
		{"E1", ofSession, "Workers", cfg.Workers, 4},
		{"E1", ofSession, "Headful", cfg.Headful, false},
		{"E1", "session", "MinWorkers", MinWorkers, 1},
		{"E1", "session", "MaxWorkers", MaxWorkers, 8},
		{"E11", ofSession, "Retries", cfg.Retries, 2},
		{"E11", ofSession, "TaskTimeout", cfg.TaskTimeout, 2 * time.Minute},
		{"E11", ofPolicy, "Retries", policy.Retries, 2},
		{"E11", "session", "reapInterval", reapInterval, 30 * time.Second}, // at which stuck tasks are looked for
		{"E16", ofSession, "CPUThreshold", cfg.CPUThreshold, 0.8},
		{"E16", ofSession, "MemoryThreshold", cfg.MemoryThreshold, 0.9},
		{"E16", ofSession, "CheckInterval", cfg.CheckInterval, 5 * time.Second},
		{"E16", ofSession, "NoScale", cfg.NoScale, false},
		{"E16", ofMonitor, "CPU", load.CPU, 0.8},
		{"E16", ofMonitor, "Memory", load.Memory, 0.9},
		{"E16", ofMonitor, "Interval", load.Interval, 5 * time.Second},
	} {
		if d.got != d.want {
			t.Errorf("%s: %s of %s is %v, want %v", d.row, d.field, d.source, d.got, d.want)
		}
	}
}

// TestBoundsOfSettings: a setting may be moved as far as the requirements say, and no further. The
// error names its flag.
func TestBoundsOfSettings(t *testing.T) {
	t.Parallel()
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	for _, b := range []struct {
		row, flag   string
		set         func(c *Config, to float64)
		least, most float64
		step        float64 // beyond a bound
	}{
		{"E1", "workers", func(c *Config, to float64) { c.Workers = int(to) }, 1, 8, 1},
		{"E11", "retries", func(c *Config, to float64) { c.Retries = int(to) }, 0, 100, 1},
		{"E16", "cpu-threshold", func(c *Config, to float64) { c.CPUThreshold = to }, 0.5, 0.95, 0.001},
		{"E16", "memory-threshold", func(c *Config, to float64) { c.MemoryThreshold = to }, 0.7, 0.98, 0.001},
		{"E16", "check-interval", func(c *Config, to float64) { c.CheckInterval = seconds(to) }, 1, 30, 0.001},
	} {
		for to, allowed := range map[float64]bool{b.least: true, b.most: true, b.least - b.step: false, b.most + b.step: false} {
			cfg := DefaultConfig()
			b.set(&cfg, to)
			err := cfg.Validate()
			var wrong *ConfigError
			if allowed && err != nil || !allowed && (!errors.As(err, &wrong) || wrong.Field != b.flag) {
				t.Errorf("%s: --%s %v: %v", b.row, b.flag, to, err)
			}
		}
	}
}
