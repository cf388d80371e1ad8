package scrape

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// defaultRate is how many requests a second a host gets where the recipe does
// not say. Loopback has no limit.
const defaultRate = 5

// Rates keep to how often each host may be asked. Portals that ask the same host share them.
type Rates struct {
	mu       sync.Mutex
	limiters map[string]*rate.Limiter
	// quiet is until when a host has asked to be left alone.
	quiet map[string]time.Time
}

// NewRates returns Rates that have asked nobody yet.
func NewRates() *Rates {
	return &Rates{limiters: map[string]*rate.Limiter{}, quiet: map[string]time.Time{}}
}

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

const (
	// longestPause bounds for how long a host is left alone at its own word, as tasks.DefaultPolicy does that of an
	// order.
	longestPause = 5 * time.Minute
	// patience is how long an attempt waits for the end of a pause. Before a longer one it ends.
	patience = 10 * time.Second
)

// hush notes that a host asks to be left alone for so long.
func (r *Rates) hush(host string, pause time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if until := time.Now().Add(min(pause, longestPause)); until.After(r.quiet[host]) {
		r.quiet[host] = until
	}
}

// pause returns for how long a host is still to be left alone.
func (r *Rates) pause(host string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Until(r.quiet[host])
}

// heed notes in the failure how long an answer asks to wait, by its status and its header Retry-After. One of too many
// requests is meant for all orders.
func (a *attempt) heed(f *tasks.Failure, address string, status int, header string) {
	f.After = retryAfter(header, time.Now())
	u, err := browser.ParseURL(address)
	if err != nil || status != http.StatusTooManyRequests || f.After == 0 {
		return
	}
	a.portal.rates.hush(u.Host, f.After)
	if u.Host == a.address.Host {
		f.Pause = f.After
	}
}

// ShareRates has the portal keep to the rates of a session with several. It is to be called
// before the first order.
func (p *Portal) ShareRates(rates *Rates) { p.rates = rates }

// wait blocks until the host of the address may be asked again, or ctx ends. If the host has asked to be left alone for
// longer than patience, it returns a release that says so.
func (p *Portal) wait(ctx context.Context, address string) error {
	u, err := browser.ParseURL(address)
	if err != nil {
		return fmt.Errorf("keeping to the rate limit: %w", err)
	}
	pause := p.rates.pause(u.Host)
	if pause > patience {
		f := tasks.Release(tasks.ClassThrottled, "%s asks to be left alone for %v more (Retry-After)", u.Host, pause.Round(time.Second))
		f.After, f.Pause = pause, pause
		return f
	}
	limit := rate.Limit(p.recipe.Limits.Rate)
	switch {
	case limit > 0:
	case isLoopback(u.Hostname()):
		limit = rate.Inf
	default:
		limit = defaultRate
	}
	turn := p.rates.reserve(u.Host, limit)
	timer := time.NewTimer(max(turn.Delay(), pause))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		turn.Cancel()
		return context.Cause(ctx)
	}
}
