package session

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/tasks"
)

// newPortal returns the portal of a recipe, whose mode a setting beats.
func (s *ProcessingSession) newPortal(recipe *scrape.Recipe, w *site) *scrape.Portal {
	if s.cfg.Mode != "" {
		recipe.Mode = s.cfg.Mode
	}
	p := scrape.NewPortal(recipe, s.record.Input.Columns)
	p.OnEvent(func(e tasks.Event) {
		e.Detail = w.about(e.Detail)
		s.story.Add(context.Background(), e)
		if e.Type == tasks.EventNotice {
			s.story.Warn("%s", e.Detail)
		}
	})
	return p
}

// newBreaker returns the session's circuit breakers.
func newBreaker(cfg Config) *breaker.Breaker {
	return breaker.New(breaker.Config{Patience: cfg.BreakerPatience, Timeout: cfg.TaskTimeout, Retries: cfg.Retries, Checker: breaker.NewNetwork(cfg.Proxy)})
}

// watchPortal has the breaker watch until ctx ends, tells its news, and stops the
// session when it has given up.
func (s *ProcessingSession) watchPortal(ctx context.Context) {
	keep := context.WithoutCancel(ctx)
	var release func(why string)
	s.breaker.Watch(ctx, func(gaveUp string) {
		release = s.tellPortal(keep, release)
		if wrong := s.breaker.Wrong(); wrong != nil {
			s.stop(CauseEnvironment, s.wrongText(wrong))
		}
		if gaveUp != "" {
			s.stop(CauseBreaker, gaveUp+"; go on with: poscrape resume "+quoted(s.cfg.Out))
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
			release = s.pool.Hold(Hold{Owner: HeldByPortal, Reason: e.Detail, Claiming: true})
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
func (s *ProcessingSession) wrongText(wrong *breaker.Wrong) string {
	var what string
	switch wrong.Setting {
	case tasks.SettingProxy:
		proxy := "the proxy"
		if u, err := url.Parse(s.cfg.Proxy); err == nil && u.Host != "" {
			proxy += " " + u.Host
		}
		what = fmt.Sprintf("%s cannot be used (%s), so no portal was asked: check --proxy", proxy, wrong.Seen)
	case tasks.SettingName:
		host, _, _ := strings.Cut(wrong.Host, ":")
		what = fmt.Sprintf("no host has the name %s, as far as this machine knows: check %s, and this machine's network", host, s.addressesFrom())
	case tasks.SettingCertificate:
		what = fmt.Sprintf("%s was not opened: %s", wrong.Host, wrong.Seen)
	}
	return fmt.Sprintf("no order could be reached: %s; go on with: poscrape resume %s", what, quoted(s.cfg.Out))
}

// addressesFrom says where the addresses of the orders come from.
func (s *ProcessingSession) addressesFrom() string {
	switch {
	case s.cfg.RecipeFile != "":
		return "the addresses in " + s.cfg.RecipeFile + " and in the sheet"
	case s.cfg.URL != "":
		return "--url and the addresses in the sheet"
	}
	return "the addresses in the sheet"
}

// quoted returns a path as it is typed in a shell.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t") {
		return `"` + path + `"`
	}
	return path
}
