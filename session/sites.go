package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// site is a portal of the session: its only one, or one of several.
type site struct {
	// name is that of its tasks' portal, empty where there is only one; title is for people.
	name, title string
	// file is its recipe's, or empty for the built-in one.
	file   string
	portal *scrape.Portal
	signin *signin.Keeper
}

// sites are the portals of a session, at least one.
type sites []*site

// several reports whether the orders have portals of their own.
func (list sites) several() bool { return list[0].name != "" }

// about returns a text as one about this portal, where there are several.
func (w *site) about(text string) string {
	if w.name == "" {
		return text
	}
	return w.title + ": " + text
}

// newSites returns the portals of the recipes, whose mode a setting beats.
func (s *ProcessingSession) newSites(recipes setup.Recipes) sites {
	var list sites
	rates := scrape.NewRates()
	for _, r := range recipes {
		w := &site{name: r.Portal, title: recipes.Title(r.Portal), file: r.File}
		w.portal = s.newPortal(r.Recipe, w)
		w.portal.ShareRates(rates)
		list = append(list, w)
	}
	return list
}

// portals returns the portals by the names that tasks have for them.
func (list sites) portals() map[string]*scrape.Portal {
	all := map[string]*scrape.Portal{}
	for _, w := range list {
		all[w.name] = w.portal
	}
	return all
}

func (list sites) names() (names []string) {
	for _, w := range list {
		names = append(names, w.name)
	}
	return names
}

// workers returns the portals as workers have them.
func (list sites) workers() (all []worker.Site) {
	for _, w := range list {
		all = append(all, worker.Site{Name: w.name, Portal: w.portal, SignIn: w.signin})
	}
	return all
}

// mode says how orders are read: auto where the portals differ.
func (list sites) mode() scrape.Mode {
	mode := list[0].portal.Mode()
	for _, w := range list {
		if w.portal.Mode() != mode {
			return scrape.ModeAuto
		}
	}
	return mode
}

// selectors are those of all recipes, with what people call the recipe where there are several.
func (list sites) selectors() (all []tasks.Selector) {
	for _, w := range list {
		for _, selector := range w.portal.Selectors() {
			if selector.Portal = w.name; w.name != "" {
				selector.Recipe = w.title
			}
			all = append(all, selector)
		}
	}
	return all
}

// leave has no order of one of several portals begun any more, because of a wall there that
// cannot be passed. The others go on.
func (s *ProcessingSession) leave(w *site, why string) {
	s.turns.Leave(w.name, why)
	s.breaker.Abandon(w.name)
	s.tally.Poke()
	s.story.WarnAndAdd(context.Background(), w.about(why)+"; its other orders wait, those of other portals do not")
}

// aside says at which of several portals no order is begun now, and why, or nothing.
func (s *ProcessingSession) aside() string {
	var aside []string
	left := s.turns.Left()
	for _, w := range s.sites {
		switch {
		case left[w.name] != "":
			aside = append(aside, w.about("no order is begun: "+left[w.name]))
		case s.turns.Held(w.name):
			aside = append(aside, w.about("no order is begun while a worker signs in"))
		}
	}
	return strings.Join(aside, "; ")
}

// whyStopped returns why the session was stopped, or portals were left alone, and what has
// halted it.
func (s *ProcessingSession) whyStopped() (why string, cause Cause, halted error) {
	s.mu.Lock()
	why, cause, halted = s.stopped, s.cause, s.halted
	s.mu.Unlock()
	switch left := s.leftAlone(); {
	case left == "":
	case why == "":
		why, cause = left, CauseLogin
	default:
		why += "; " + left
	}
	return why, cause, halted
}

// leftAlone says which portals were left alone, and why, or nothing.
func (s *ProcessingSession) leftAlone() string {
	var left map[string]string
	if s.turns != nil {
		left = s.turns.Left()
	}
	var reasons []string
	for _, w := range s.sites {
		if why := left[w.name]; why != "" {
			reasons = append(reasons, w.about(why))
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return fmt.Sprintf("%s; go on with: poscrape resume %s", strings.Join(reasons, "; "), quoted(s.cfg.Out))
}
