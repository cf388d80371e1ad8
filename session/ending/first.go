package ending

import (
	"fmt"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/tasks"
)

// firstOrders is how many orders must all end for one reason, not well, before that is said.
const firstOrders = 10

// First looks at how the first orders of a run end. Its zero value has seen none. It is for one
// goroutine at a time.
type First struct {
	reason string
	// orders are those that have ended for it; over: nothing more is to be learnt.
	orders []string
	over   bool
}

// Ended notes that an order has ended. When the first ones all have for one reason, and not
// well, it says so, once, and names some of them.
func (f *First) Ended(outcome tasks.Outcome, failure *tasks.Failure, order string) (says string, orders []string) {
	if f.over {
		return "", nil
	}
	reason, why := string(outcome), string(outcome)
	if failure != nil {
		reason += " " + string(failure.Class) + " " + report.CommonText(failure.Message, order)
		why = failure.Message
	}
	if outcome.Well() || f.reason != "" && f.reason != reason {
		f.over = true
		return "", nil
	}
	f.reason, f.orders = reason, append(f.orders, order)
	if f.over = len(f.orders) == firstOrders; !f.over {
		return "", nil
	}
	return fmt.Sprintf("the first %d orders have all ended badly for the same reason: %s", firstOrders, why), f.orders[:2]
}
