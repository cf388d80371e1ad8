package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// Write writes the report as "json", "csv" or "html".
func (r *Report) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		return r.WriteJSON(w)
	case "csv":
		return r.WriteResultsCSV(w)
	case "html":
		return r.WriteHTML(w)
	}
	return fmt.Errorf("no report is written as %q", format)
}

// WriteFile writes the report as Write does, or as "xlsx", to a file, also while another program writes
// to its folder: the file is there as a whole or not at all. What is there and is no file,
// such as a device, is written to.
func (r *Report) WriteFile(path, format string) (err error) {
	write := func(w io.Writer) error { return r.Write(w, format) }
	if format == "xlsx" {
		write = r.workbookBeside(path)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return writeInto(path, write)
	}
	f, err := stage(path, "."+strconv.Itoa(os.Getpid()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.discard()) }()
	if err := f.fill(write); err != nil {
		return err
	}
	if err := f.publish(); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

func writeInto(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// workbookBeside returns WriteWorkbook with a directory of its own beside a file, which it
// removes in the end. One that a killed program has left there is replaced.
func (r *Report) workbookBeside(path string) func(io.Writer) error {
	return func(w io.Writer) (err error) {
		temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".parts")
		if err := os.RemoveAll(temp); err != nil {
			return fmt.Errorf("removing a leftover: %w", err)
		}
		if err := os.Mkdir(temp, 0o700); err != nil {
			return fmt.Errorf("creating a temporary directory: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
		return r.WriteWorkbook(w, temp)
	}
}
