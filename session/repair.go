package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// maxNamedDocuments is how many documents that are gone are named one by one.
const maxNamedDocuments = 3

// repair puts back the orders of earlier runs whose documents are gone, unless that is
// not wanted, and says so.
func (s *ProcessingSession) repair(ctx context.Context) error {
	missing, err := s.documents.Missing(ctx)
	if err != nil {
		return fmt.Errorf("looking at the documents of earlier runs: %w", err)
	}
	paths := all(missing)
	for _, path := range paths {
		s.story.Log.Warn("a document of an earlier run is not in its place, or not as it was", "path", path)
	}
	if len(paths) == 0 {
		return nil
	}
	found := fmt.Sprintf("%s missing from the session folder, or changed: %s", areThere(len(paths)), named(paths))
	if s.cfg.NoRepair {
		s.story.Warn("%s; --no-repair leaves that as it is (--no-repair=false mends it), and the report lists what was there", found)
		return nil
	}
	if _, err = s.folder.Ledger.Repair(ctx, missing); err != nil {
		return fmt.Errorf("putting back the orders whose documents are gone: %w", err)
	}
	s.story.Warn("%s; they are fetched again", found)
	return nil
}

// stillMissing returns how many documents a session that was gone on with has recorded
// as done, and has not.
func (s *ProcessingSession) stillMissing(ctx context.Context, record tasks.Session) (int, error) {
	if record.Resumed == 0 {
		return 0, nil
	}
	missing, err := s.documents.Missing(ctx)
	paths := all(missing)
	if len(paths) > 0 && !s.cfg.NoRepair { // else it was said
		s.story.Warn("%s missing from the session folder, or changed: %s; 'poscrape resume' fetches what is missing", areThere(len(paths)), named(paths))
	}
	return len(paths), err
}

func all(missing map[uuid.UUID][]string) []string {
	var paths []string
	for _, of := range missing {
		paths = append(paths, of...)
	}
	slices.Sort(paths)
	return paths
}

func named(paths []string) string {
	text := strings.Join(paths[:min(len(paths), maxNamedDocuments)], ", ")
	if more := len(paths) - maxNamedDocuments; more > 0 {
		text += fmt.Sprintf(" and %d more, which the log names", more)
	}
	return text
}

func areThere(n int) string {
	if n == 1 {
		return "1 document is"
	}
	return fmt.Sprintf("%d documents are", n)
}
