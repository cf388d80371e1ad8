package documents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/nofollow"
	"github.com/poscrape/poscrape/tasks"
)

// Missing are the paths of documents that are recorded and not there, by their orders.
type Missing map[uuid.UUID][]string

// Missing returns the documents that the ledger knows as done and that are not in their place,
// or not in their size.
func (s *Store) Missing(ctx context.Context) (Missing, error) {
	missing := Missing{}
	err := s.Queue.Each(ctx, func(task *tasks.ProcessingTask) error {
		if task.Result == nil {
			return nil
		}
		for _, doc := range task.Result.Attachments {
			if doc.State != tasks.AttachmentDone {
				continue
			}
			if !nofollow.Holds(s.Root, doc.Path, doc.Size) {
				missing[task.ID] = append(missing[task.ID], doc.Path)
			}
		}
		return nil
	})
	return missing, err
}

// Paths returns all of them.
func (m Missing) Paths() []string {
	var paths []string
	for _, of := range m {
		paths = append(paths, of...)
	}
	slices.Sort(paths)
	return paths
}

// mostNamed is how many of them are named one by one.
const mostNamed = 3

// String says how many they are, and names some.
func (m Missing) String() string {
	paths := m.Paths()
	count := fmt.Sprintf("%d documents are", len(paths))
	if len(paths) == 1 {
		count = "1 document is"
	}
	text := fmt.Sprintf("%s missing from the session folder, or changed: %s", count, strings.Join(paths[:min(len(paths), mostNamed)], ", "))
	if more := len(paths) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more, which the log names", more)
	}
	return text
}
