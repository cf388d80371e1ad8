package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

func (p *program) newStopCommand() *cobra.Command {
	force := false
	return p.steer(&cobra.Command{
		Use:   "stop [flags]",
		Short: "Stop the session, and wait for its end",
		Long: `Stop the session: no more orders are begun, and those in progress have the time of
run's --grace to finish. With --force they are put back at once, and their attempts
do not count. The command ends when the session has ended and its report is written;
'poscrape resume' continues the session. The command gives up (WORKER-004) if the
session does not answer for 15 s, as when its process is stopped.`,
	}, request{
		do: func(ctx context.Context, s *steering, c *control.Client, _ []string) error {
			a, err := c.Stop(ctx, force)
			if err != nil {
				return err
			}
			if !s.json {
				if err := s.accepted(a, nil); err != nil {
					return err
				}
			}
			end, err := c.Wait(ctx)
			if err != nil {
				return err
			}
			return s.stopped(a, end)
		},
		ended: endedItself,
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&force, "force", false, "put orders in progress back at once")
		},
	})
}

// stopped tells how a session stands that has ended.
func (s *steering) stopped(a control.Answer, end control.Status) error {
	if s.json {
		return s.write(struct {
			control.Answer
			Status control.Status `json:"status"`
		}{a, end})
	}
	return s.print(endText(end))
}

// endedItself tells of a session that was to be stopped how it has ended, by what its ledger says.
// Where that says nothing of an end, it returns an *control.Error.
func endedItself(ctx context.Context, s *steering, dir string) error {
	end, err := endOf(ctx, dir)
	if err != nil || !ended(end.Status) {
		return notRunning(ctx, dir)
	}
	a := control.Answer{Accepted: "stop", Message: "it has ended before it could be stopped", Session: end.Session, Dir: dir}
	if !s.json {
		if err := s.accepted(a, nil); err != nil {
			return err
		}
	}
	return s.stopped(a, end)
}

// endOf returns how the session in a folder stands that nobody runs.
func endOf(ctx context.Context, dir string) (end control.Status, err error) {
	err = folder.ReadOnly(ctx, dir, func(ctx context.Context, l *ledger.Ledger) error {
		record, err := l.Session(ctx)
		if err != nil {
			return err
		}
		stats, err := l.Stats(ctx)
		if err != nil {
			return err
		}
		end = statusAtEnd(record, stats)
		end.Dir, err = filepath.Abs(dir)
		return err
	})
	return end, err
}

func statusAtEnd(record tasks.Session, stats tasks.Stats) control.Status {
	status := control.Status{
		Protocol: control.Protocol, Session: record.ID, Status: record.Status, StartedAt: record.StartedAt, At: record.EndedAt,
		Total: stats.Total, Active: stats.Active(), Completed: stats.ByState[tasks.StateCompleted], Failed: stats.ByState[tasks.StateFailed],
		Skipped: stats.ByOutcome[tasks.OutcomeSkipped], ByOutcome: map[tasks.Outcome]int{}, Reason: record.Reason,
		Holds: []control.Hold{}, Limits: []control.Limit{}, Workers: control.Workers{Wanted: record.Workers},
	}
	for outcome, n := range stats.ByOutcome {
		switch {
		case !outcome.State().Final():
			continue
		case outcome.Well():
			status.Well += n
		default:
			status.NotWell += n
		}
		status.ByOutcome[outcome] = n
	}
	status.Pending = status.Total - status.Well - status.NotWell - status.Skipped - status.Active
	return status
}

// ended reports whether a status is that of a session whose end is recorded.
func ended(s tasks.SessionStatus) bool {
	switch s {
	case tasks.SessionCompleted, tasks.SessionFailed, tasks.SessionInterrupted:
		return true
	}
	return false
}
