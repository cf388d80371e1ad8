package session

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestBoundsOfLimits(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Config){
		"--max-worker-age: -1s is negative":                     func(c *Config) { c.MaxAge = -time.Second },
		"--max-worker-memory: 1000000 bytes are too few":        func(c *Config) { c.MaxMemory = 1_000_000 },
		"--worker-memory-limit: -5 bytes are too few":           func(c *Config) { c.MemoryLimit = -5 },
		"--worker-disk-limit: 9 bytes are too few":              func(c *Config) { c.DiskLimit = 9 },
		"--worker-cpu-limit: NaN is out of bounds":              func(c *Config) { c.CPULimit = math.NaN() },
		"--worker-cpu-limit: -1 is out of bounds":               func(c *Config) { c.CPULimit = -1 },
		"--limit-action: \"shout\" is neither warn nor throttl": func(c *Config) { c.Action = "shout" },
		"session: UsageInterval is -1s":                         func(c *Config) { c.UsageInterval = -time.Second },
	} {
		cfg := DefaultConfig()
		change(&cfg)
		var setting *ConfigError
		err := cfg.Validate()
		if err == nil || !strings.HasPrefix(err.Error(), want) || errors.As(err, &setting) != strings.HasPrefix(want, "--") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	cfg := DefaultConfig()
	cfg.MaxAge, cfg.MaxMemory, cfg.Action = 0, 0, ""
	if err := cfg.Validate(); err != nil {
		t.Errorf("a session that was remembered before there were limits: %v", err)
	}
}
