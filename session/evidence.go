package session

import (
	"cmp"
	"context"
	"fmt"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/scrape"
)

// newEvidence returns the session's evidence, which is to be opened in its folder. That
// there is no more room for it is said, and noted in the session's story.
func (s *ProcessingSession) newEvidence() *scrape.Evidence {
	limit := cmp.Or(s.cfg.EvidenceLimit, DefaultEvidenceLimit)
	return scrape.NewEvidence(cmp.Or(s.cfg.Evidence, KeepFailed), limit, func() {
		text := fmt.Sprintf("the evidence has reached its limit of %s (--evidence-limit); no more of it is kept", disk.Bytes(limit))
		s.story.WarnAndAdd(context.Background(), text)
	})
}
