//go:build unix

package browser

import "syscall"

// nonBlocking has a pipe that nobody writes to be opened at once.
const nonBlocking = syscall.O_NONBLOCK
