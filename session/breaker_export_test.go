package session

import (
	"context"

	"github.com/poscrape/poscrape/session/breaker"
)

// OnLook has a session tell each look at a host that is down.
func OnLook(s *ProcessingSession, tell func(address string)) {
	s.breaker.Looker = toldLooker{s.breaker.Looker, tell}
}

type toldLooker struct {
	breaker.Looker
	tell func(address string)
}

func (l toldLooker) Reach(ctx context.Context, address string) error {
	err := l.Looker.Reach(ctx, address)
	if err != nil {
		l.tell(address)
	}
	return err
}
