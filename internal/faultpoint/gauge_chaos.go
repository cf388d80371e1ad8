//go:build chaos

package faultpoint

import (
	"os"
	"runtime"
	"strconv"
	"time"
)

// gaugeVariable names the environment's variable with the file into which the
// number of goroutines is written each second, for as long as the process lives.
const gaugeVariable = "POSCRAPE_GOROUTINES"

func init() {
	file := os.Getenv(gaugeVariable)
	if file == "" {
		return
	}
	go func() {
		for range time.Tick(time.Second) {
			// A figure that is missing shows in what reads the file.
			_ = os.WriteFile(file, []byte(strconv.Itoa(runtime.NumGoroutine())), 0o644)
		}
	}()
}
