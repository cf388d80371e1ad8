package progress

import (
	"maps"
	"slices"
	"time"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// ForControl returns how the session stands as package control tells it.
func (p Progress) ForControl() control.Status {
	status := control.Status{
		Protocol: control.Protocol, Status: p.Status, At: p.At, Total: p.Total, Pending: p.Pending, Active: p.Active,
		Skipped: p.Skipped, Well: p.Well, NotWell: p.NotWell, ByOutcome: maps.Clone(p.ByOutcome), RatePerMinute: p.RatePerMinute,
		Reason: p.Reason, Holds: []control.Hold{}, Limits: []control.Limit{}, Workers: control.Workers{Wanted: p.Wanted},
		History: control.History{CreatedAt: p.Pool.Made, Opened: p.Pool.Opened, Replaced: p.Pool.Replaced, Lost: p.Pool.Lost, Claims: p.Pool.Claims,
			WaitedMS: p.Pool.Waited.Milliseconds()},
	}
	for outcome, n := range p.ByOutcome {
		switch outcome.State() {
		case tasks.StateCompleted:
			status.Completed += n
		case tasks.StateFailed:
			status.Failed += n
		}
	}
	if p.ETA >= 0 {
		ms := p.ETA.Milliseconds()
		status.ETAMS = &ms
	}
	if !p.Load.At.IsZero() {
		load := control.Load{CPU: p.Load.CPU, Memory: p.Load.Memory}
		if p.Load.Pressure >= 0 {
			load.Pressure = &p.Load.Pressure
		}
		status.Load = &load
	}
	for _, h := range p.Holds {
		status.Holds = append(status.Holds, control.Hold{Owner: h.Owner, Reason: h.Reason, Since: h.Since})
	}
	return status
}

// Worker returns a worker of a machine, with its record, as package control tells it.
func Worker(machine string, w pool.WorkerStatus, r tasks.Worker, work Work) control.Worker {
	orders := slices.Clone(w.Tasks)
	if orders == nil {
		orders = []string{}
	}
	mean := 0.0
	if work.Attempts > 0 {
		mean = float64((work.Took / time.Duration(work.Attempts)).Microseconds()) / 1000
	}
	return control.Worker{
		ID: w.ID, Machine: machine, BrowserID: r.BrowserID, PID: r.PID, Profile: r.Profile, State: string(w.State),
		Draining: w.Draining, Task: w.Task, Tasks: orders, Processed: r.Processed, Succeeded: r.Processed - r.Failed, Failed: r.Failed,
		StartedAt: w.StartedAt, LastActivity: w.LastActivity, Restarts: r.Restarts, Error: w.Error,
		MemoryBytes: r.MemoryBytes, MemoryPeakBytes: r.MemoryPeakBytes, CPU: r.CPU, DiskBytes: r.DiskBytes, Isolation: r.Isolation,
		Usage:  control.Usage{CPU: r.CPU, Memory: r.MemoryBytes, Disk: r.DiskBytes},
		TaskMS: control.MeanTime{N: work.Attempts, Mean: mean}, FellBack: work.FellBack, Retries: work.Retries,
	}
}
