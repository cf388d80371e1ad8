package report

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestWriteFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	leftover := filepath.Join(dir, ".report.json.tmp")
	if err := os.WriteFile(leftover, []byte("half a repo"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".results.xlsx.parts", "excelize-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := WriteFiles(t.Context(), dir, finished())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), []string{FailedFile, HTMLFile, JSONFile, ResultsFile, WorkbookFile}; !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, JSONFile))
	if err != nil || string(text) != written(t, r.WriteJSON) {
		t.Errorf("report.json is not what the report says (%v)", err)
	}

	// Nothing is wrong any more: failed.csv goes.
	if _, err := WriteFiles(t.Context(), dir, interrupted()); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), []string{HTMLFile, JSONFile, ResultsFile, WorkbookFile}; !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

func TestFilesAreAsReadableAsTheUsersOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := WriteFiles(t.Context(), dir, finished()); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(other)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{JSONFile, HTMLFile, ResultsFile, WorkbookFile, FailedFile} {
		if got, err := os.Stat(filepath.Join(dir, name)); err != nil || got.Mode() != want.Mode() {
			t.Errorf("%s: mode %v, want %v (%v)", name, got.Mode(), want.Mode(), err)
		}
	}
}

// TestFailureLeavesTheEarlierReport makes each file in turn impossible to write.
func TestFailureLeavesTheEarlierReport(t *testing.T) {
	t.Parallel()
	for _, name := range []string{ResultsFile, FailedFile, WorkbookFile, HTMLFile, JSONFile} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if _, err := WriteFiles(t.Context(), dir, finished()); err != nil {
				t.Fatal(err)
			}
			before := contents(t, dir)
			// A folder that is not empty stands where the temporary file is made.
			obstacle := filepath.Join(dir, "."+name+".tmp")
			if err := os.MkdirAll(filepath.Join(obstacle, "x"), 0o700); err != nil {
				t.Fatal(err)
			}
			changed := finished()
			changed.session.Host = "another"
			if _, err := WriteFiles(t.Context(), dir, changed); err == nil {
				t.Fatal("no error")
			}
			if err := os.RemoveAll(obstacle); err != nil {
				t.Fatal(err)
			}
			after := contents(t, dir)
			if len(after) != len(before) {
				t.Errorf("the folder holds %q", names(t, dir))
			}
			for file, text := range before {
				if after[file] != text {
					t.Errorf("%s has changed", file)
				}
			}
		})
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range names(t, dir) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

func TestNoTemporaryFileIsLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// A folder stands in the place of the last file to be published.
	if err := os.MkdirAll(filepath.Join(dir, JSONFile, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteFiles(t.Context(), dir, finished()); err == nil {
		t.Error("report.json replaced a folder")
	}
	if got, want := names(t, dir), []string{FailedFile, HTMLFile, JSONFile, ResultsFile, WorkbookFile}; !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
	if _, err := WriteFiles(t.Context(), filepath.Join(dir, "none"), finished()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestSourceFailsBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := finished()
	m.faults = map[string]error{"Events": errFull}
	if _, err := WriteFiles(t.Context(), dir, m); !errors.Is(err, errFull) {
		t.Errorf("WriteFiles returns %v", err)
	}
	if got := names(t, dir); got != nil {
		t.Errorf("the folder holds %q", got)
	}
}

func TestFullDevice(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full is there on Linux only")
	}
	r := build(t, finished())
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for name, err := range map[string]error{
		WorkbookFile: r.WriteWorkbook(full, t.TempDir()), JSONFile: r.WriteJSON(full), HTMLFile: r.WriteHTML(full), ResultsFile: r.WriteResultsCSV(full), FailedFile: r.WriteFailedCSV(full),
	} {
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s on a full device: %v", name, err)
		}
	}
}
