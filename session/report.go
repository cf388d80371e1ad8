package session

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// ReadReport returns the report of the session in a folder, from its ledger alone and as it is
// at one moment, also while the session runs. It changes nothing. It returns a *FolderError for
// a folder that holds no session, and a *ledger.FileError for a ledger that cannot be read.
func ReadReport(ctx context.Context, dir string) (r *report.Report, err error) {
	if dir, err = folder.Find(dir); err != nil {
		return nil, err
	}
	owned := func() bool { return ledger.Owner(filepath.Join(dir, folder.LedgerName)) != nil }
	err = folder.ReadOnly(ctx, dir, func(ctx context.Context, l *ledger.Ledger) error {
		return l.Moment(ctx, func(l *ledger.Ledger) error {
			r, err = report.Build(ctx, seen{l, owned})
			return err
		})
	})
	if errors.Is(err, tasks.ErrNotFound) {
		return nil, setup.NotBegun(dir)
	}
	if r != nil {
		r.Folder = dir
	}
	return r, err
}

// seen is a session as somebody else than its owner sees it.
type seen struct {
	*ledger.Ledger
	// owned reports whether somebody works on it.
	owned func() bool
}

// Session returns the session's record. One that says that it is at work, although nobody works
// on it, has been interrupted.
func (s seen) Session(ctx context.Context) (tasks.Session, error) {
	record, err := s.Ledger.Session(ctx)
	switch record.Status {
	case tasks.SessionInitializing, tasks.SessionRunning, tasks.SessionPaused:
		if err == nil && !s.owned() {
			record.Status, record.Reason = tasks.SessionInterrupted, "the last run has recorded no end"
		}
	}
	return record, err
}
