package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/session/signin"
	"github.com/poscrape/poscrape/tasks"
)

// prepareSignIn reads the session state that there is, and sets up what keeps the workers
// signed in. It returns a *ConfigError for a state file that cannot be used.
func (s *ProcessingSession) prepareSignIn() error {
	for _, w := range s.sites {
		cfg := signin.Config{
			Able: w.portal.SignsIn(), Copied: s.cfg.BaseProfile != "", Remembers: w.portal.Remembers,
			Hold: func(reason string) func(string) { return s.holdForSignIn(w, reason) },
			Stop: func(seen string) { s.stopAtWall(w, seen) }, Keep: func(state *browser.State) { s.keepState(w, state) },
			Tell: func(e tasks.Event) {
				e.Detail = w.about(e.Detail)
				s.story.Add(context.Background(), e)
				if e.Type == tasks.EventNotice {
					s.story.Warn("%s", e.Detail)
				}
			},
		}
		if login := w.portal.Login(); login != nil {
			cfg.Sharing = login.Sharing
		}
		state, warning, err := s.readState(w)
		if err != nil {
			return err
		}
		if warning != "" {
			s.story.Warn("%s", warning)
		}
		cfg.State = state
		w.signin = signin.New(cfg)
	}
	return nil
}

// holdForSignIn has no order of the portal begun while a worker signs in there.
func (s *ProcessingSession) holdForSignIn(w *site, reason string) (release func(why string)) {
	if s.turns == nil {
		return s.pool.Hold(Hold{Owner: HeldBySignIn, Reason: reason})
	}
	end := s.turns.Hold(w.name)
	s.tally.Poke()
	return func(string) {
		end()
		s.tally.Poke()
		s.pool.Wake()
	}
}

// readState returns the session state in the state file, or nil where there is none. One
// that was named must be there.
func (s *ProcessingSession) readState(w *site) (*browser.State, string, error) {
	path := s.stateFile(w)
	if path == "" {
		return nil, "", nil
	}
	state, warning, err := signin.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && (s.cfg.State == "" || w.portal.SignsIn()):
		return nil, "", nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", &ConfigError{Field: "state", Message: fmt.Sprintf("%s is not there; make it with: %s", path, s.loginCommand(w))}
	case err != nil:
		return nil, "", &ConfigError{Field: "state", Message: err.Error()}
	}
	return state, warning, nil
}

// stateFile returns where the session state is kept, or "" where nothing says so.
func (s *ProcessingSession) stateFile(w *site) string {
	switch {
	case s.cfg.State != "":
		return s.cfg.State
	case w.file != "":
		return signin.PathFor(w.file)
	}
	return ""
}

// keepState stores a sign-in for the next run.
func (s *ProcessingSession) keepState(w *site, state *browser.State) {
	path := s.stateFile(w)
	if path == "" || state == nil {
		return
	}
	if err := signin.WriteFile(path, state); err != nil {
		s.story.Warn("%v; the next run has to sign in anew", err)
	}
}

// signOutTimeout bounds signing out, with the start of a browser.
const signOutTimeout = 30 * time.Second

// endSignIns keeps the sign-ins for the next run; or ends them, where a recipe says how and
// nothing is left there for another run, and then removes them.
func (s *ProcessingSession) endSignIns(ctx context.Context) {
	for _, w := range s.sites {
		if w.signin != nil {
			s.endSignIn(ctx, w)
		}
	}
}

func (s *ProcessingSession) endSignIn(ctx context.Context, w *site) {
	all := w.signin.SignIns()
	if !w.portal.SignsOut() || len(all) == 0 || !s.allEnded(ctx, w) {
		s.keepState(w, w.signin.Latest())
		return
	}
	ctx, cancel := context.WithTimeout(ctx, signOutTimeout)
	defer cancel()
	if err := s.opener.SignOut(ctx, w.name, all); err != nil {
		s.keepState(w, w.signin.Latest())
		s.story.WarnAndAdd(context.WithoutCancel(ctx), w.about(fmt.Sprintf("signing out was not possible: %v; the sign-in may still be good, and is kept", err)))
		return
	}
	s.story.Add(ctx, tasks.Event{Type: tasks.EventLoggedOut, Detail: w.about("signed out at the portal")})
	if err := os.Remove(s.stateFile(w)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.story.Warn("the file of the sign-in that has ended could not be removed: %v", err)
	}
}

// allEnded reports whether every order of the portal has ended, and nobody has stopped the
// session.
func (s *ProcessingSession) allEnded(ctx context.Context, w *site) bool {
	s.mu.Lock()
	stopped := s.stopped != "" || s.aborted || s.halted != nil
	s.mu.Unlock()
	stats, err := s.folder.Ledger.Stats(ctx)
	open := stats.Open()
	if s.sites.several() {
		open = stats.Portals[w.name].Ready + stats.Portals[w.name].Waiting + stats.Active()
	}
	return !stopped && err == nil && open == 0
}

// stopAtWall ends the session because of a wall that cannot be passed.
func (s *ProcessingSession) stopAtWall(w *site, seen string) {
	if s.turns != nil {
		s.leave(w, fmt.Sprintf("%s; sign in with: %s", seen, s.loginCommand(w)))
		return
	}
	s.stop(CauseLogin, fmt.Sprintf("%s; sign in with: %s, and go on with: poscrape resume %s", seen, s.loginCommand(w), quoted(s.cfg.Out)))
}

// loginCommand is what a person types to sign in.
func (s *ProcessingSession) loginCommand(w *site) string {
	command := "poscrape login"
	if w.file != "" {
		command += " --recipe " + quoted(w.file)
	}
	if s.cfg.State != "" {
		command += " --state " + quoted(s.cfg.State)
	}
	return command
}
