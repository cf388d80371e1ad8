package session

import (
	"context"
	"errors"
	"os"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/progress"
)

// Control returns the session as package control lets it be watched and steered.
func (s *ProcessingSession) Control() control.Session { return steered{s} }

// steered is a session as package control knows it.
type steered struct{ s *ProcessingSession }

// pauseReason is why a session is paused that a person has paused.
const pauseReason = "a person asked for it; continue with 'poscrape worker resume'"

func (c steered) Ended() <-chan struct{} { return c.s.life.Over() }

func (c steered) Scale(n int) error { return refused(c.s.Scale(n)) }

func (c steered) Pause() (already bool, err error) {
	s := c.s
	if !s.pause.begin() {
		_, err := s.life.Running()
		return true, refused(err)
	}
	end, err := s.Hold(HeldByPerson, pauseReason)
	s.pause.set(end)
	return false, refused(err)
}

func (c steered) GoOn() (ended bool, err error) {
	s := c.s
	if _, err := s.life.Running(); err != nil {
		return false, refused(err)
	}
	end := s.pause.take()
	if end == nil {
		return false, nil
	}
	end("a person asked for it")
	return true, nil
}

func (c steered) Stop(reason string, force bool) error {
	select {
	case <-c.s.life.Over():
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
	record, p := s.life.Now()
	now := s.tally.Now()
	shot := control.Snapshot{Status: now.ForControl(), Workers: []control.Worker{}}
	status := &shot.Status
	status.Confirmed, status.Listed = s.confirmed.count(context.Background(), s.folder.Ledger, now.Done)
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
			one := progress.Worker(record.Host, w, s.recordOf(w), s.tally.WorkOf(w.ID))
			shot.Workers = append(shot.Workers, one)
			status.Usage.CPU += one.CPU
			status.Usage.Memory += one.MemoryBytes
			status.Usage.Disk += one.DiskBytes
		}
	}
	return shot
}
