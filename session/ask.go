package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/tasks"
)

// Progress returns how the session stands. It may be called at any time.
func (s *ProcessingSession) Progress() Progress { return s.tally.Now() }

// Results returns what the session has found so far, as the report at its end does. It reads
// the ledger and blocks while it does. It returns ErrClosed when the session has ended: the
// report is in its folder then.
func (s *ProcessingSession) Results(ctx context.Context) (*report.Report, error) {
	r, err := report.Build(ctx, s.folder.Ledger)
	return r, s.asked("reading", err)
}

// Export writes what the session has found so far into a folder, which must be there, as the
// files of a report. Its links to documents are relative to the session folder. Export blocks
// while it reads the ledger, and returns ErrClosed when the session has ended.
func (s *ProcessingSession) Export(ctx context.Context, dir string) error {
	_, err := report.WriteFiles(ctx, dir, s.folder.Ledger)
	return s.asked("exporting", err)
}

// asked says of an error what was asked for.
func (s *ProcessingSession) asked(doing string, err error) error {
	switch {
	case errors.Is(err, tasks.ErrClosed):
		return ErrClosed
	case err != nil:
		return fmt.Errorf("%s what the session in %s has found: %w", doing, s.Dir(), err)
	}
	return nil
}
