package session

import (
	"time"

	"github.com/poscrape/poscrape/session/worker"
)

// RestAtMost sets how long a throttled worker may rest. Call it before Run.
func (s *ProcessingSession) RestAtMost(d time.Duration) { s.workers.(*worker.Opener).RestAtMost = d }

// Profiles returns the directories of the browsers that live.
func (s *ProcessingSession) Profiles() []string { return s.workers.(*worker.Opener).Profiles() }
