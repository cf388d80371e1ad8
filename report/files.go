package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The names of the files of a report, below the session folder.
const (
	JSONFile     = "report.json"
	HTMLFile     = "report.html"
	ResultsFile  = "results.csv"
	WorkbookFile = "results.xlsx"
	FailedFile   = "failed.csv"
)

// writing is taken by the call of WriteFiles that is at work.
var writing = make(chan struct{}, 1)

// WriteFiles builds the report of a session and writes its files to dir, the
// session folder: report.json, report.html, results.csv, results.xlsx, and failed.csv where
// there is something in it; an earlier failed.csv is removed where there is not.
//
// All files are written and synced before the first takes its place, report.json
// as the last: whoever looks sees whole files only, and a full disk leaves the
// earlier report as it was. One program makes one report at a time; only one program may
// write to a folder.
func WriteFiles(ctx context.Context, dir string, src Source) (*Report, error) {
	select {
	case writing <- struct{}{}:
		defer func() { <-writing }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	r, err := Build(ctx, src)
	if err != nil {
		return nil, err
	}
	r.Folder = dir
	if err := r.writeFiles(dir); err != nil {
		return nil, fmt.Errorf("writing the report to %s: %w", dir, err)
	}
	return r, nil
}

func (r *Report) writeFiles(dir string) (err error) {
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{ResultsFile, r.WriteResultsCSV},
		{FailedFile, r.WriteFailedCSV},
		{WorkbookFile, r.workbookBeside(filepath.Join(dir, WorkbookFile))},
		{HTMLFile, r.WriteHTML},
		{JSONFile, r.WriteJSON},
	}
	var staged []*stagedFile
	defer func() {
		for _, f := range staged {
			err = errors.Join(err, f.discard())
		}
	}()
	for _, file := range files {
		if file.name == FailedFile && !r.HasFailed() {
			continue
		}
		f, err := stage(filepath.Join(dir, file.name), "")
		if err != nil {
			return err
		}
		staged = append(staged, f)
		if err := f.fill(file.write); err != nil {
			return err
		}
	}
	for _, f := range staged {
		if err := f.publish(); err != nil {
			return err
		}
	}
	if !r.HasFailed() {
		if err := os.Remove(filepath.Join(dir, FailedFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing an earlier %s: %w", FailedFile, err)
		}
	}
	return syncDir(dir)
}
