package session

import (
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/tasks"
)

// firstOrders is how many orders must all end for one reason, not well, before that is said.
const firstOrders = 10

// firstEnds looks at how the first orders of a run end.
type firstEnds struct {
	reason string
	// orders are those that have ended for it; over: nothing more is to be learnt.
	orders []string
	over   bool
}

// ended notes that an order has ended, and reports whether the first ones all have for one
// reason, and not well. It does so once.
func (f *firstEnds) ended(outcome tasks.Outcome, failure *tasks.Failure, order string) bool {
	if f.over {
		return false
	}
	reason := string(outcome)
	if failure != nil {
		reason += " " + string(failure.Class) + " " + report.CommonText(failure.Message, order)
	}
	if outcome.Well() || f.reason != "" && f.reason != reason {
		f.over = true
		return false
	}
	f.reason, f.orders = reason, append(f.orders, order)
	f.over = len(f.orders) == firstOrders
	return f.over
}

// onFirstEnd says it where the first orders have all ended not well for one reason, and stops
// there if that is asked for.
func (s *ProcessingSession) onFirstEnd(e pool.Event) {
	if !e.State.Final() {
		return
	}
	failure := tasks.AsFailure(e.Err)
	if !s.first.ended(e.Outcome, failure, e.Order) {
		return
	}
	why := string(e.Outcome)
	if failure != nil {
		why = failure.Message
	}
	text := fmt.Sprintf("the first %d orders have all ended for one reason, and not well: %s", firstOrders, why)
	if s.cfg.File != "" && s.cfg.File != "-" {
		text += "; see why with: " + s.checkCommand(s.first.orders[:2])
	}
	if s.cfg.StopEarly {
		s.stop(CauseBreaker, text+"; go on with: poscrape resume "+quoted(s.cfg.Out))
		return
	}
	s.story.Warn("%s", text)
}

// checkCommand is what a person types to see what orders show.
func (s *ProcessingSession) checkCommand(orders []string) string {
	command := "poscrape check " + quoted(s.cfg.File)
	if s.cfg.RecipeFile != "" {
		command += " --recipe " + quoted(s.cfg.RecipeFile)
	}
	if s.cfg.URL != "" {
		command += " --url " + quoted(s.cfg.URL)
	}
	return command + " --probe " + strings.Join(orders, ",")
}
