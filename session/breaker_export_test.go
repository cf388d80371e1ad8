package session

import "context"

// OnLook has a session tell each look at a host that is down.
func OnLook(s *ProcessingSession, tell func(address string)) {
	s.breaker.looker = toldLooker{s.breaker.looker, tell}
}

type toldLooker struct {
	looker
	tell func(address string)
}

func (l toldLooker) reach(ctx context.Context, address string) error {
	err := l.looker.reach(ctx, address)
	if err != nil {
		l.tell(address)
	}
	return err
}
