package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// filePerm is for files that are handed on: as readable as the user's umask
// lets them be. A report holds no secret.
const filePerm fs.FileMode = 0o644

// stagedFile is a file on its way to its path. Until publish it lies beside
// it, as ".<name>.tmp"; one that a killed program has left there is replaced. A mark
// in the name keeps it apart from that of another program.
type stagedFile struct {
	file *os.File
	path string
}

func stage(path, mark string) (*stagedFile, error) {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+mark+".tmp")
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("removing a leftover: %w", err)
	}
	file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, filePerm)
	if err != nil {
		return nil, fmt.Errorf("creating a temporary file: %w", err)
	}
	return &stagedFile{file: file, path: path}, nil
}

// fill writes the file's bytes and returns when they are on the disk.
func (s *stagedFile) fill(write func(io.Writer) error) error {
	if err := write(s.file); err != nil {
		return err
	}
	if err := s.file.Sync(); err != nil {
		return fmt.Errorf("syncing: %w", err)
	}
	if err := s.file.Close(); err != nil {
		return fmt.Errorf("closing: %w", err)
	}
	return nil
}

// publish puts the file in its place, in one step.
func (s *stagedFile) publish() error {
	if err := os.Rename(s.file.Name(), s.path); err != nil {
		return fmt.Errorf("putting it in its place: %w", err)
	}
	s.path = ""
	return nil
}

// discard removes a file that was not published; else it does nothing.
func (s *stagedFile) discard() error {
	if s.path == "" {
		return nil
	}
	if err := s.file.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
		return fmt.Errorf("closing a temporary file: %w", err)
	}
	if err := os.Remove(s.file.Name()); err != nil {
		return fmt.Errorf("removing a temporary file: %w", err)
	}
	return nil
}

// syncDir makes the names in a directory durable, where the system can.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("opening the folder to sync it: %w", err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("syncing the folder: %w", err)
	}
	return nil
}
