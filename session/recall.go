package session

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"

	"github.com/poscrape/poscrape/tasks/ledger"
)

// Recall returns how the session in a folder was started. It only reads, also
// while the session runs. It returns a *FolderError for a folder that holds no
// session, and a *ledger.FileError for a ledger that cannot be read.
func Recall(ctx context.Context, dir string) (_ Config, err error) {
	dir, err = sessionDir(dir)
	if err != nil {
		return Config{}, err
	}
	l, err := ledger.OpenReadOnly(filepath.Join(dir, ledgerName))
	if err != nil {
		return Config{}, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	record, err := l.Session(ctx)
	if err != nil {
		return Config{}, err
	}
	var was remembered
	if err := json.Unmarshal(record.Config, &was); err != nil {
		return Config{}, &FolderError{Dir: dir, Problem: "does not say how it was started", Err: err}
	}
	return was.Config, nil
}
