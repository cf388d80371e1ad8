package pool

import (
	"math"
	"time"
)

// headStart keeps all slots but the first at the gate for a while. The pool's mu
// guards it. Its zero value keeps nobody.
type headStart struct {
	until  time.Time
	passed bool // the first slot was let pass
}

const forever = time.Duration(math.MaxInt64)

// limit returns how many of n slots may pass now, and when to ask again for the
// others.
func (h *headStart) limit(n int) (int, time.Duration) {
	left := time.Until(h.until)
	switch {
	case h.until.IsZero() || left <= 0:
		return n, forever
	case h.passed:
		return 0, left
	}
	h.passed = n > 0
	return min(n, 1), left
}

// overtaken ends the first worker's head start. The caller holds the pool's mu.
func (r *run) overtaken() {
	if r.gate.ahead.until.IsZero() {
		return
	}
	r.gate.ahead.until = time.Time{}
	r.gate.poke()
}
