package session

import (
	"context"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
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

// newPortal returns the portal of a recipe, whose mode a setting beats.
func (s *ProcessingSession) newPortal(recipe *scrape.Recipe) *scrape.Portal {
	if s.cfg.Mode != "" {
		recipe.Mode = s.cfg.Mode
	}
	p := scrape.NewPortal(recipe, s.record.Input.Columns)
	p.OnEvent(func(e tasks.Event) {
		s.story.Add(context.Background(), e)
		if e.Type == tasks.EventNotice {
			s.story.Warn("%s", e.Detail)
		}
	})
	return p
}
