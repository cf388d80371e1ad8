//go:build !linux

package browser

func (g *processGroup) limitPages(uint64) {}
