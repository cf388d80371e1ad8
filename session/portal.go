package session

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/session/portals"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
)

// newPortals returns the session's portals.
func (s *ProcessingSession) newPortals(recipes setup.Recipes, input tasks.Input, rates *scrape.Rates) *portals.Portals {
	return portals.New(portals.Config{Setup: s.cfg, Recipes: recipes, Rates: rates, Story: s.story,
		Hold:    func(reason string) func(string) { return s.pool().Hold(Hold{Owner: HeldBySignIn, Reason: reason}) },
		Wake:    func() { s.pool().Wake() },
		Changed: s.tally.Poke,
		Wall:    func(why string) { s.stop(CauseLogin, why) },
		Left:    func(portal string) { s.breaker.Abandon(portal) },
	}, input)
}

// newBreaker returns the session's circuit breakers. A server that asks to be left alone is, by the rates that the
// portals keep to.
func newBreaker(cfg Config, on machine, rates *scrape.Rates) *breaker.Breaker {
	return breaker.New(breaker.Config{Patience: cfg.BreakerPatience, Timeout: cfg.TaskTimeout, Retries: cfg.Retries,
		Checker: on.network(cfg.Proxy), Quiet: rates.Quiet})
}

// watchPortal has the breaker watch until ctx ends, tells its news, and stops the
// session when it has given up.
func (s *ProcessingSession) watchPortal(ctx context.Context) {
	keep := context.WithoutCancel(ctx)
	var release func(why string)
	s.breaker.Watch(ctx, func(gaveUp string) {
		release = s.tellPortal(keep, release)
		if wrong := s.breaker.Wrong(); wrong != nil {
			s.stop(CauseEnvironment, wrongText(s.cfg, wrong))
		}
		if gaveUp != "" {
			s.stop(CauseBreaker, gaveUp+"; go on with: "+s.cfg.ResumeCommand())
		}
	})
	s.tellPortal(keep, release)
}

// tellPortal tells the breaker's news, in their order. While all workers wait for the
// portal, the session is held: release ends that hold, and is nil without one.
// tellPortal returns what it is then. Tasks are claimed meanwhile: one of them finds
// out whether the portal answers.
func (s *ProcessingSession) tellPortal(ctx context.Context, release func(why string)) func(why string) {
	news, reason := s.breaker.News()
	s.tally.Waits(reason)
	for _, e := range news {
		switch {
		case e.Type == tasks.EventPaused && release == nil:
			release = s.pool().Hold(Hold{Owner: HeldByPortal, Reason: e.Detail, Claiming: true})
		case e.Type == tasks.EventResumed && release != nil:
			release(e.Detail)
			release = nil
		default:
			s.story.Add(ctx, e)
		}
	}
	return release
}

// wrongText says whose setting is wrong, and how to go on.
func wrongText(cfg Config, wrong *breaker.Wrong) string {
	var what string
	switch wrong.Setting {
	case tasks.SettingProxy:
		proxy := "the proxy"
		if u, err := url.Parse(cfg.Proxy); err == nil && u.Host != "" {
			proxy += " " + u.Host
		}
		what = fmt.Sprintf("%s cannot be used (%s), so no portal was asked: check --proxy", proxy, wrong.Seen)
	case tasks.SettingName:
		host, _, _ := strings.Cut(wrong.Host, ":")
		what = fmt.Sprintf("no host has the name %s, as far as this machine knows: check %s, and this machine's network", host, cfg.AddressesFrom())
	case tasks.SettingCertificate:
		what = fmt.Sprintf("%s was not opened: %s", wrong.Host, wrong.Seen)
	}
	return fmt.Sprintf("no order could be reached: %s; go on with: %s", what, cfg.ResumeCommand())
}
