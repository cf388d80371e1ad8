//go:build !linux

package profiles

func processStart(int) (ticks uint64, boot string) { return 0, "" }

func bootID() string { return "" }
