package session

import (
	"github.com/poscrape/poscrape/session/setup"
)

// Hold pauses the session for an owner, such as a person, and returns at once: no
// order is begun, and those in progress are finished. It goes on when release was
// called, with what has changed since, and nobody else holds it. It returns
// ErrNotRunning before Run and when the session is about to end.
func (s *ProcessingSession) Hold(owner, reason string) (release func(why string), err error) {
	p, err := s.life.Running()
	if err != nil {
		return nil, err
	}
	return p.Hold(Hold{Owner: owner, Reason: reason}), nil
}

// Scale asks for n workers, MinWorkers to MaxWorkers, and returns at once. There are fewer
// while the machine does not carry them. It returns a *ConfigError where n is out of
// bounds, ErrNotRunning before Run, and the pool's error when the session is about to
// end.
func (s *ProcessingSession) Scale(n int) error {
	if err := setup.ValidateSize(n); err != nil {
		return err
	}
	p, err := s.life.Running()
	if err != nil {
		return err
	}
	return p.Scale(n)
}
