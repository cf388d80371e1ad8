package progress

import "time"

// pace is how fast orders end. While the session is paused its time stands still.
type pace struct {
	began time.Time
	// ends are those within the rate window, oldest first.
	ends []time.Time
	// held is when it was paused, or zero.
	held time.Time
}

// begin has the session begin now.
func (p *pace) begin(now time.Time) {
	p.began = now
	if !p.held.IsZero() {
		p.held = now
	}
}

func (p *pace) ended(at time.Time) { p.ends = append(p.ends, at) }

// hold says whether the session is paused.
func (p *pace) hold(now time.Time, paused bool) {
	switch {
	case paused && p.held.IsZero():
		p.held = now
	case !paused && !p.held.IsZero():
		stood := now.Sub(p.held)
		p.began, p.held = p.began.Add(stood), time.Time{}
		for i, at := range p.ends {
			if at = at.Add(stood); at.After(now) {
				at = now
			}
			p.ends[i] = at
		}
	}
}

// perMinute returns how many orders ended per minute, lately, or 0 where nothing is known.
func (p *pace) perMinute(now time.Time) float64 {
	if !p.held.IsZero() {
		now = p.held
	}
	for len(p.ends) > 0 && now.Sub(p.ends[0]) > rateWindow {
		p.ends = p.ends[1:]
	}
	over := min(now.Sub(p.began), rateWindow)
	if over <= 0 || len(p.ends) == 0 {
		return 0
	}
	return float64(len(p.ends)) / over.Minutes()
}
