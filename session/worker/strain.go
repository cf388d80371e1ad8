package worker

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"
)

// strain is what is known of how hard a browser is used, and what was done about
// it. Its zero value is that of a browser that was not sampled yet.
type strain struct {
	mu   sync.Mutex
	slot string
	last use
	// spoilt says why its profile must not be used any more, or is nil.
	spoilt error
	// busy is how many orders it works on.
	busy int
	// inARow counts the samples, up to the last one, in which it was over a limit,
	// told the limits about which that was told, both by the limit's flag.
	inARow map[string]int
	told   map[string]bool
	// eased is closed when a throttled worker may take an order again; nil: it is
	// not throttled. over is why it is.
	eased chan struct{}
	over  error
	// ended is why its browser was ended, or nil.
	ended error
}

// take notes which slot the worker is in.
func (s *strain) take(slot string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slot = slot
}

// slotNow returns the slot that the worker is in.
func (s *strain) slotNow() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.slot
}

// measured notes what the browser uses, and returns the slot that it is in.
func (s *strain) measured(u use) (slot string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = u
	return s.slot
}

// spoil notes why the profile must not be used any more, or nil.
func (s *strain) spoil(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spoilt = why
}

// used returns what the browser used in the last sample, or why it must not be
// used any more.
func (s *strain) used() (use, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last, cmp.Or(s.ended, s.spoilt)
}

// begin notes that the worker works on one more order, unless its browser was
// ended: then it returns why.
func (s *strain) begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended == nil {
		s.busy++
	}
	return s.ended
}

// finish notes that the worker has one order less, and returns why its browser
// was ended meanwhile, or nil.
func (s *strain) finish() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	return s.ended
}

// count counts a sample in which the worker was over these limits. It returns
// those that are confirmed by now, and those of them that were not told yet.
func (s *strain) count(over []*LimitError) (confirmed, fresh []*LimitError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inARow := make(map[string]int, len(over))
	for _, limit := range over {
		inARow[limit.Flag] = s.inARow[limit.Flag] + 1
		if inARow[limit.Flag] < samplesOver {
			continue
		}
		confirmed = append(confirmed, limit)
		if !s.told[limit.Flag] {
			fresh = append(fresh, limit)
			if s.told == nil {
				s.told = map[string]bool{}
			}
			s.told[limit.Flag] = true
		}
	}
	s.inARow = inARow
	return confirmed, fresh
}

// throttle keeps the worker from its next order, and reports whether that is new.
func (s *strain) throttle(why error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = why
	if s.eased != nil {
		return false
	}
	s.eased = make(chan struct{})
	return true
}

// ease lets the worker have its next order.
func (s *strain) ease() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.eased != nil {
		close(s.eased)
		s.eased = nil
	}
}

// end notes why the browser is to be ended, once. Where that is only about an
// order in progress, an idle worker is left alone.
func (s *strain) end(why error, onlyBusy bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil || onlyBusy && s.busy == 0 {
		return false
	}
	s.ended = why
	return true
}

// throttled reports whether the worker must not have an order now.
func (s *strain) throttled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.eased != nil
}

// rest waits until the worker may have its next order, at most so long: then it
// returns why it must be replaced.
func (s *strain) rest(ctx context.Context, atMost time.Duration) error {
	s.mu.Lock()
	eased := s.eased
	s.mu.Unlock()
	if eased == nil {
		return nil
	}
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-eased:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Errorf("it was given no order for %v, and did not recover: %w", atMost, s.over)
}
