package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/session/changes"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
)

// newChanges returns what watches whether the portals change. The built-in recipe takes whatever
// a page has, so there is nothing of it to watch.
func (s *ProcessingSession) newChanges() *changes.Watch {
	required := map[string]map[string]bool{}
	for _, r := range s.recipes {
		places := map[string]bool{"identity": true}
		for _, f := range r.Fields {
			places["fields."+f.Name] = f.Required
		}
		required[r.Portal] = places
	}
	return changes.New(changes.Config{Selectors: s.record.Selectors, Required: required, Input: s.record.Input})
}

// rememberEarlier shows what the newest session with the same recipe has recorded.
func (s *ProcessingSession) rememberEarlier(ctx context.Context) {
	if len(s.record.Selectors) > 0 {
		s.changes.RememberNewest(ctx, s.cfg.Out, s.sameRecipe)
	}
}

// rememberOwn shows what earlier runs of this session have recorded.
func (s *ProcessingSession) rememberOwn(ctx context.Context) error {
	defer s.changes.Begin()
	enough, n := errors.New("enough"), 0
	err := s.folder.Ledger.Each(ctx, func(task *tasks.ProcessingTask) error {
		s.changes.Remember(task)
		if task.State.Final() {
			n++
		}
		if n == mostRemembered {
			return enough
		}
		return nil
	})
	if errors.Is(err, enough) {
		return nil
	}
	return err
}

// mostRemembered is how many of its own orders a session is compared with that is gone on with.
const mostRemembered = 1000

// sameRecipe reports whether another session has a recipe of this one's: the same file, or the
// same text.
func (s *ProcessingSession) sameRecipe(other tasks.Session) bool {
	var was, is setup.Remembered
	if json.Unmarshal(other.Config, &was) != nil || json.Unmarshal(s.record.Config, &is) != nil {
		return false
	}
	if len(is.Recipes) > 0 {
		return slices.ContainsFunc(is.Recipes, func(r setup.Recipe) bool {
			return slices.ContainsFunc(was.Recipes, func(o setup.Recipe) bool { return o.Portal == r.Portal && o.File == r.File })
		})
	}
	return len(was.Recipes) == 0 && (is.RecipeFile != "" && was.RecipeFile == is.RecipeFile || is.Recipe != "" && was.Recipe == is.Recipe)
}

// portalChanged tells at once that a portal has changed, and how to see it.
func (s *ProcessingSession) portalChanged(ctx context.Context, n changes.Notice) {
	var texts, orders []string
	for _, c := range n.Changes {
		texts = append(texts, c.Text)
		for _, po := range c.Orders {
			if !slices.Contains(orders, po) {
				orders = append(orders, po)
			}
		}
	}
	if n.Recipe != "" {
		texts[0] = n.Recipe + ": " + texts[0]
	}
	text := fmt.Sprintf("the portal has changed: %s (%s)", strings.Join(texts, "; "), strings.Join(orders, ", "))
	how := ""
	if s.cfg.File != "-" {
		how = "; look with: " + s.checkCommand(orders)
	}
	s.story.Warn("%s%s", text, how)
	s.story.Add(ctx, tasks.Event{Type: tasks.EventPortalChanged, Detail: text})
}
