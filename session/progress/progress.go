// Package progress says how a session stands: what has ended, how fast, who holds it, and
// how many workers are at it. It decides nothing.
package progress

import (
	"time"

	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// Load is how loaded the machine is.
type Load = monitor.Sample

// Progress is how a session stands.
type Progress struct {
	At     time.Time
	Status tasks.SessionStatus
	// Total tasks, and how many of them have ended: Done = Well + NotWell.
	Total, Done, Well, NotWell int
	// Pending tasks wait, Active ones are with a worker; Skipped were left out.
	Pending, Active, Skipped int
	// Wanted workers are those that were asked for; how many run, and how many of
	// those work on an order.
	Wanted, Running, Busy int
	// Pool is what this run's pool has done since it was made; zero before Run.
	Pool pool.History
	// ByOutcome counts the tasks that have ended, and those that were left out.
	ByOutcome map[tasks.Outcome]int
	// RatePerMinute is how many tasks ended per minute, lately.
	RatePerMinute float64
	// ETA is how long the rest will take at that rate, or -1 while nothing is known, as in a pause or once it stops.
	ETA time.Duration
	// Load is how loaded the machine was lately; its At is zero while that is not known.
	Load Load
	// Holds are the reasons why the session is paused, oldest first. It goes on when
	// there are none.
	Holds []pool.Hold
	// Reason says in one sentence why fewer workers run than wanted, or why the
	// session is paused or stopping, or is empty.
	Reason string
}
