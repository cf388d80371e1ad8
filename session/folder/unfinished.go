package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// Unfinished is a session that nobody works on and that has not come to its end,
// or has left something behind.
type Unfinished struct {
	// Dir is the session folder.
	Dir string
	// Status as it was recorded last; RUNNING means that the session was killed.
	Status tasks.SessionStatus
	// Open orders have not ended, of Total.
	Open, Total int
	// Staging is the directory of documents that were on their way, and Bytes
	// their size; empty where there is none.
	Staging string
	Bytes   int64
	// Err says why the session cannot be looked at, or is nil.
	Err error
}

// LookForUnfinished returns the sessions in the folders below out, sorted by
// name, that have open orders or a staging directory and that nobody works on.
// A folder out that does not exist holds none. It changes nothing.
func LookForUnfinished(ctx context.Context, out string) ([]Unfinished, error) {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for sessions: %w", err)
	}
	var found []Unfinished
	for _, entry := range entries {
		dir := filepath.Join(out, entry.Name())
		file := filepath.Join(dir, LedgerName)
		if _, err := os.Stat(file); err != nil || ledger.Owner(file) != nil {
			continue
		}
		if u := lookAt(ctx, dir); u.Open > 0 || u.Staging != "" || u.Err != nil {
			found = append(found, u)
		}
	}
	return found, nil
}

func lookAt(ctx context.Context, dir string) Unfinished {
	u := Unfinished{Dir: dir}
	if staging := filepath.Join(dir, documents.StagingName); sizeOf(staging) >= 0 {
		u.Staging, u.Bytes = staging, sizeOf(staging)
	}
	u.Err = ReadOnly(ctx, dir, func(ctx context.Context, l *ledger.Ledger) error {
		record, err := l.Session(ctx)
		if errors.Is(err, tasks.ErrNotFound) {
			err = nil // killed before its first record
		}
		stats, statsErr := l.Stats(ctx)
		u.Status, u.Open, u.Total = record.Status, stats.Open(), stats.Total
		return errors.Join(err, statsErr)
	})
	return u
}

// sizeOf returns the size in bytes of the files below a directory, or -1 if it is
// not there.
func sizeOf(dir string) int64 {
	if _, err := os.Lstat(dir); err != nil {
		return -1
	}
	var size int64
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}

// Clean takes back what the session had put in its place without recording it,
// and removes its staging directory. The session can be gone on with afterwards
// as before. It returns a *ledger.OwnedError if someone works on it by now.
func (u Unfinished) Clean(ctx context.Context) (err error) {
	queue, err := ledger.OpenExisting(filepath.Join(u.Dir, LedgerName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, queue.Close()) }()
	root, err := os.OpenRoot(u.Dir)
	if err != nil {
		return fmt.Errorf("entering the session folder: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return documents.New(documents.Config{Dir: u.Dir, Root: root, Queue: queue, Log: slog.New(slog.DiscardHandler)}).Recover(ctx)
}
