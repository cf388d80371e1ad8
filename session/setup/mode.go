package setup

import (
	"slices"

	"github.com/poscrape/poscrape/scrape"
)

// Mode says how orders are read.
type Mode = scrape.Mode

// The modes, see package scrape.
const (
	ModeAuto   = scrape.ModeAuto
	ModeRender = scrape.ModeRender
	ModeFetch  = scrape.ModeFetch
)

// Modes returns all modes.
func Modes() []Mode { return scrape.Modes() }

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
