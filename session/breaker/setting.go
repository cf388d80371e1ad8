package breaker

import (
	"github.com/poscrape/poscrape/tasks"
)

// inARow is how many attempts in a row at each host must fail for a setting's sake, or at how many
// hosts, before the setting is taken to be wrong.
const inARow = 3

// Wrong is a setting that keeps every order from being reached.
type Wrong struct {
	Setting tasks.Setting
	// Host is one of those asked, Seen what was seen there.
	Host, Seen string
}

// Wrong returns what of the settings is wrong for every order tried in this run, or nil, as once an
// order was reached.
func (b *Breaker) Wrong() *Wrong {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.wrong
}

// suspect notes what an attempt at an order of the circuit's host says about the settings. The
// caller holds b.mu.
func (b *Breaker) suspect(c *circuit, s sign, f *tasks.Failure) {
	switch {
	case b.reached || b.wrong != nil || s.kind == signNone:
		return
	case f != nil && f.Setting != "":
		if c.setting != f.Setting {
			c.setting, c.failed = f.Setting, 0
		}
		c.failed++
		b.wrong = b.conclude(c, f)
		if b.wrong != nil {
			b.stir()
		}
	case s.answered():
		b.reached = true
	default:
		c.setting, c.failed = "", 0
	}
}

// conclude returns what is wrong where all that was asked speaks for one setting. A proxy is that
// of all hosts. The caller holds b.mu.
func (b *Breaker) conclude(c *circuit, f *tasks.Failure) *Wrong {
	failed, orders, asked, unasked := 0, 0, 0, 0
	for _, other := range b.hosts {
		orders += other.orders
		switch {
		case !other.asked && other.orders > 0:
			unasked++
		case other.asked && other.setting != f.Setting:
			return nil
		case other.asked:
			asked++
			failed += other.failed
			if f.Setting != tasks.SettingProxy && other.failed < min(inARow, other.orders) {
				return nil
			}
		}
	}
	if failed < min(inARow, orders) || unasked > 0 && asked < inARow && f.Setting != tasks.SettingProxy {
		return nil
	}
	return &Wrong{Setting: f.Setting, Host: c.host, Seen: f.Seen}
}
