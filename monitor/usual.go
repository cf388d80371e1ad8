package monitor

const (
	// usualFrom is after how many samples the usual load is known.
	usualFrom = 12
	// usualOver is over how many samples it is averaged.
	usualOver = 60
)

// usual is the load that there is while all workers wanted are there and nothing is over: what one
// worker adds is not more than its equal part of that, and does not fade.
type usual struct {
	workers int
	load    load
	seen    int
}

func (u *usual) observe(s Sample, workers int) {
	if u.workers != workers {
		*u = usual{workers: workers}
	}
	u.seen++
	weight := max(1/float64(u.seen), 1.0/usualOver)
	u.load.cpu += weight * (s.CPU - u.load.cpu)
	u.load.memory += weight * (s.Memory - u.load.memory)
}

// fits reports whether all these workers can be had back at once from a load with fewer: with their
// equal parts, it stays below both lower marks, or is not more than usual.
func (u *usual) fits(now load, workers, wanted int, cfg Config) bool {
	if u.seen < usualFrom || wanted > u.workers {
		return false
	}
	more := float64(wanted-workers) / float64(u.workers)
	return now.cpu+more*u.load.cpu <= max(cfg.CPU-cfg.LowerMark, min(u.load.cpu, cfg.CPU)) &&
		now.memory+more*u.load.memory <= max(cfg.Memory-cfg.LowerMark, min(u.load.memory, cfg.Memory))
}
