package scrape

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/poscrape/poscrape/browser"
)

// defaultRate is how many requests a second a host gets where the recipe does
// not say. Loopback has no limit.
const defaultRate = 5

// Rates keep to how often each host may be asked. Portals that ask the same host share them.
type Rates struct {
	mu       sync.Mutex
	limiters map[string]*rate.Limiter
}

// NewRates returns Rates that have asked nobody yet.
func NewRates() *Rates { return &Rates{limiters: map[string]*rate.Limiter{}} }

// reserve takes a turn at a host that may be asked so often; of several limits the lowest counts.
func (r *Rates) reserve(host string, limit rate.Limit) *rate.Reservation {
	r.mu.Lock()
	defer r.mu.Unlock()
	limiter := r.limiters[host]
	if limiter == nil {
		limiter = rate.NewLimiter(limit, 1)
		r.limiters[host] = limiter
	}
	if limit < limiter.Limit() {
		limiter.SetLimit(limit)
	}
	return limiter.Reserve()
}

// ShareRates has the portal keep to the rates of a session with several. It is to be called
// before the first order.
func (p *Portal) ShareRates(rates *Rates) { p.rates = rates }

// wait blocks until the host of the address may be asked again, or ctx ends.
func (p *Portal) wait(ctx context.Context, address string) error {
	u, err := browser.ParseURL(address)
	if err != nil {
		return fmt.Errorf("keeping to the rate limit: %w", err)
	}
	limit := rate.Limit(p.recipe.Limits.Rate)
	if limit == 0 {
		if isLoopback(u.Hostname()) {
			return nil
		}
		limit = defaultRate
	}
	turn := p.rates.reserve(u.Host, limit)
	timer := time.NewTimer(turn.Delay())
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		turn.Cancel()
		return context.Cause(ctx)
	}
}
