// Package space is what a session does about the disks that it writes to: it begins only
// where there is room, pauses while a disk is short, and ends when one cannot be written
// to, with some room kept for what is still to be recorded.
//
// The disks are looked at before a session begins, and four times a second while it runs.
// One that is short pauses the session, and ends it when that lasts. A write that fails in
// spite of it ends the session at once: what is in progress is put back, and a reserve file
// in the session folder is removed, so that what was brought home is still recorded and the
// report written. Where the folder itself is taken away, nothing is written any more. In all
// these cases the error says so (EnvironmentError).
package space

import (
	"errors"
	"fmt"
	"os"

	"github.com/poscrape/poscrape/internal/disk"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// EnvironmentError says what of this machine is in the way.
type EnvironmentError struct {
	// Doing is what was being done, "making the session folder".
	Doing string
	Err   error
}

func (e *EnvironmentError) Error() string { return e.Doing + ": " + e.Err.Error() }

// Unwrap returns the error behind it.
func (e *EnvironmentError) Unwrap() error { return e.Err }

// Guard looks after the disks of one session. Its methods may be called by any goroutine.
type Guard struct {
	// InPlace returns an error if what the session needs in its folder is not where it was.
	// It is nil until the session has a folder.
	InPlace func() error
	// Halt ends the session because of this machine. What it is called with first counts.
	Halt func(error)

	dir     string
	volumes *disk.Volumes
	reserve disk.Reserve
}

// New returns the Guard of the session in a folder whose profiles are below temp. minFree in
// bytes is how much each disk must have left; 0: a tenth of the disk, 8 MB to 256 MB.
func New(dir, temp string, minFree int64) *Guard {
	return &Guard{dir: dir, volumes: disk.VolumesOf(disk.Config{Dir: dir, Temp: temp, Reserve: minFree})}
}

// Room returns an error if a disk has no room for so many bytes more.
func (g *Guard) Room(bytes int64) error { return g.volumes.Room(bytes) }

// ForProfile returns how many bytes must be free for a profile.
func (g *Guard) ForProfile() int64 { return g.volumes.ForProfile() }

// Check returns an *EnvironmentError if too little is free to begin.
func (g *Guard) Check() error {
	short := g.volumes.Short(1)
	if short == nil {
		return nil
	}
	remedy, inDir := short.Remedy()
	if inDir {
		remedy += ", or name a folder on another disk with --out"
	}
	return &EnvironmentError{Doing: "looking for disk space",
		Err: fmt.Errorf("%s; %s (--min-free changes the reserve)", short, remedy)}
}

// FillReserve makes the file that keeps room for what so many orders may still record.
func (g *Guard) FillReserve(root *os.Root, orders int) error {
	free, err := disk.Measure(g.dir)
	if err != nil {
		return err
	}
	return g.reserve.Fill(root, orders, free.Free)
}

// TakeReserve takes over the file of an earlier run, and SpendReserve removes it.
func (g *Guard) TakeReserve(root *os.Root) { g.reserve.Take(root) }

// SpendReserve gives the room of the reserve file to what is to be recorded now.
func (g *Guard) SpendReserve() { g.reserve.Spend() }

// IsStorage reports whether an error comes of a disk, or of the session file.
func IsStorage(err error) bool {
	return disk.FaultOf(err) != "" || errors.As(err, new(*ledger.FileError))
}

// Explain says of an error that comes of a disk which one it is, and what to do.
func (g *Guard) Explain(err error) error {
	what, remedy, err := g.volumes.Trouble(err)
	return &EnvironmentError{Doing: fmt.Sprintf("%s; %s, then go on with: poscrape resume %s", what, remedy, g.dir), Err: err}
}

// Displaced returns an *EnvironmentError if the session folder, or what the session needs in
// it, is not in its place any more.
func (g *Guard) Displaced() error {
	if g.InPlace == nil {
		return nil
	}
	err := g.InPlace()
	if err == nil {
		return nil
	}
	return &EnvironmentError{Doing: fmt.Sprintf("the session folder %s was removed, moved or replaced while the session ran; "+
		"put it back and go on with 'poscrape resume', or start a new session", g.dir), Err: err}
}

// OwnFault returns the *EnvironmentError that an error of the session's own files amounts to
// if the disk is to blame for it, else nil.
func (g *Guard) OwnFault(err error) error {
	if err == nil {
		return nil
	}
	if gone := g.Displaced(); gone != nil {
		return gone
	}
	if !IsStorage(err) {
		return nil
	}
	return g.Explain(err)
}

// Struck reports whether the disk is to blame for an error of the session's own
// files, and then halts the session. There is room again when it returns, if the
// reserve file made any: what failed may be tried once more.
func (g *Guard) Struck(err error) bool {
	fault := g.OwnFault(err)
	if fault == nil && errors.Is(err, os.ErrPermission) {
		fault = g.Explain(err)
	}
	if fault != nil {
		g.Halt(fault)
	}
	return fault != nil
}

// Fault returns what is wrong with a disk if that is to blame for the error of an
// attempt, or of a launch, and then halts the session. On a full disk everything may fail,
// and say something else.
func (g *Guard) Fault(err error) error {
	if err == nil || tasks.AsFailure(err).Advice == tasks.AdvicePermanent {
		return nil
	}
	fault := g.OwnFault(err)
	if fault == nil && g.volumes.Room(0) != nil {
		fault = g.Explain(err)
	}
	if fault != nil {
		g.Halt(fault)
	}
	return fault
}
