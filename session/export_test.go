package session

import "time"

// RestAtMost sets how long a throttled worker may rest. Call it before Run.
func (s *ProcessingSession) RestAtMost(d time.Duration) { s.opener.RestAtMost = d }

// Profiles returns the directories of the browsers that live.
func (s *ProcessingSession) Profiles() []string { return s.opener.Profiles() }
