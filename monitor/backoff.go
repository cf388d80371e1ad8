package monitor

import "time"

const (
	// maxDwell is how many times its length the dwell grows to at most.
	maxDwell = 16
	// maxFactor is the same for the half-life of what was learned.
	maxFactor = 64
	// halfLives is the half-life of what was learned, in dwells.
	halfLives = 10
)

// backoff doubles the dwell, and the half-life of what was learned, after each
// raise that had to be taken back: what failed again and again is believed for
// longer.
type backoff struct {
	dwell    time.Duration
	factor   int       // 0 means 1
	raisedAt time.Time // of a raise that has not proven itself; zero without one
}

// current returns the dwell.
func (b *backoff) current() time.Duration {
	return time.Duration(min(max(b.factor, 1), maxDwell)) * b.dwell
}

func (b *backoff) halfLife() time.Duration {
	return time.Duration(halfLives*max(b.factor, 1)) * b.dwell
}

func (b *backoff) raised(at time.Time) { b.raisedAt = at }

// strained takes note of a raise that is borne although it is too much: it has not proven itself.
func (b *backoff) strained(at time.Time) {
	if !b.raisedAt.IsZero() {
		b.raisedAt = at
	}
}

func (b *backoff) forgetRaise() { b.raisedAt = time.Time{} }

// lowered takes note of a worker taken away: soon after a raise, that raise has
// failed.
func (b *backoff) lowered(at time.Time) {
	if !b.raisedAt.IsZero() && !b.lasted(at) {
		b.factor = min(2*max(b.factor, 1), maxFactor)
	}
	b.raisedAt = time.Time{}
}

// lasted reports whether the last raise has lasted for two dwells.
func (b *backoff) lasted(at time.Time) bool {
	return !b.raisedAt.IsZero() && at.Sub(b.raisedAt) >= 2*b.current()
}

func (b *backoff) reset() { b.factor, b.raisedAt = 1, time.Time{} }
