package monitor

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestConfigBounds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*Config)
		says   []string // none: valid
	}{
		"default":         {func(*Config) {}, nil},
		"CPU low":         {func(c *Config) { c.CPU = 0.5 }, nil},
		"CPU too low":     {func(c *Config) { c.CPU = 0.49 }, []string{"CPU", "0.49", "0.5", "0.95"}},
		"CPU high":        {func(c *Config) { c.CPU = 0.95 }, nil},
		"CPU too high":    {func(c *Config) { c.CPU = 0.96 }, []string{"CPU"}},
		"CPU zero":        {func(c *Config) { c.CPU = 0 }, []string{"CPU"}},
		"CPU NaN":         {func(c *Config) { c.CPU = math.NaN() }, []string{"CPU"}},
		"memory low":      {func(c *Config) { c.Memory = 0.7 }, nil},
		"memory too low":  {func(c *Config) { c.Memory = 0.69 }, []string{"Memory", "0.69", "0.7", "0.98"}},
		"memory high":     {func(c *Config) { c.Memory = 0.98 }, nil},
		"memory too high": {func(c *Config) { c.Memory = 0.99 }, []string{"Memory"}},
		"memory NaN":      {func(c *Config) { c.Memory = math.NaN() }, []string{"Memory"}},
		"short":           {func(c *Config) { c.Interval = time.Second }, nil},
		"too short":       {func(c *Config) { c.Interval = time.Second - 1 }, []string{"Interval", "1s", "30s"}},
		"long":            {func(c *Config) { c.Interval = 30 * time.Second }, nil},
		"too long":        {func(c *Config) { c.Interval = 30*time.Second + 1 }, []string{"Interval"}},
		"samples":         {func(c *Config) { c.Samples = 2 }, nil},
		"one sample":      {func(c *Config) { c.Samples = 1 }, []string{"Samples", "2 or 3"}},
		"many samples":    {func(c *Config) { c.Samples = 4 }, []string{"Samples"}},
		"lower mark":      {func(c *Config) { c.LowerMark = 0.41 }, []string{"LowerMark", "0.4"}},
		"settle":          {func(c *Config) { c.Settle = -1 }, []string{"Settle"}},
		"dwell":           {func(c *Config) { c.Dwell = -1 }, []string{"Dwell"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := DefaultConfig()
			test.change(&cfg)
			_, err := New(cfg, &fakeSampler{}, &fakeScaler{})
			if (err == nil) != (test.says == nil) {
				t.Fatalf("error is %v", err)
			}
			for _, part := range test.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
		})
	}
}

func TestNewNeedsItsParts(t *testing.T) {
	t.Parallel()
	if _, err := New(DefaultConfig(), nil, &fakeScaler{}); err == nil {
		t.Error("a monitor without a sampler")
	}
	if _, err := New(DefaultConfig(), &fakeSampler{}, nil); err == nil {
		t.Error("a monitor without a scaler")
	}
}
