package session

import (
	"context"
	"fmt"

	"github.com/poscrape/poscrape/tasks"
)

// repair puts back the orders of earlier runs whose documents are gone, unless that is
// not wanted, and says so.
func (s *ProcessingSession) repair(ctx context.Context) error {
	missing, err := s.documents.Missing(ctx)
	if err != nil {
		return fmt.Errorf("looking at the documents of earlier runs: %w", err)
	}
	for _, path := range missing.Paths() {
		s.story.Log.Warn("a document of an earlier run is not in its place, or not as it was", "path", path)
	}
	if len(missing) == 0 {
		return nil
	}
	if s.cfg.NoRepair {
		s.story.Warn("%s; --no-repair leaves that as it is (--no-repair=false mends it), and the report lists what was there", missing)
		return nil
	}
	if _, err = s.folder.Ledger.Repair(ctx, missing); err != nil {
		return fmt.Errorf("putting back the orders whose documents are gone: %w", err)
	}
	s.story.Warn("%s; they are fetched again", missing)
	return nil
}

// stillMissing returns how many documents a session that was gone on with has recorded
// as done, and has not.
func (s *ProcessingSession) stillMissing(ctx context.Context, record tasks.Session) (int, error) {
	if record.Resumed == 0 {
		return 0, nil
	}
	missing, err := s.documents.Missing(ctx)
	if len(missing) > 0 && !s.cfg.NoRepair { // else it was said
		s.story.Warn("%s; 'poscrape resume' fetches what is missing", missing)
	}
	return len(missing.Paths()), err
}
