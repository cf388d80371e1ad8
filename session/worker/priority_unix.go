//go:build unix

package worker

import "syscall"

// lowPriority is the nice value of a throttled browser: it gets about a tenth of
// a processor that others want too.
const lowPriority = 10

// lowerPriority lowers that of all processes of a group. Only a privileged user
// could raise it again, so it stays until the browser is replaced.
func lowerPriority(pgid int) error {
	return syscall.Setpriority(syscall.PRIO_PGRP, pgid, lowPriority)
}
