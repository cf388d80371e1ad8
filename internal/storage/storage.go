// Package storage tells how a file system stands: how much room it has, and
// whether an error was its fault. It writes nothing.
package storage

import "errors"

// Space is the room on a file system, in bytes.
type Space struct {
	// Device tells file systems apart; it says nothing else.
	Device string
	// Size is how large it is, Free what this user can still write.
	Size, Free int64
}

// Fault is what is wrong with a file system, as the end of a sentence about it.
// The empty Fault means that nothing is known to be wrong.
type Fault string

// The faults of file systems.
const (
	Full     Fault = "is full"
	Quota    Fault = "has no room left for this user: a quota is used up"
	ReadOnly Fault = "is read-only"
	Broken   Fault = "reports an error when it is read or written"
)

// FaultOf returns the fault of the file system that an error tells of, whatever
// was being done. A file that is missing, or that may not be opened, is none.
func FaultOf(err error) Fault {
	for _, known := range faults {
		if errors.Is(err, known.err) {
			return known.fault
		}
	}
	return ""
}

type known struct {
	err   error
	fault Fault
}
