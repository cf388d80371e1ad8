package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/scrape"
)

// Keep says of which attempts evidence is kept.
type Keep = scrape.Keep

// What evidence is kept of, see package scrape.
const (
	KeepNone   = scrape.KeepNone
	KeepFailed = scrape.KeepFailed
	KeepAll    = scrape.KeepAll
)

// DefaultEvidenceLimit in bytes is what evidence may take where nothing else is said.
const DefaultEvidenceLimit = 500_000_000

// Keeps returns all that evidence may be kept of.
func Keeps() []Keep { return scrape.Keeps() }

func (c Config) validateEvidence() error {
	switch {
	case c.Evidence != "" && !slices.Contains(Keeps(), c.Evidence):
		return bad("evidence", "%q is none of none, failed, all", c.Evidence)
	case c.EvidenceLimit < 0:
		return bad("evidence-limit", "%d is negative: it is a number of bytes", c.EvidenceLimit)
	}
	return nil
}

// newEvidence returns the session's evidence, which is to be opened in its folder. That
// there is no more room for it is said, and noted in the session's story.
func (s *ProcessingSession) newEvidence() *scrape.Evidence {
	limit := cmp.Or(s.cfg.EvidenceLimit, DefaultEvidenceLimit)
	return scrape.NewEvidence(cmp.Or(s.cfg.Evidence, KeepFailed), limit, func() {
		text := fmt.Sprintf("the evidence has reached its limit of %s (--evidence-limit); no more of it is kept", disk.Bytes(limit))
		s.story.WarnAndAdd(context.Background(), text)
	})
}
