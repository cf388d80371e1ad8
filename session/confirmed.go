package session

import (
	"context"
	"sync"
	"time"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// The orders are counted again after freshFor at the earliest, and after restRatio times as long as counting took.
const (
	freshFor  = time.Second
	restRatio = 20
)

// confirmations count the orders that ended well and are confirmed, and those that are not. Any order may confirm
// others, so all have to be looked at: only where somebody asks, and not all the time.
type confirmations struct {
	mu       sync.Mutex
	counting bool
	ended    int
	until    time.Time
	// confirmed and listed are what was counted last.
	confirmed, listed int
}

// count returns the numbers by a session's ledger, in which so many orders have ended. Whoever asks while they are
// counted gets those before.
func (c *confirmations) count(ctx context.Context, l *ledger.Ledger, ended int) (confirmed, listed int) {
	began := time.Now()
	c.mu.Lock()
	if c.counting || ended == c.ended || began.Before(c.until) {
		defer c.mu.Unlock()
		return c.confirmed, c.listed
	}
	c.counting = true
	c.mu.Unlock()
	err := report.Judge(ctx, l, func(_ *tasks.ProcessingTask, _ *tasks.Proof, is bool) {
		if is {
			confirmed++
		} else {
			listed++
		}
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.counting, c.until = false, now.Add(max(freshFor, restRatio*now.Sub(began)))
	if err == nil {
		c.ended, c.confirmed, c.listed = ended, confirmed, listed
	}
	return c.confirmed, c.listed
}
