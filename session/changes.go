package session

import (
	"context"

	"github.com/poscrape/poscrape/session/changes"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
)

// rememberEarlier shows what the newest session with a recipe of this one's has recorded.
func (s *ProcessingSession) rememberEarlier(ctx context.Context) {
	own := s.life.Record()
	if len(own.Selectors) > 0 {
		s.changes.RememberNewest(ctx, s.cfg.Out, func(other tasks.Session) bool { return setup.SameRecipe(own.Config, other.Config) })
	}
}

// portalChanged tells at once that a portal has changed, and how to see it.
func (s *ProcessingSession) portalChanged(ctx context.Context, n changes.Notice) {
	how := s.cfg.CheckCommand(n.Orders())
	if how != "" {
		how = "; look with: " + how
	}
	s.story.Warn("%s%s", n.Text(), how)
	s.story.Add(ctx, tasks.Event{Type: tasks.EventPortalChanged, Detail: n.Text()})
}
