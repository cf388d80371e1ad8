package breaker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// Watch checks the hosts that are down until ctx ends. It calls notify when there
// may be news, with a reason once the patience is at its end.
func (b *Breaker) Watch(ctx context.Context, notify func(gaveUp string)) {
	for {
		timer := time.NewTimer(b.untilCheck(time.Now()))
		select {
		case <-timer.C:
		case <-b.poked:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		timer.Stop()
		if b.checkDue(time.Now()) {
			b.check(ctx)
		}
		notify(b.giveUp(time.Now()))
	}
}

// News returns what is to be told: the news since the last time, and why orders
// wait, or "".
func (b *Breaker) News() (news []tasks.Event, reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	news, b.news = b.news, nil
	return news, b.reason()
}

// troubled returns the circuits that are not closed and have orders left, the
// one that has been so for longest first. The caller holds b.mu.
func (b *Breaker) troubled() []*circuit {
	var all []*circuit
	for _, c := range b.hosts {
		if c.work > 0 && c.state != stateClosed {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(x, y *circuit) int { return cmp.Or(x.since.Compare(y.since), cmp.Compare(x.address, y.address)) })
	return all
}

// gaveUpAt returns when the patience with all hosts that have orders left is at
// its end; false: one of them is, or may be, answering. The caller holds b.mu.
func (b *Breaker) gaveUpAt() (time.Time, bool) {
	var latest time.Time
	for _, c := range b.hosts {
		switch {
		case c.work == 0:
		case c.state != stateOpen:
			return time.Time{}, false
		case c.since.After(latest):
			latest = c.since
		}
	}
	return latest.Add(b.Patience), !latest.IsZero()
}

// untilCheck is how long nothing has to be done by the clock.
func (b *Breaker) untilCheck(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.troubled()) == 0 {
		if c, until := b.firstQuiet(now); c != nil {
			return until.Sub(now)
		}
		return time.Hour
	}
	next := b.nextCheck
	if at, all := b.gaveUpAt(); all && at.Before(next) {
		next = at
	}
	return next.Sub(now)
}

func (b *Breaker) checkDue(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.troubled()) > 0 && !now.Before(b.nextCheck)
}

// giveUp ends the waiting if the patience with all hosts is at its end, and
// returns why, or "".
func (b *Breaker) giveUp(now time.Time) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	at, all := b.gaveUpAt()
	if !all || now.Before(at) {
		return ""
	}
	hosts := b.troubled()
	if slices.ContainsFunc(hosts, func(c *circuit) bool { return c.due(now) }) {
		return "" // an order is about to try
	}
	why := fmt.Sprintf("%s is %s since %s (last seen: %s)%s; %s left", hosts[0].host, hosts[0].does(),
		hosts[0].since.Format("2006-01-02 15:04:05"), hosts[0].last, others(len(hosts)-1), plural(len(b.work), "order is", "orders are"))
	for _, c := range hosts {
		c.become(stateGivenUp)
	}
	b.tell(tasks.EventBreakerGaveUp, why)
	return why
}

// reason says in one sentence why orders wait, or "". The caller holds b.mu.
func (b *Breaker) reason() string {
	hosts := b.troubled()
	if len(hosts) == 0 {
		if c, until := b.firstQuiet(time.Now()); c != nil {
			return c.quietly(until)
		}
		return ""
	}
	waiting := 0
	for _, c := range hosts {
		waiting += c.work
	}
	c := hosts[0]
	next := "looking again every " + checkEvery.String()
	if c.refuses {
		next = "trying one of them now and then"
	}
	until := "as long as other hosts answer"
	if at, all := b.gaveUpAt(); all || b.paused {
		if !all {
			at = c.since.Add(b.Patience)
		}
		until = "giving up at " + at.Format("15:04")
	}
	return fmt.Sprintf("%s%s: %s, %s, %s", c.trouble(), others(len(hosts)-1), plural(waiting, "order waits", "orders wait"), next, until)
}

// trouble says what is wrong with the host. The caller holds the breaker's mu.
func (c *circuit) trouble() string {
	return fmt.Sprintf("%s is %s since %s (%s)", c.host, c.does(), c.since.Format("15:04"), c.last)
}

func (c *circuit) does() string {
	switch {
	case c.barred:
		return "not letting anybody sign in"
	case c.refuses:
		return "refusing nearly everything"
	}
	return "down"
}

func others(n int) string {
	if n == 0 {
		return ""
	}
	return ", and " + plural(n, "more host", "more hosts")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
