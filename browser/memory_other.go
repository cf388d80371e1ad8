//go:build !linux

package browser

func limitPages(int, uint64) {}
