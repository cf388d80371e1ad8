package portals

import (
	"context"
	"fmt"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/tasks"
)

// PrepareSignIn reads the session state that there is, and sets up what keeps the workers
// signed in. It returns a *setup.ConfigError for a state file that cannot be used.
func (p *Portals) PrepareSignIn() error {
	for _, w := range p.list {
		w.kept = signin.FileFor(p.cfg.Setup.State, w.file, w.Portal)
		cfg := signin.Config{
			Able: w.SignsIn(), Copied: p.cfg.Setup.BaseProfile != "", Remembers: w.Remembers,
			Hold: func(reason string) func(string) { return p.hold(w, reason) },
			Stop: func(seen, address string) { p.stopAtWall(w, seen, address) },
			Keep: func(state *browser.State) { p.keepState(w, state) },
			Tell: func(e tasks.Event) { p.tell(w, e) },
		}
		if login := w.Login(); login != nil {
			cfg.Sharing = login.Sharing
		}
		if p.asksPerson(w) {
			cfg.Ask = p.asker(w)
		}
		state, warning, err := p.readState(w)
		if err != nil {
			return err
		}
		if warning != "" {
			p.cfg.Story.Warn("%s", warning)
		}
		cfg.State = state
		w.signin = signin.New(cfg)
	}
	return nil
}

// hold has no order of the portal begun while a worker signs in there.
func (p *Portals) hold(w *portal, reason string) (release func(why string)) {
	if p.turns == nil {
		return p.cfg.Hold(reason)
	}
	end := p.turns.Hold(w.name)
	p.cfg.Changed()
	return func(string) {
		end()
		p.cfg.Changed()
		p.cfg.Wake()
	}
}

// readState returns the session state in the state file, or nil where there is none. One
// that was named must be there.
func (p *Portals) readState(w *portal) (*browser.State, string, error) {
	path := w.kept.Path()
	required := p.cfg.Setup.State != "" && !w.SignsIn()
	state, warning, err := w.kept.Read(required && !p.asksPerson(w), p.cfg.Setup.LoginCommand(w.file, ""))
	switch {
	case err != nil:
		return nil, "", &setup.ConfigError{Field: "state", Message: err.Error()}
	case state == nil && required:
		return nil, path + " is not there yet: where the portal asks to sign in, the run waits for a person on its live page", nil
	case state == nil:
		return nil, "", nil
	}
	if host := w.Host(); warning == "" && host != "" && len(state.Cookies)+len(state.Origins) > 0 && !signin.For(state, host) {
		warning = fmt.Sprintf("%s has nothing for %s: is it another portal's? Sign in with: %s", path, host, p.cfg.Setup.LoginCommand(w.file, ""))
	}
	return state, warning, nil
}

// LeftOut says which cookies of state files were not used.
func (p *Portals) LeftOut() (all []string) {
	for _, w := range p.list {
		if w.kept == nil {
			continue
		}
		if left := w.kept.LeftOut(); left != "" {
			all = append(all, left)
		}
	}
	return all
}

// keepState stores a sign-in for the next run.
func (p *Portals) keepState(w *portal, state *browser.State) {
	if err := w.kept.Write(state); err != nil && !w.unkept.Swap(true) {
		p.cfg.Story.Warn("%v; the next run has to sign in anew", err)
	}
}

// signOutTimeout bounds signing out, with the start of a browser.
const signOutTimeout = 30 * time.Second

// SignOut ends sign-ins at the portal of a name.
type SignOut func(ctx context.Context, portal string, all []*browser.State) error

// EndSignIns keeps the sign-ins for the next run; or ends them, where a recipe says how and
// nothing is left at the portal for another run, and then removes them. It blocks for that.
func (p *Portals) EndSignIns(ctx context.Context, stats tasks.Stats, stopped bool, out SignOut) {
	for _, w := range p.list {
		if w.signin == nil {
			continue
		}
		open := stats.Open()
		if p.several() {
			open = stats.Portals[w.name].Ready + stats.Portals[w.name].Waiting + stats.Active()
		}
		p.endSignIn(ctx, w, stopped || open > 0, out)
	}
}

func (p *Portals) endSignIn(ctx context.Context, w *portal, needed bool, out SignOut) {
	all := w.signin.SignIns()
	if !w.SignsOut() || len(all) == 0 || needed {
		p.keepState(w, w.signin.Latest())
		return
	}
	ctx, cancel := context.WithTimeout(ctx, signOutTimeout)
	defer cancel()
	if err := out(ctx, w.name, all); err != nil {
		p.keepState(w, w.signin.Latest())
		p.cfg.Story.WarnAndAdd(context.WithoutCancel(ctx), w.about(fmt.Sprintf("signing out was not possible: %v; the sign-in may still be good, and is kept", err)))
		return
	}
	p.cfg.Story.Add(ctx, tasks.Event{Type: tasks.EventLoggedOut, Detail: w.about("signed out at the portal")})
	if err := w.kept.Remove(); err != nil {
		p.cfg.Story.Warn("the file of the sign-in that has ended could not be removed: %v", err)
	}
}

// stopAtWall has no order begun any more at a portal with a wall that cannot be passed.
func (p *Portals) stopAtWall(w *portal, seen, address string) {
	w.walledAt.Store(&address)
	seen = w.kept.AtWall(seen)
	if p.cfg.Setup.BaseProfile != "" {
		seen += "; of the base profile only cookies of the portal's own hosts and of the sites of login.hosts were used"
	}
	login := fmt.Sprintf("%s; sign in with: %s", seen, p.cfg.Setup.LoginCommand(w.file, address))
	if p.turns != nil {
		p.leave(w, login)
		return
	}
	p.cfg.Wall(fmt.Sprintf("%s, and go on with: %s", login, p.cfg.Setup.ResumeWith(p.cfg.Setup.SignInFile(w.file))))
}

// LoginCommands is what a person types to sign in at the portals that were left alone, or at the
// only one where walled is true.
func (p *Portals) LoginCommands(walled bool) (commands []string) {
	left := p.left()
	for _, w := range p.list {
		if left[w.name] != "" || len(p.list) == 1 && walled {
			address := ""
			if at := w.walledAt.Load(); at != nil {
				address = *at
			}
			commands = append(commands, p.cfg.Setup.LoginCommand(w.file, address))
		}
	}
	return commands
}
