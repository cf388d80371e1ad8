//go:build !linux

package browser

func (g *processGroup) limitPages(uint64) {}

// cpuTime: this system offers no cheap look, so a browser that does not answer in
// time gets no more of it.
func cpuTime(int) uint64 { return 0 }
