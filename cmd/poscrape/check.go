package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/check"
)

const checkLong = `Read a sheet and a recipe as 'poscrape run' does, and say how they were understood
and every problem of both, with its line and column: rows that cannot be used, keys
and values that cannot work, selectors that are not CSS. Nothing is run.

With --probe, orders are opened in a Chrome, signed in as a run would be, and read
by the same code as in a run, always rendered. For each selector of the recipe it
shows how many elements it met and what it read; and for each order a picture of the
whole page with these elements in frames, under the selectors' numbers and names.
No document is downloaded: the outcome shown is the one that the order would have
if all its documents could be downloaded. --probe 3 opens three orders spread over
the sheet, unless an order has that number; --probe PO1001,PO1002 opens these orders.
A comma makes one number a list, too: --probe 1001,

For a selector that met nothing, up to three possible replacements from the page are
named, with what they read on all opened orders and how often that is what the sheet
says. The recipe is not changed.

Exit code 0 means that all is well; 2 that the sheet or a recipe cannot be used at all;
3 that a row cannot be used, a value could not be read, an order would not end well, or a
selector met nothing that should have; 4 that Chrome or no order can be reached from here;
5 that signing in is needed.`

// errStopped: the user stopped a check.
var errStopped = errors.New("it was interrupted")

func (p *program) newCheckCommand() *cobra.Command {
	s := newSettings()
	s.config.Workers = 1
	cfg := check.Config{}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "check [flags] FILE",
		Short: "Say what is wrong with a sheet and a recipe, and what each selector meets",
		Long:  checkLong,
		Example: `  poscrape check --recipe acme.yaml pos.csv
  poscrape check --recipe acme.yaml --probe 3 pos.csv
  poscrape check --recipe acme.yaml --probe PO1001,PO1007 pos.csv
  poscrape check --json pos.csv | jq '.problems[].message'`,
		Args:              oneFile,
		ValidArgsFunction: completeOneFile("csv", "tsv", "txt", "xlsx"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.config.File, s.config.Input = args[0], p.stdin
			signals, stop := p.listen()
			defer stop()
			cfg.Config = s.config
			cfg.Tell = func(format string, args ...any) {
				if !asJSON && !s.output.quiet {
					p.tell(format, args...)
				}
			}
			return nameVariable(cmd.Flags(), p.check(cmd.Context(), cfg, asJSON, signals))
		},
	}
	inSection(cmd, sectionOrders, func(f *pflag.FlagSet) { s.addOrders(f); s.addCompare(f) })
	inSection(cmd, "Probe", func(f *pflag.FlagSet) {
		f.StringVar(&cfg.Probe, "probe", "", "`N|PO,...` open so many orders, or these, and show what each selector meets")
		f.StringVarP(&s.config.Out, "out", "o", "", "`DIR` where pictures and check.json go, which must be new or empty (default: poscrape-out/check-<date>-<time>)")
		f.DurationVar(&s.config.TaskTimeout, "task-timeout", 2*time.Minute, "`DURATION` how long one attempt may take")
	})
	inSection(cmd, sectionBrowser, func(f *pflag.FlagSet) { s.addChrome(f); s.addProfile(f) })
	inSection(cmd, sectionOutput, func(f *pflag.FlagSet) {
		f.BoolVar(&asJSON, "json", false, "one JSON object on standard output, as in check.json")
		f.BoolVarP(&s.output.quiet, "quiet", "q", false, "do not say what is under way")
	})
	s.completeFlags(cmd)
	return cmd
}

// check checks, and shows what it has found, also where it was stopped. The first signal stops it
// in order, the second at once.
func (p *program) check(ctx context.Context, cfg check.Config, asJSON bool, signals <-chan os.Signal) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked := 0
	cfg.CodeOf = func(err error) int {
		if errors.Is(err, errStopped) || errors.Is(err, errGivenUp) || errors.Is(err, context.Canceled) {
			return exitInterrupted
		}
		return exitCode(err)
	}
	report, err := attend(func() (*check.Report, error) { return check.Run(ctx, cfg) }, signals, func(os.Signal) bool {
		asked++
		cancel(errStopped)
		return asked > 1
	})
	failed := err
	if asked > 0 && cfg.CodeOf(err) == exitInterrupted {
		failed = &endedError{code: exitInterrupted, message: "interrupted"}
	}
	if report == nil {
		return failed
	}
	var out bytes.Buffer
	if asJSON {
		text, err := json.MarshalIndent(report, "", "  ")
		if err != nil {
			return fmt.Errorf("writing what was found: %w", err)
		}
		out.Write(append(text, '\n'))
	} else {
		report.Text(&out)
	}
	to := p.jsonOutput()
	if !asJSON {
		to = printableWriter{p.stdout}
	}
	if _, err := to.Write(out.Bytes()); err != nil {
		return fmt.Errorf("writing what was found: %w", err)
	}
	if failed != nil {
		return failed
	}
	if report.ExitCode != exitWell {
		return &endedError{code: report.ExitCode}
	}
	return nil
}
