package session

import (
	"context"
	"fmt"

	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/tasks"
)

// sweep ends and removes what runs that were killed have left in the directory
// for temporary files. What it cannot remove does not keep this run from working.
func (s *ProcessingSession) sweep(ctx context.Context) {
	s.swept, s.sweepErr = profiles.Sweep(ctx, profilesParent())
}

// tellSwept stores what the sweep has done, when there is a ledger to store it in.
func (s *ProcessingSession) tellSwept(ctx context.Context) {
	if s.sweepErr != nil {
		s.story.Log.Warn("looking for what earlier runs have left", "error", s.sweepErr)
	}
	processes := 0
	for _, l := range s.swept.Removed {
		processes += len(l.Processes)
		s.story.Log.Info("removed what a killed run had left", "path", l.Path, "owner", l.OwnerPID, "processes", l.Processes)
	}
	if n := len(s.swept.Removed); n > 0 {
		text := fmt.Sprintf("cleared up after %d killed runs: %d profile directories and %d processes", n, n, processes)
		if n == 1 {
			text = fmt.Sprintf("cleared up after a killed run: its profile directory and %d processes", processes)
		}
		s.story.Add(ctx, tasks.Event{Type: tasks.EventSwept, Detail: text})
		s.story.Inform("%s", text)
	}
	for _, l := range s.swept.Left {
		s.story.Add(ctx, tasks.Event{Type: tasks.EventNotice, Detail: fmt.Sprintf("%s was left by a killed run and is still there: %s", l.Path, l.Reason)})
		s.story.Warn("%s was left by a killed run and is still there: %s", l.Path, l.Reason)
	}
}
