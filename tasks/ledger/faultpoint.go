//go:build !chaos

package ledger

// slowDisk leaves the disk as quick as it is. Under the tag chaos it can be slowed.
func slowDisk() func() { return func() {} }
