package session

import (
	"context"
	"fmt"

	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/tasks"
)

// sweeping is what came of a sweep.
type sweeping struct {
	profiles.Swept
	err error
	// containers are the names of those that were removed.
	containers    []string
	containersErr error
}

// sweep ends and removes what runs that were killed have left in temp and in the system's
// directory for temporary files. What it cannot remove does not keep this run from working.
func sweep(ctx context.Context, temp string) sweeping {
	swept, err := profiles.Sweep(ctx, "", temp)
	return sweeping{Swept: swept, err: err}
}

// tellSwept stores what the sweep has done, when there is a ledger to store it in.
func (s *ProcessingSession) tellSwept(ctx context.Context, swept sweeping) {
	if swept.err != nil {
		s.story.Log.Warn("looking for what earlier runs have left", "error", swept.err)
	}
	processes := 0
	for _, l := range swept.Removed {
		processes += len(l.Processes)
		s.story.Log.Info("removed what a killed run had left", "path", l.Path, "owner", l.OwnerPID, "processes", l.Processes)
	}
	if n := len(swept.Removed); n > 0 {
		text := fmt.Sprintf("cleared up after %d killed runs: %d profile directories and %d processes", n, n, processes)
		if n == 1 {
			text = fmt.Sprintf("cleared up after a killed run: its profile directory and %d processes", processes)
		}
		s.story.Add(ctx, tasks.Event{Type: tasks.EventSwept, Detail: text})
		s.story.Inform("%s", text)
	}
	if n := len(swept.containers); n > 0 {
		text := fmt.Sprintf("cleared up after killed runs: removed %d containers", n)
		s.story.Add(ctx, tasks.Event{Type: tasks.EventSwept, Detail: text})
		s.story.Inform("%s", text)
	}
	if swept.containersErr != nil {
		s.story.WarnAndAdd(ctx, "containers of killed runs may still be there: "+swept.containersErr.Error())
	}
	for _, l := range swept.Left {
		s.story.WarnAndAdd(ctx, fmt.Sprintf("%s was left by a killed run and is still there: %s", l.Path, l.Reason))
	}
}
