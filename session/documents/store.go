// Package documents says when a document becomes visible: published with its attempt's
// result, or taken back. A Store is the session folder of one machine, in which attempts
// write to a staging directory of their own, and publishing is a rename; whoever uses it
// knows nothing of that.
//
// What becomes visible is fenced by the order's lease: a late attempt does not take back
// what the next one at the same order has put there, and what a run that was killed has
// published without recording it is taken back by Recover.
package documents

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// The names of what a Store makes in the session folder: the directory of what is on its
// way, which is gone when the session has ended, and that of the orders' folders.
const (
	StagingName = ".staging"
	OrdersName  = "orders"
)

// Config is what a Store needs.
type Config struct {
	// Dir is the session folder, absolute, and Root the same, opened.
	Dir  string
	Root *os.Root
	// Queue knows which documents count.
	Queue tasks.TaskQueue
	// Log is told of what could not be removed.
	Log *slog.Logger
	// Struck is told of errors, and reports whether the disk is to blame and there may be
	// room for another try. Nil is never.
	Struck func(error) bool
}

// Store is the documents of one session. Its methods may be called by any goroutine.
type Store struct {
	Config
	folders folders
	turns   turns
	// latest is the number of the attempt that has published last, by task.
	latest sync.Map
}

// New returns the Store of a session folder. It touches nothing.
func New(cfg Config) *Store {
	if cfg.Struck == nil {
		cfg.Struck = func(error) bool { return false }
	}
	return &Store{Config: cfg, folders: folders{owners: map[string]uuid.UUID{}}, turns: turns{taken: map[uuid.UUID]chan struct{}{}}}
}

// Staging is the directory in which attempts write, absolute.
func (s *Store) Staging() string { return filepath.Join(s.Dir, StagingName) }

// Prepare makes that directory, which must not be there: see Recover.
func (s *Store) Prepare() error {
	if err := os.Mkdir(s.Staging(), 0o700); err != nil {
		return fmt.Errorf("making the staging directory: %w", err)
	}
	return nil
}

// InPlace returns an error if the staging directory is gone.
func (s *Store) InPlace() error {
	_, err := s.Root.Stat(StagingName)
	return err
}

// turns lets one attempt at an order at a time change the order's folder.
type turns struct {
	mu    sync.Mutex
	taken map[uuid.UUID]chan struct{}
}

// take waits for the order's turn, and returns how it is given back.
func (t *turns) take(order uuid.UUID) (giveBack func()) {
	mine := make(chan struct{})
	for {
		t.mu.Lock()
		other := t.taken[order]
		if other == nil {
			t.taken[order] = mine
		}
		t.mu.Unlock()
		if other == nil {
			break
		}
		<-other
	}
	return func() {
		t.mu.Lock()
		delete(t.taken, order)
		t.mu.Unlock()
		close(mine)
	}
}
