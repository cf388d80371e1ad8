package session

import "time"

// RestAtMost sets how long a throttled worker may rest. Call it before Run.
func (s *ProcessingSession) RestAtMost(d time.Duration) { s.opener.restAtMost = d }
