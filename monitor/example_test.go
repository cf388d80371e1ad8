package monitor_test

import (
	"fmt"

	"github.com/poscrape/poscrape/monitor"
)

func ExampleConfig_Validate() {
	cfg := monitor.DefaultConfig()
	fmt.Println(cfg.CPU, cfg.Memory, cfg.Interval, cfg.Validate())
	cfg.CPU = 0.3
	fmt.Println(cfg.Validate())
	// Output:
	// 0.8 0.9 5s <nil>
	// monitor: CPU is 0.3: it must be between 0.5 and 0.95
}
