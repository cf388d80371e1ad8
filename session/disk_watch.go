package session

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

// diskWatch looks at the disk again and again, and decides what follows.
type diskWatch struct {
	dir      string
	volumes  *disk.Volumes
	patience time.Duration
	// displaced returns why the session folder is not where it was, or nil.
	displaced func() error
	// busy reports whether orders are in progress.
	busy func() bool
	// hold pauses the session until release is called with what has changed.
	hold func(why string) (release func(why string))
	halt func(error)

	// release ends the session's pause, which began at heldAt; nil without one.
	release func(why string)
	heldAt  time.Time
}

// run watches until ctx ends.
func (w *diskWatch) run(ctx context.Context) {
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
func (w *diskWatch) look(now time.Time) {
	if err := w.displaced(); err != nil {
		w.halt(err)
		return
	}
	paused := w.release != nil
	factor := 1.0
	if paused {
		factor = enoughAgain
	}
	short := w.volumes.Short(factor)
	switch {
	case short != nil && !paused:
		w.heldAt, w.release = now, w.hold(short.String())
	case short == nil && paused:
		w.release("there is enough disk space again")
		w.release = nil
	case paused && now.Sub(w.heldAt) >= w.patience && !w.busy():
		remedy, _ := short.Remedy()
		w.halt(&EnvironmentError{Doing: "waiting for disk space", Err: fmt.Errorf(
			"%s, for %v now: %s are missing; %s, then go on with: poscrape resume %s",
			short, w.patience, disk.Bytes(short.Missing()), remedy, w.dir)})
	}
}

// watchDisk watches the disk until ctx ends.
func (s *ProcessingSession) watchDisk(ctx context.Context) {
	w := &diskWatch{
		dir: s.dir, volumes: s.volumes, patience: s.cfg.DiskPatience, displaced: s.displaced, halt: s.halt,
		busy: func() bool { return s.pool.Stats().InHand > 0 },
		hold: func(why string) func(string) { return s.pool.Hold(Hold{Owner: HeldByDisk, Reason: why}) },
	}
	if w.patience == 0 {
		w.patience = diskPatience
	}
	w.run(ctx)
}
