package session

import "time"

// RestAtMost sets how long a throttled worker may rest. Call it before Run.
func (s *ProcessingSession) RestAtMost(d time.Duration) { s.opener.restAtMost = d }

// Profiles returns the directories of the browsers that live.
func (s *ProcessingSession) Profiles() []string {
	var paths []string
	for _, w := range s.opener.fleet.workers() {
		paths = append(paths, w.profile.Path)
	}
	return paths
}
