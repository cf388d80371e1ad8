package control

import (
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// Snapshot is how a session stands.
type Snapshot struct {
	Status Status `json:"status"`
	// Workers are those that are there now, sorted by id.
	Workers []Worker `json:"workers"`
}

// Status is how a session stands as a whole.
type Status struct {
	Protocol int `json:"protocol"`
	// Session is its id, Dir its folder, PID the process that runs it.
	Session uuid.UUID           `json:"session"`
	Dir     string              `json:"dir"`
	PID     int                 `json:"pid"`
	Status  tasks.SessionStatus `json:"status"`
	// Pool is the state of the pool of workers; empty before the session works.
	Pool string `json:"pool"`
	// StartedAt is when the session was begun, in its first run; At when it stood so.
	StartedAt time.Time `json:"started_at"`
	At        time.Time `json:"at"`
	Workers   Workers   `json:"workers"`
	// Total orders: Completed and Failed are those with that state, Skipped were left out,
	// Pending wait, and Active ones are with a worker.
	Total     int `json:"total"`
	Pending   int `json:"pending"`
	Active    int `json:"active"`
	Completed int `json:"completed"`
	Failed    int `json:"failed"`
	Skipped   int `json:"skipped"`
	// Well and NotWell are the orders that have ended, ByOutcome says how.
	Well      int                   `json:"well"`
	NotWell   int                   `json:"not_well"`
	ByOutcome map[tasks.Outcome]int `json:"by_outcome"`
	// Confirmed and Listed are the orders that have ended well and are confirmed, or are not, by what has been read so
	// far. They may lag behind the other figures.
	Confirmed int `json:"confirmed"`
	Listed    int `json:"listed"`
	// RatePerMinute is how many orders ended per minute, lately. ETAMS is how long the rest
	// takes at that rate, and nil while that is not known.
	RatePerMinute float64 `json:"rate_per_minute"`
	ETAMS         *int64  `json:"eta_ms"`
	// Load is that of the machine, and nil while it is not known.
	Load *Load `json:"load"`
	// Reason says why there are fewer workers than wanted, or why the session is paused or
	// stopping, or is empty.
	Reason string `json:"reason"`
	// Holds are what keeps the session paused, Limits what keeps workers away.
	Holds  []Hold  `json:"holds"`
	Limits []Limit `json:"limits"`
	// Usage is what all workers use that are there now.
	Usage Usage `json:"usage"`
	// History is what this run's pool has done.
	History History `json:"history"`
}

// Workers counts workers.
type Workers struct {
	// Wanted are those asked for, Allowed those that the limits leave of them.
	Wanted  int `json:"wanted"`
	Allowed int `json:"allowed"`
	// Running ones stand: Busy ones have an order, Idle ones wait for one. Starting ones are
	// being opened. Draining ones run, and close after their order.
	Running  int `json:"running"`
	Busy     int `json:"busy"`
	Idle     int `json:"idle"`
	Starting int `json:"starting"`
	Draining int `json:"draining"`
}

// Load is how loaded the machine is, as shares of 1. Pressure is nil where the system does
// not measure it.
type Load struct {
	CPU      float64  `json:"cpu"`
	Memory   float64  `json:"memory"`
	Pressure *float64 `json:"pressure"`
}

// Hold is one reason why a session is paused.
type Hold struct {
	Owner  string    `json:"owner"`
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
}

// Limit is the most workers that its owner allows.
type Limit struct {
	Owner   string `json:"owner"`
	Workers int    `json:"workers"`
	Reason  string `json:"reason"`
}

// History is what a pool has done in this run. Orders that were claimed had waited for
// WaitedMS together.
type History struct {
	CreatedAt time.Time `json:"created_at,omitzero"`
	Opened    int       `json:"opened"`
	Replaced  int       `json:"replaced"`
	Lost      int       `json:"lost"`
	Claims    int       `json:"claims"`
	WaitedMS  int64     `json:"waited_ms"`
}

// Worker is one worker. Its fields are those of the report's workers.
type Worker struct {
	ID        string    `json:"id"`
	Machine   string    `json:"machine"`
	BrowserID uuid.UUID `json:"browser_id,omitzero"`
	PID       int       `json:"pid"`
	Profile   string    `json:"profile"`
	State     string    `json:"state"`
	// Draining: it closes after its orders.
	Draining bool `json:"draining"`
	// Tasks are the orders that it works on, Task is the first of them, or empty.
	Task  string   `json:"task"`
	Tasks []string `json:"tasks"`
	// Processed counts its charged attempts: Failed those that failed, Succeeded the others.
	Processed       int       `json:"processed"`
	Succeeded       int       `json:"succeeded"`
	Failed          int       `json:"failed"`
	StartedAt       time.Time `json:"started_at,omitzero"`
	LastActivity    time.Time `json:"last_activity,omitzero"`
	Restarts        int       `json:"restarts"`
	Error           string    `json:"error"`
	MemoryBytes     int64     `json:"memory_bytes"`
	MemoryPeakBytes int64     `json:"memory_peak_bytes"`
	CPU             float64   `json:"cpu"`
	DiskBytes       int64     `json:"disk_bytes"`
	// Isolation is what its browser runs in, "process" or "container".
	Isolation string `json:"isolation"`
	// Usage says again what its browser used at the last sample.
	Usage Usage `json:"usage"`
	// TaskMS is the wall time of its charged attempts in this run, in milliseconds. FellBack counts
	// its orders for which a lighter way was given up, Retries its attempts that were not an order's first.
	TaskMS   MeanTime `json:"task_ms"`
	FellBack int      `json:"fell_back"`
	Retries  int      `json:"retries"`
}

// Usage is what workers use: processors, bytes of memory (PSS), and bytes of their profiles.
type Usage struct {
	CPU    float64 `json:"cpu"`
	Memory int64   `json:"memory"`
	Disk   int64   `json:"disk"`
}

// MeanTime is the mean of N samples, in milliseconds.
type MeanTime struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
}

// Answer says that a request was accepted.
type Answer struct {
	// Accepted is what was asked for: scale, pause, resume or stop.
	Accepted string `json:"accepted"`
	// Message says in a sentence what follows.
	Message string `json:"message"`
	// Session and Dir say whose it is.
	Session uuid.UUID `json:"session"`
	Dir     string    `json:"dir"`
}
