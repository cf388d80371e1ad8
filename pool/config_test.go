package pool_test

import (
	"errors"
	"testing"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

func TestConfigNamesTheField(t *testing.T) {
	t.Parallel()
	tests := map[string]func(c *pool.Config){
		"Queue":             func(c *pool.Config) { c.Queue = nil },
		"Open":              func(c *pool.Config) { c.Open = nil },
		"Size":              func(c *pool.Config) { c.Size = 0 },
		"Lifetime":          func(c *pool.Config) { c.Lifetime = "eternal" },
		"Distribution":      func(c *pool.Config) { c.Distribution = "lottery" },
		"Policy":            func(c *pool.Config) { c.Policy.Retries = -1 },
		"TaskTimeout":       func(c *pool.Config) { c.TaskTimeout = -1 },
		"StartTimeout":      func(c *pool.Config) { c.StartTimeout = -1 },
		"CloseTimeout":      func(c *pool.Config) { c.CloseTimeout = -1 },
		"StopTimeout":       func(c *pool.Config) { c.StopTimeout = -1 },
		"RecordTimeout":     func(c *pool.Config) { c.RecordTimeout = -1 },
		"Grace":             func(c *pool.Config) { c.Grace = -1 },
		"Heartbeat":         func(c *pool.Config) { c.Heartbeat = -time.Second },
		"LaunchBackoff":     func(c *pool.Config) { c.LaunchBackoff = -1 },
		"MaxLaunchBackoff":  func(c *pool.Config) { c.MaxLaunchBackoff = -1 },
		"MaxLaunchFailures": func(c *pool.Config) { c.MaxLaunchFailures = -1 },
	}
	for field, spoil := range tests {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			cfg := pool.Config{Queue: tasks.NewMemory(), Open: (&yard{}).open, Size: 1}
			if err := cfg.Validate(); err != nil {
				t.Fatalf("the smallest configuration is refused: %v", err)
			}
			spoil(&cfg)
			_, err := pool.New(cfg)
			wantMessage(t, err, field)
		})
	}
}

func TestSizeIsItsOwnError(t *testing.T) {
	t.Parallel()
	_, err := pool.New(pool.Config{Queue: tasks.NewMemory(), Open: (&yard{}).open, Size: -3})
	if !errors.Is(err, pool.ErrSize) {
		t.Errorf("New with Size -3 returned %v, want ErrSize", err)
	}
}
