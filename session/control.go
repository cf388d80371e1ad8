package session

import (
	"errors"
	"maps"
	"os"
	"slices"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/tasks"
)

// Control returns the session as package control lets it be watched and steered.
func (s *ProcessingSession) Control() control.Session { return steered{s} }

// steered is a session as package control knows it.
type steered struct{ s *ProcessingSession }

// pauseReason is why a session is paused that a person has paused.
const pauseReason = "as a person asked; 'poscrape worker resume' goes on"

func (c steered) Ended() <-chan struct{} { return c.s.over }

func (c steered) Scale(n int) error { return refused(c.s.Scale(n)) }

func (c steered) Pause() (already bool, err error) {
	s := c.s
	s.steering.Lock()
	defer s.steering.Unlock()
	if s.goOnNow != nil {
		_, err := s.running()
		return true, refused(err)
	}
	release, err := s.Hold(HeldByPerson, pauseReason)
	if err != nil {
		return false, refused(err)
	}
	s.goOnNow = release
	return false, nil
}

func (c steered) GoOn() (ended bool, err error) {
	s := c.s
	s.steering.Lock()
	defer s.steering.Unlock()
	if _, err := s.running(); err != nil {
		return false, refused(err)
	}
	if s.goOnNow == nil {
		return false, nil
	}
	s.goOnNow("as a person asked")
	s.goOnNow = nil
	return true, nil
}

func (c steered) Stop(reason string, force bool) error {
	select {
	case <-c.s.over:
		return refused(ErrClosed)
	default:
	}
	if force {
		c.s.story.Inform("%s: the orders in progress are put back, their attempts do not count", reason)
		c.s.Abort(reason)
		return nil
	}
	c.s.story.Inform("%s: no new order is begun; those in progress have up to %v to finish", reason, c.s.cfg.Grace)
	c.s.Interrupt(reason)
	return nil
}

// refused returns an error of what was asked for as a *control.Error, or nil.
func refused(err error) error {
	var setting *ConfigError
	var failed *pool.FailedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &setting):
		return control.Errorf(control.OutOfBounds, "%s", setting.Message)
	case errors.As(err, &failed) && errors.Is(failed.Cause, pool.ErrNoWorker):
		return control.Errorf(control.StartFailed, "the session ends: %w", failed.Cause)
	case errors.Is(err, ErrNotRunning), errors.Is(err, ErrClosed), errors.Is(err, pool.ErrStopping), errors.Is(err, pool.ErrNotRunning), errors.Is(err, pool.ErrFailed):
		return control.Errorf(control.NotRunning, "the session takes no orders now: it is just beginning, or ending")
	}
	return control.Errorf("", "%w", err)
}

func (c steered) Snapshot() control.Snapshot {
	s := c.s
	s.mu.Lock()
	record, p := s.record, s.pool
	s.mu.Unlock()
	now := s.tally.Now()
	shot := control.Snapshot{Status: statusOf(now), Workers: []control.Worker{}}
	status := &shot.Status
	status.Session, status.Dir, status.PID, status.StartedAt = record.ID, s.Dir(), os.Getpid(), record.StartedAt
	if p == nil {
		return shot
	}
	stats := p.Stats()
	status.Pool = string(stats.State)
	status.Workers = control.Workers{Wanted: stats.Asked, Allowed: stats.Wanted, Running: stats.Running, Busy: stats.Busy,
		Idle: stats.Idle, Starting: stats.Starting, Draining: stats.Draining}
	for _, l := range p.Limits() {
		status.Limits = append(status.Limits, control.Limit{Owner: l.Owner, Workers: l.Workers, Reason: l.Reason})
	}
	for _, w := range p.Workers() {
		if w.State != pool.WorkerCompleted {
			shot.Workers = append(shot.Workers, workerOf(record.Host, w, s.recordOf(w)))
		}
	}
	return shot
}

// statusOf returns what a progress says of a session.
func statusOf(p progress.Progress) control.Status {
	status := control.Status{
		Protocol: control.Protocol, Status: p.Status, At: p.At, Total: p.Total, Pending: p.Pending, Active: p.Active,
		Skipped: p.Skipped, Well: p.Well, NotWell: p.NotWell, ByOutcome: maps.Clone(p.ByOutcome), RatePerMinute: p.RatePerMinute,
		Reason: p.Reason, Holds: []control.Hold{}, Limits: []control.Limit{}, Workers: control.Workers{Wanted: p.Wanted},
		History: control.History{Opened: p.Pool.Opened, Replaced: p.Pool.Replaced, Lost: p.Pool.Lost, Claims: p.Pool.Claims,
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

func workerOf(machine string, w pool.WorkerStatus, r tasks.Worker) control.Worker {
	orders := slices.Clone(w.Tasks)
	if orders == nil {
		orders = []string{}
	}
	return control.Worker{
		ID: w.ID, Machine: machine, BrowserID: r.BrowserID, PID: r.PID, Profile: r.Profile, State: string(w.State),
		Draining: w.Draining, Task: w.Task, Tasks: orders, Processed: r.Processed, Succeeded: r.Processed - r.Failed, Failed: r.Failed,
		StartedAt: w.StartedAt, LastActivity: w.LastActivity, Restarts: r.Restarts, Error: w.Error,
		MemoryBytes: r.MemoryBytes, MemoryPeakBytes: r.MemoryPeakBytes, CPU: r.CPU, DiskBytes: r.DiskBytes,
	}
}
