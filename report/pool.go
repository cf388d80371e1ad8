package report

import (
	"slices"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// Pool says what the session's workers were in all, in all its runs.
type Pool struct {
	// CreatedAt is when the first run began to work, nil before it.
	CreatedAt *time.Time `json:"created_at"`
	// Opened workers; of these, Replaced ones took the place of one that was lost or
	// worn out. Lost ones failed after they had been opened.
	Opened   int `json:"opened"`
	Replaced int `json:"replaced"`
	Lost     int `json:"lost"`
	// Claims counts how often tasks were handed out, as far as that has ended.
	Claims int `json:"claims"`
	// WaitedMS is for how long tasks were due before they were handed out.
	WaitedMS WaitTimes `json:"waited_ms"`
}

// WaitTimes are percentiles of N samples, in milliseconds.
type WaitTimes struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// newPool returns what workers and events, oldest first, and counts say of the pool.
func newPool(workers []Worker, events []Event, counts *tally) Pool {
	slices.Sort(counts.waitMS)
	p := Pool{Claims: counts.claims, WaitedMS: WaitTimes{
		N: len(counts.waitMS), P50: percentile(counts.waitMS, 50), P99: percentile(counts.waitMS, 99),
	}}
	for i := range workers {
		p.Replaced += workers[i].Restarts
	}
	open := map[string]bool{}
	for i := range events {
		e := &events[i]
		switch e.Type {
		case tasks.EventSessionStarted:
			p.CreatedAt = e.At // later runs are resumed
		case tasks.EventWorkerStarted:
			p.Opened++
			open[e.Worker] = true
		case tasks.EventWorkerStopped, tasks.EventWorkerRecycled:
			open[e.Worker] = false
		case tasks.EventWorkerFailed:
			if open[e.Worker] { // else it was not opened
				p.Lost++
			}
			open[e.Worker] = false
		}
	}
	return p
}
