package breaker

import (
	"fmt"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// toldPause is how much longer a host must be left alone than was told before, so that it is told.
const toldPause = 5 * time.Second

// quiet returns until when a host is left alone; the zero time where it is not. The caller holds b.mu.
func (b *Breaker) quiet(c *circuit, now time.Time) time.Time {
	if b.Quiet == nil || c.state != stateClosed {
		return time.Time{}
	}
	until := b.Quiet(c.site)
	if !until.After(now) {
		return time.Time{}
	}
	if until.Sub(now) >= toldPause && until.Sub(c.told) >= toldPause {
		c.told = until
		b.tell(tasks.EventNotice, c.quietly(until))
	}
	return until
}

func (c *circuit) quietly(until time.Time) string {
	return fmt.Sprintf("%s has had too many requests, by its own word: no order is opened there until %s", c.host, until.Format("15:04:05"))
}

// firstQuiet returns the host that is the first to be asked again of those that are left alone, and when; or nil. The
// caller holds b.mu.
func (b *Breaker) firstQuiet(now time.Time) (first *circuit, until time.Time) {
	for _, c := range b.hosts {
		if c.work == 0 {
			continue
		}
		if at := b.quiet(c, now); !at.IsZero() && (first == nil || at.Before(until)) {
			first, until = c, at
		}
	}
	return first, until
}
