package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/folder"
)

const reportLong = `Write the report of a session again, from its record in DIR alone, also while the
session runs: all its numbers are then those of one moment, and the session is
not disturbed.

The formats are those of the files in the session folder:
  json  everything, as in report.json
  csv   the rows of the sheet with what became of each, as in results.csv
  xlsx  the same as a workbook, as results.xlsx; it needs -o
  html  the page to look at, as report.html

Links to documents lead to the right place from files in DIR.`

func (p *program) newReportCommand() *cobra.Command {
	var format, out string
	var open bool
	cmd := &cobra.Command{
		Use:   "report [flags] DIR",
		Short: "Write the report of a session again, also while it runs",
		Long:  reportLong,
		Example: `  poscrape report poscrape-out/20260302-091500-4f2a7c | jq .totals
  poscrape report -o march.xlsx poscrape-out/20260302-091500-4f2a7c
  poscrape report --open poscrape-out/20260302-091500-4f2a7c`,
		Args:              oneFolder,
		ValidArgsFunction: completeDirectories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if open {
				if out != "" || format != "" && format != "html" {
					return usageErrorf("--open writes report.html in the session folder and shows it: leave out --format and -o")
				}
				return p.openReport(cmd.Context(), args[0])
			}
			return p.report(cmd.Context(), args[0], cmd.Flags().Changed("output"), out, format)
		},
	}
	inSection(cmd, "Flags", func(f *pflag.FlagSet) {
		f.StringVar(&format, "format", "", "`"+strings.Join(reportFormats, "|")+"` what to write (default: by the name of FILE, else json)")
		f.StringVarP(&out, "output", "o", "", "`FILE` where to write it (default: standard output)")
		f.BoolVar(&open, "open", false, "write report.html in DIR and show it in the browser; without a display, its path is said")
	})
	for flag, complete := range map[string]cobra.CompletionFunc{
		"format": cobra.FixedCompletions(reportFormats, cobra.ShellCompDirectiveNoFileComp), "output": completeFiles(reportFormats...),
	} {
		if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic(err) // only for a flag that is not there
		}
	}
	return cmd
}

// reportFormats are the formats of a report, which are also the extensions of their files.
var reportFormats = []string{"json", "csv", "xlsx", "html"}

// report writes the report of a session to a file, or to standard output.
func (p *program) report(ctx context.Context, dir string, toFile bool, out, format string) error {
	if byName := strings.TrimPrefix(strings.ToLower(filepath.Ext(out)), "."); format == "" && slices.Contains(reportFormats, byName) {
		format = byName
	}
	switch {
	case format == "":
		format = "json"
	case !slices.Contains(reportFormats, format):
		return usageErrorf("--format: there is no format %s; there are %s", quote(format), strings.Join(reportFormats, ", "))
	}
	switch {
	case toFile && out == "":
		return usageErrorf("--output: the name of FILE is empty")
	case format == "xlsx" && !toFile:
		return usageErrorf("a workbook is not for standard output: name a file with -o, as in -o results.xlsx")
	case toFile && isRecord(dir, out):
		return usageErrorf("--output: %s is the session's own record and is not written over; name another file", out)
	}
	r, err := session.ReadReport(ctx, dir)
	if err != nil {
		return err
	}
	if !toFile {
		out := p.shownOutput()
		if format == "json" {
			out = p.jsonOutput()
		}
		return r.Write(out, format)
	}
	return unwritable(out, r.WriteFile(out, format))
}

// isRecord reports whether a file is one that the session in dir keeps its record in.
func isRecord(dir, out string) bool {
	for _, name := range []string{folder.LedgerName, folder.LedgerName + "-wal", folder.LedgerName + "-shm", folder.LedgerName + ".lock", folder.LogName} {
		own, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		if there, err := os.Stat(out); err == nil && os.SameFile(own, there) {
			return true
		}
	}
	return false
}

// unwritable says of a file that cannot be written which it is.
func unwritable(out string, err error) error {
	if err == nil {
		return nil
	}
	err = fmt.Errorf("writing the report to %s: %w", out, err)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return usageErrorf("%s; look at its folder, or name another file with -o", err)
	}
	return err
}

// openReport writes report.html in a session folder and has it shown.
func (p *program) openReport(ctx context.Context, dir string) error {
	r, err := session.ReadReport(ctx, dir)
	if err != nil {
		return err
	}
	page, err := filepath.Abs(filepath.Join(dir, "report.html"))
	if err != nil {
		return err
	}
	if err := unwritable(page, r.WriteFile(page, "html")); err != nil {
		return err
	}
	fmt.Fprintln(p.shownOutput(), page)
	if !p.hasDisplay() {
		fmt.Fprintln(p.stderr, "There is no display to show it on: open that file in a browser.")
		return nil
	}
	if err := p.show(page); err != nil {
		fmt.Fprintf(p.stderr, "It cannot be shown from here (%v): open that file in a browser.\n", err)
	}
	return nil
}

// showFor is how long a program that shows a file is waited for: some end only with the window.
const showFor = 5 * time.Second

// show has the system show a file in the program for such files.
func show(path string) error {
	words := []string{"xdg-open", path}
	switch runtime.GOOS {
	case "darwin":
		words = []string{"open", path}
	case "windows":
		words = []string{"rundll32", "url.dll,FileProtocolHandler", path}
	}
	cmd := exec.Command(words[0], words[1:]...) //nolint:noctx // the program is ours to choose, and outlives this one
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // it ends with what is shown, or with this program
	select {
	case err := <-ended:
		return err
	case <-time.After(showFor):
		return nil
	}
}
