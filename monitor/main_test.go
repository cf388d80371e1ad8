package monitor

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start is when samples of tests begin.
var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func testConfig() Config {
	cfg := DefaultConfig()
	cfg.Interval = time.Second
	return cfg.withDefaults()
}
