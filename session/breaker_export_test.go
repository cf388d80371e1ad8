package session

import (
	"context"

	"github.com/poscrape/poscrape/session/breaker"
)

// OnLook has a session tell each look at a host that is down.
func OnLook(s *ProcessingSession, tell func(address string)) {
	s.breaker.Checker = toldLooker{s.breaker.Checker, tell}
}

type toldLooker struct {
	breaker.Checker
	tell func(address string)
}

func (l toldLooker) Reach(ctx context.Context, address string) error {
	err := l.Checker.Reach(ctx, address)
	if err != nil {
		l.tell(address)
	}
	return err
}
