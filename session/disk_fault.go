package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// halt ends the session because of this machine. What is in progress is put back,
// the room of the reserve file is given to what is still to be recorded. The
// first reason is the one that counts. It may be called by any goroutine; when it
// returns, nothing new begins.
func (s *ProcessingSession) halt(why error) {
	s.reserve.Spend()
	s.mu.Lock()
	first := s.halted == nil
	if first {
		s.halted = why
	}
	p := s.pool
	s.mu.Unlock()
	if !first {
		return
	}
	if p != nil {
		p.Kill(why)
	}
	s.tally.Stopping("stopping: " + why.Error())
	s.story.Add(context.Background(), tasks.Event{Type: tasks.EventInterrupted, Detail: why.Error() + "; orders in progress are put back"})
}

// openVolumes finds the file systems that a session in dir will write to.
func openVolumes(cfg Config, dir string) *disk.Volumes {
	return disk.VolumesOf(disk.Config{Dir: dir, Temp: profilesParent(), Reserve: cfg.MinFree})
}

// checkRoom returns an *EnvironmentError if too little is free to begin.
func checkRoom(v *disk.Volumes) error {
	short := v.Short(1)
	if short == nil {
		return nil
	}
	remedy, inDir := short.Remedy()
	if inDir {
		remedy += ", or name a folder on another disk with --out"
	}
	return &EnvironmentError{Doing: "looking for disk space",
		Err: fmt.Errorf("%s; %s (--min-free changes the reserve)", short, remedy)}
}

// fillReserve makes the reserve file.
func (s *ProcessingSession) fillReserve() {
	space, err := disk.Measure(s.dir)
	if err == nil {
		err = s.reserve.Fill(s.root, s.tally.Now().Total, space.Free)
	}
	if err != nil && !s.struck(err) {
		s.story.Log.Error("keeping room for the report", "error", err)
	}
}

// isStorage reports whether an error comes of a disk, or of the session file.
func isStorage(err error) bool {
	var file *ledger.FileError
	return disk.FaultOf(err) != "" || errors.As(err, &file)
}

// explain says of an error that comes of a disk which one it is, and what to do.
func (s *ProcessingSession) explain(err error) error { return explain(s.volumes, s.dir, err) }

func explain(v *disk.Volumes, dir string, err error) error {
	what, remedy, err := v.Trouble(err)
	return &EnvironmentError{Doing: fmt.Sprintf("%s; %s, then go on with: poscrape resume %s", what, remedy, dir), Err: err}
}

// isThere reports whether there is something at a path.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// haltedBy returns why the session was halted, or nil.
func (s *ProcessingSession) haltedBy() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.halted
}

// displaced returns an *EnvironmentError if the session folder, or what the
// session needs in it, is not in its place any more. What is written to it then
// is lost, and what stands in its place belongs to somebody else.
func (s *ProcessingSession) displaced() error {
	var err error
	own, rootErr := s.root.Stat(".")
	there, pathErr := os.Stat(s.dir)
	switch {
	case rootErr != nil || pathErr != nil:
		err = errors.Join(rootErr, pathErr)
	case !os.SameFile(own, there):
		err = errors.New("another folder is in its place")
	default:
		err = errors.Join(s.ledger.InPlace(), s.documents.InPlace())
	}
	if err == nil {
		return nil
	}
	return &EnvironmentError{Doing: fmt.Sprintf("the session folder %s was removed, moved or replaced while the session ran; "+
		"put it back and go on with 'poscrape resume', or start a new session", s.dir), Err: err}
}

// ownFault returns the *EnvironmentError that an error of the session's own files amounts to
// if the disk is to blame for it, else nil.
func (s *ProcessingSession) ownFault(err error) error {
	if err == nil {
		return nil
	}
	if gone := s.displaced(); gone != nil {
		return gone
	}
	if !isStorage(err) {
		return nil
	}
	return s.explain(err)
}

// struck reports whether the disk is to blame for an error of the session's own
// files, and then halts the session. There is room again when it returns, if the
// reserve file made any: what failed may be tried once more.
func (s *ProcessingSession) struck(err error) bool {
	fault := s.ownFault(err)
	if fault == nil && errors.Is(err, os.ErrPermission) {
		fault = s.explain(err)
	}
	if fault != nil {
		s.halt(fault)
	}
	return fault != nil
}

// diskFault returns what is wrong with a disk if that is to blame for the error of an
// attempt, or of a launch, and then halts the session. On a full disk everything may fail,
// and say something else.
func (s *ProcessingSession) diskFault(err error) error {
	if err == nil || tasks.AsFailure(err).Advice == tasks.AdvicePermanent {
		return nil
	}
	fault := s.ownFault(err)
	if fault == nil && s.volumes.Room(0) != nil {
		fault = s.explain(err)
	}
	if fault != nil {
		s.halt(fault)
	}
	return fault
}

// abandon ends a session whose folder is gone: nothing is written any more, for
// there is no place that is its own.
func (s *ProcessingSession) abandon(gone error, cleanup tasks.Cleanup, began time.Time) (End, error) {
	s.halt(gone)
	why := s.haltedBy()
	last := s.tally.Now()
	s.tally.End(tasks.Stats{Total: last.Total}, tasks.SessionInterrupted, why.Error())
	if err := s.release(); err != nil {
		s.story.Log.Error("closing a session whose folder is gone", "error", err)
	}
	return End{Dir: s.dir, Status: tasks.SessionInterrupted, Cause: CauseEnvironment, Reason: why.Error(),
		Total: last.Total, Cleanup: cleanup, Took: time.Since(began)}, why
}

// clarify returns one error for all that went wrong in writing the report, and in
// closing the session afterwards, where the disk is to blame for it. Of a session
// that the disk has ended, it is known that it cannot be cleared up.
func (s *ProcessingSession) clarify(reporting, closing error) error {
	halted := s.haltedBy()
	if halted != nil && isStorage(closing) {
		closing = nil
	}
	err := errors.Join(reporting, closing)
	switch {
	case !isStorage(err):
		return err
	case halted != nil:
		return halted
	}
	return s.explain(err)
}
