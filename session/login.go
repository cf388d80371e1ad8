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
	cfg := signin.Config{
		Able: s.portal.SignsIn(),
		Hold: func(reason string) func(string) {
			return s.pool.Hold(Hold{Owner: HeldBySignIn, Reason: reason})
		},
		Stop: s.stopAtWall, Keep: s.keepState,
		Tell: func(e tasks.Event) {
			s.story.Add(context.Background(), e)
			if e.Type == tasks.EventNotice {
				s.story.Warn("%s", e.Detail)
			}
		},
	}
	if login := s.portal.Login(); login != nil {
		cfg.Sharing = login.Sharing
	}
	state, warning, err := s.readState()
	if err != nil {
		return err
	}
	if warning != "" {
		s.story.Warn("%s", warning)
	}
	cfg.State = state
	s.signin = signin.New(cfg)
	return nil
}

// readState returns the session state in the state file, or nil where there is none. One
// that was named must be there.
func (s *ProcessingSession) readState() (*browser.State, string, error) {
	path := s.stateFile()
	if path == "" {
		return nil, "", nil
	}
	state, warning, err := signin.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && (s.cfg.State == "" || s.portal.SignsIn()):
		return nil, "", nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", &ConfigError{Field: "state", Message: fmt.Sprintf("%s is not there; make it with: %s", path, s.loginCommand())}
	case err != nil:
		return nil, "", &ConfigError{Field: "state", Message: err.Error()}
	}
	return state, warning, nil
}

// stateFile returns where the session state is kept, or "" where nothing says so.
func (s *ProcessingSession) stateFile() string {
	switch {
	case s.cfg.State != "":
		return s.cfg.State
	case s.cfg.RecipeFile != "":
		return signin.PathFor(s.cfg.RecipeFile)
	}
	return ""
}

// keepState stores a sign-in for the next run.
func (s *ProcessingSession) keepState(state *browser.State) {
	path := s.stateFile()
	if path == "" || state == nil {
		return
	}
	if err := signin.WriteFile(path, state); err != nil {
		s.story.Warn("%v; the next run has to sign in anew", err)
	}
}

// signOutTimeout bounds signing out, with the start of a browser.
const signOutTimeout = 30 * time.Second

// endSignIn keeps the sign-in for the next run; or ends it, where the recipe says how and
// nothing is left for another run, and then removes it.
func (s *ProcessingSession) endSignIn(ctx context.Context) {
	if s.signin == nil {
		return
	}
	all := s.signin.SignIns()
	if !s.portal.SignsOut() || len(all) == 0 || !s.allEnded(ctx) {
		s.keepState(s.signin.Latest())
		return
	}
	ctx, cancel := context.WithTimeout(ctx, signOutTimeout)
	defer cancel()
	if err := s.opener.SignOut(ctx, all); err != nil {
		s.keepState(s.signin.Latest())
		s.story.WarnAndAdd(context.WithoutCancel(ctx), fmt.Sprintf("signing out was not possible: %v; the sign-in may still be good, and is kept", err))
		return
	}
	s.story.Add(ctx, tasks.Event{Type: tasks.EventLoggedOut, Detail: "signed out at the portal"})
	if err := os.Remove(s.stateFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.story.Warn("the file of the sign-in that has ended could not be removed: %v", err)
	}
}

// allEnded reports whether every order has ended, and nobody has stopped the session.
func (s *ProcessingSession) allEnded(ctx context.Context) bool {
	s.mu.Lock()
	stopped := s.stopped != "" || s.aborted || s.halted != nil
	s.mu.Unlock()
	stats, err := s.folder.Ledger.Stats(ctx)
	return !stopped && err == nil && stats.Open() == 0
}

// stopAtWall ends the session because of a wall that cannot be passed.
func (s *ProcessingSession) stopAtWall(seen string) {
	s.stop(CauseLogin, fmt.Sprintf("%s; sign in with: %s, and go on with: poscrape resume %s", seen, s.loginCommand(), quoted(s.cfg.Out)))
}

// loginCommand is what a person types to sign in.
func (s *ProcessingSession) loginCommand() string {
	command := "poscrape login"
	if s.cfg.RecipeFile != "" {
		command += " --recipe " + quoted(s.cfg.RecipeFile)
	}
	if s.cfg.State != "" {
		command += " --state " + quoted(s.cfg.State)
	}
	return command
}
