package session

import (
	"context"
	"errors"
	"time"

	"github.com/poscrape/poscrape/session/space"
	"github.com/poscrape/poscrape/tasks"
)

// halt ends the session because of this machine. What is in progress is put back,
// the room of the reserve file is given to what is still to be recorded. The
// first reason is the one that counts. It may be called by any goroutine; when it
// returns, nothing new begins.
func (s *ProcessingSession) halt(why error) {
	s.space.SpendReserve()
	p, first := s.life.Halt(why)
	if !first {
		return
	}
	if p != nil {
		s.portals.AskNobody()
		p.Kill(why)
	}
	s.tally.Stopping("stopping: " + why.Error())
	s.story.Add(context.Background(), tasks.Event{Type: tasks.EventInterrupted, Detail: why.Error() + "; orders in progress are put back"})
}

// fillReserve makes the file that keeps room for the report.
func (s *ProcessingSession) fillReserve() {
	err := s.space.FillReserve(s.folder.Root, s.tally.Now().Total)
	if err != nil && !s.space.Struck(err) {
		s.story.Log.Error("keeping room for the report", "error", err)
	}
}

// watchDisk watches the disk until ctx ends.
func (s *ProcessingSession) watchDisk(ctx context.Context) {
	w := space.Watch{Guard: s.space, Patience: s.cfg.DiskPatience,
		Busy: func() bool { return s.pool().Stats().InHand > 0 },
		Hold: func(why string) func(string) { return s.pool().Hold(Hold{Owner: HeldByDisk, Reason: why}) },
	}
	w.Run(ctx)
}

// abandon ends a session whose folder is gone: nothing is written any more, for
// there is no place that is its own.
func (s *ProcessingSession) abandon(gone error, cleanup tasks.Cleanup, began time.Time) (End, error) {
	s.halt(gone)
	why := s.life.Stopped().Halted
	last := s.tally.Now()
	s.tally.End(tasks.Stats{Total: last.Total}, tasks.SessionInterrupted, why.Error())
	if err := s.release(); err != nil {
		s.story.Log.Error("closing a session whose folder is gone", "error", err)
	}
	return End{Dir: s.cfg.Out, Status: tasks.SessionInterrupted, Cause: CauseEnvironment, Reason: why.Error(),
		Total: last.Total, Cleanup: cleanup, Took: time.Since(began)}, why
}

// clarify returns one error for all that went wrong in writing the report, and in
// closing the session afterwards, where the disk is to blame for it. Of a session
// that the disk has ended, it is known that it cannot be cleared up.
func (s *ProcessingSession) clarify(reporting, closing error) error {
	halted := s.life.Stopped().Halted
	if halted != nil && space.IsStorage(closing) {
		closing = nil
	}
	err := errors.Join(reporting, closing)
	switch {
	case !space.IsStorage(err):
		return err
	case halted != nil:
		return halted
	}
	return s.space.Explain(err)
}
