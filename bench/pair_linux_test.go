package main

import (
	"sync/atomic"
	"testing"
	"time"
)

// Not parallel, as all that measures: see measure_linux_test.go.
func TestAccountsCountAllProcesses(t *testing.T) {
	found, err := newAccount(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]account{
		"as here":               found,
		"without control group": {self: found.self, count: &atomic.Int64{}},
	} {
		t.Run(name, func(t *testing.T) {
			// The shell within the shell is a process of its own, which does the work.
			busy := `sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'; exit 0`
			cmd, sum, err := a.command(t.Context(), "/bin/sh", []string{"-c", busy})
			if err != nil {
				t.Fatal(err)
			}
			err = cmd.Run()
			used, sumErr := sum()
			if err != nil || sumErr != nil || used < 20*time.Millisecond || used > time.Minute {
				t.Errorf("got %v, %v, %v, want what the shell has used", used, err, sumErr)
			}
		})
	}
}
