package portals

import (
	"fmt"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/session/setup"
)

// asksPerson reports whether a person can be asked to sign in at a portal. Of several portals each
// is left alone instead, as the others go on.
func (p *Portals) asksPerson(w *portal) bool {
	return p.cfg.Setup.AskPerson != nil && !p.several() && w.kept.Path() != ""
}

// asker returns what asks a person to sign in. Where the sign-in could not be saved, that is told
// now, while the person could still mend it, and nobody is asked.
func (p *Portals) asker(w *portal) func(seen, address string) (*browser.State, error) {
	if err := w.kept.CanWrite(); err != nil {
		p.cfg.Story.Warn("nobody can sign in on the live page: %v", err)
		return nil
	}
	return func(seen, address string) (*browser.State, error) { return p.askPerson(w, seen, address) }
}

// askPerson has a person sign in, and returns the sign-in; or nil where nobody is to be asked any
// more.
func (p *Portals) askPerson(w *portal, seen, address string) (*browser.State, error) {
	if p.asking.Err() != nil {
		return nil, nil //nolint:nilnil,nilerr // see signin.Config.Ask
	}
	asked := setup.SignInAsked{Seen: seen, Recipe: p.cfg.Recipes[0].Recipe, State: w.kept.Path(), Config: p.cfg.Setup}
	asked.Config.RecipeFile, asked.Config.MoreRecipes = w.file, nil
	if site := setup.SiteOf(address); w.file == "" && site != "" {
		asked.Config.URL, asked.Config.URLFound = site, false
	}
	err := p.cfg.Setup.AskPerson(p.asking, asked)
	switch {
	case p.asking.Err() != nil:
		return nil, nil //nolint:nilnil,nilerr // see signin.Config.Ask
	case err != nil:
		return nil, err
	}
	state, _, err := w.kept.Read(true, "")
	if err != nil {
		return nil, fmt.Errorf("the sign-in that was made cannot be read: %w", err)
	}
	return state, nil
}

// AskNobody has no person asked to sign in any more. It returns at once.
func (p *Portals) AskNobody() { p.askNobody() }

// WaitForPerson returns when no person is asked any more.
func (p *Portals) WaitForPerson() {
	for _, w := range p.list {
		if w.signin != nil {
			w.signin.Wait()
		}
	}
}
