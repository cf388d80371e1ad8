package tasks

// Pulse tells whether a lease is still alive, without a clock: it counts the
// checks in a row that found no heartbeat since the check before. It is for
// those who write a TaskQueue.
type Pulse struct {
	beat   bool
	missed int
}

// maxMissed is how many checks in a row may find nothing. With two, a machine
// that slept loses no lease when the check comes first on waking.
const maxMissed = 2

// Beat notes a sign of life: the claim, its start, a heartbeat.
func (p *Pulse) Beat() { p.beat = true }

// Check reports whether the lease is lost: it and the check before it found no
// beat.
func (p *Pulse) Check() (lost bool) {
	if p.beat {
		p.beat, p.missed = false, 0
		return false
	}
	p.missed++
	return p.missed >= maxMissed
}
