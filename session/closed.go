package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/poscrape/poscrape/scrape"
)

// What others must not read: the session folder, and in it besides, in case it is
// copied, the ledger, the evidence and the log.
const (
	closedDir  fs.FileMode = 0o700
	closedFile fs.FileMode = 0o600
)

// ledgerFiles are all files of the ledger.
var ledgerFiles = []string{ledgerName, ledgerName + "-wal", ledgerName + "-shm", ledgerName + ".lock"}

// refuseLinks returns a *FolderError if a file of the ledger is a link, or no file.
func refuseLinks(dir string) error {
	for _, name := range ledgerFiles {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err == nil && !info.Mode().IsRegular() {
			return &FolderError{Dir: dir, Problem: fmt.Sprintf("has something else than a file in place of %s, which is not followed; put the file there, or remove it", name)}
		}
	}
	return nil
}

// closeFolder closes a session folder that an earlier version has made. What it cannot
// close it says, as the session may go on.
func (s *ProcessingSession) closeFolder() {
	errs := []error{s.root.Chmod(".", closedDir)}
	closeFile := func(name string, perm fs.FileMode) {
		info, err := s.root.Lstat(name)
		if err == nil && info.Mode().Type()&^fs.ModeDir == 0 && info.Mode().Perm()&^perm != 0 {
			errs = append(errs, s.root.Chmod(name, perm))
		}
	}
	for _, name := range ledgerFiles {
		closeFile(name, closedFile)
	}
	_ = fs.WalkDir(s.root.FS(), scrape.EvidenceDir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // there is none, or another has removed it
			return nil //nolint:nilerr // what is not there needs not be closed
		case entry.IsDir():
			closeFile(filepath.FromSlash(name), closedDir)
		case entry.Type().IsRegular():
			closeFile(filepath.FromSlash(name), closedFile)
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		s.story.Warn("the session folder could not be closed to others: %v", err)
	}
}
