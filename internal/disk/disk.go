// Package disk says how file systems stand: how much room they have, whether an error was
// their fault, and what is kept in reserve for the case that one runs full. It says so, and
// stops nothing.
package disk

import (
	"errors"

	"github.com/dustin/go-humanize"
)

// Bytes writes a size for people, in units of a thousand and never rounded up: "5.8 MB".
func Bytes(n int64) string { return humanize.SIWithDigits(float64(n), 1, "B") }

// Space is the room on a file system, in bytes.
type Space struct {
	// Device distinguishes file systems; it says nothing else.
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
	Split    Fault = "is not one disk any more: another one is mounted in that folder"
)

// FaultOf returns the fault of the file system that an error speaks of, whatever
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
