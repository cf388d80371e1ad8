package space

import (
	"context"
	"fmt"
	"time"

	"github.com/poscrape/poscrape/internal/disk"
)

const (
	// diskInterval is how often the disk is looked at while the session runs: what
	// fetched orders bring home has filled 24 MB in less than a second.
	diskInterval = 250 * time.Millisecond
	// diskPatience is how long a paused session waits for space, where its
	// configuration does not say.
	diskPatience = 30 * time.Second
	// enoughAgain times the reserve must be free for a paused session to go on:
	// more than the reserve, so that it does not stop and go with every order.
	enoughAgain = 1.25
)

// Watch looks at the disks again and again, and decides what follows.
type Watch struct {
	Guard *Guard
	// Patience is how long a paused session waits for space; 0 means 30 s.
	Patience time.Duration
	// Busy reports whether orders are in progress.
	Busy func() bool
	// Hold pauses the session until release is called with what has changed.
	Hold func(why string) (release func(why string))

	// release ends the session's pause, which began at heldAt; nil without one.
	release func(why string)
	heldAt  time.Time
}

// Run watches until ctx ends.
func (w *Watch) Run(ctx context.Context) {
	ticker := time.NewTicker(diskInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			w.look(now)
		}
	}
}

// look pauses the session while a disk is short, and ends it when that lasts and
// nothing is in progress any more that could be finished.
func (w *Watch) look(now time.Time) {
	if err := w.Guard.Displaced(); err != nil {
		w.Guard.Halt(err)
		return
	}
	paused, patience := w.release != nil, w.Patience
	if patience == 0 {
		patience = diskPatience
	}
	factor := 1.0
	if paused {
		factor = enoughAgain
	}
	short := w.Guard.volumes.Short(factor)
	switch {
	case short != nil && !paused:
		w.heldAt, w.release = now, w.Hold(short.String())
	case short == nil && paused:
		w.release("there is enough disk space again")
		w.release = nil
	case paused && now.Sub(w.heldAt) >= patience && !w.Busy():
		remedy, _ := short.Remedy()
		w.Guard.Halt(&EnvironmentError{Doing: "waiting for disk space", Err: fmt.Errorf(
			"%s, for %v now: %s are missing; %s, then go on with: poscrape resume %s",
			short, patience, disk.Bytes(short.Missing()), remedy, w.Guard.dir)})
	}
}
