package report

import (
	"context"

	"github.com/poscrape/poscrape/tasks"
)

// Source is what a report is made from: a session's log, and its tasks. Every
// tasks.TaskQueue that is a tasks.SessionLog too is a Source.
type Source interface {
	tasks.SessionLog
	// Each calls visit with every task, in the order in which they were
	// enqueued, until visit returns an error, which it returns.
	Each(ctx context.Context, visit func(*tasks.ProcessingTask) error) error
	// Stats counts the tasks.
	Stats(ctx context.Context) (tasks.Stats, error)
}
