package scrape

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// defaultRate is how many requests a second a host gets where the recipe does
// not say. Loopback has no limit.
const defaultRate = 5

// Rates keep to how often each host may be asked, and for how long one asks to be left alone. Portals that ask the same
// host share them.
type Rates struct {
	mu       sync.Mutex
	limiters map[string]*rate.Limiter
	// quiet is until when a server asks to be left alone, heeded who has heard that of it: an order once, as it may be
	// the order alone that it is meant for.
	quiet  map[string]time.Time
	heeded map[asker]bool
}

// asker is an order that a server was asked for.
type asker struct{ server, order string }

// NewRates returns Rates that have asked nobody yet.
func NewRates() *Rates {
	return &Rates{limiters: map[string]*rate.Limiter{}, quiet: map[string]time.Time{}, heeded: map[asker]bool{}}
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
	// longestPause bounds for how long a server is left alone at its own word, as tasks.DefaultPolicy does that of an
	// order.
	longestPause = 5 * time.Minute
	// pausePatience is how long an attempt waits for the end of a pause. Before a longer one it ends.
	pausePatience = 10 * time.Second
)

// hush notes that a server asks an order to leave it alone for so long.
func (r *Rates) hush(who asker, pause time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.heeded[who] {
		return
	}
	r.heeded[who] = true
	if until := time.Now().Add(min(pause, longestPause)); until.After(r.quiet[who.server]) {
		r.quiet[who.server] = until
	}
}

// Quiet returns until when the server of an address is left alone; the zero time where it never was.
func (r *Rates) Quiet(address string) time.Time {
	u, err := browser.ParseURL(address)
	if err != nil {
		return time.Time{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.quiet[hostAndPort(u)]
}

// hostAndPort returns the host and port that an address is asked from.
func hostAndPort(u *url.URL) string {
	name, port := splitHost(u.Host)
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(name) + ":" + port
}

// heed notes in the failure how long an answer asks to wait, by its status and its header Retry-After. One of too many
// requests is meant for all orders: its server is left alone, and so is the one whose address led there.
func (a *attempt) heed(f *tasks.Failure, status int, header string, addresses ...string) {
	f.After = retryAfter(header, time.Now())
	if status != http.StatusTooManyRequests || f.After == 0 {
		return
	}
	for _, address := range addresses {
		if u, err := browser.ParseURL(address); err == nil {
			a.portal.rates.hush(asker{hostAndPort(u), a.task.Key}, f.After)
		}
	}
}

// OutwaitPauses has requests wait for the end of a pause, however long that is, for who cannot come again later, and
// tell of one that takes longer than an attempt's patience. It is to be called before the first order.
func (p *Portal) OutwaitPauses(tell func(format string, args ...any)) { p.outwait = tell }

// ShareRates has the portal keep to the rates of a session with several. It is to be called
// before the first order.
func (p *Portal) ShareRates(rates *Rates) { p.rates = rates }

// wait blocks until the server of the address may be asked again, or ctx ends. If it is left alone for longer than
// pausePatience, wait returns a release that says so, unless it is to wait.
func (p *Portal) wait(ctx context.Context, address string) error {
	u, err := browser.ParseURL(address)
	if err != nil {
		return fmt.Errorf("keeping to the rate limit: %w", err)
	}
	limit := rate.Limit(p.recipe.Limits.Rate)
	switch {
	case limit > 0:
	case isLoopback(u.Hostname()):
		limit = rate.Inf
	default:
		limit = defaultRate
	}
	for {
		pause := time.Until(p.rates.Quiet(address))
		if pause > pausePatience {
			f := tasks.Release(tasks.ClassThrottled, "%s has had too many requests, by its own word, and is left alone for %v more", u.Host, pause.Round(time.Second))
			f.After = pause
			if p.outwait == nil {
				return f
			}
			p.outwait("%s", f.Message)
		}
		if err := pauseFor(ctx, pause); err != nil {
			return err
		}
		turn := p.rates.reserve(u.Host, limit)
		if err := pauseFor(ctx, turn.Delay()); err != nil {
			turn.Cancel()
			return err
		}
		if !p.rates.Quiet(address).After(time.Now()) {
			return nil
		}
	}
}

// pauseFor blocks for so long, or until ctx ends.
func pauseFor(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
