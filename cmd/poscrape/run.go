package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session"
)

const runLong = `Read each purchase order of a sheet on its portal, through a real Chrome, and
bring home its fields and documents.

FILE is a .csv, .tsv or .xlsx file with one header row, among the first 20 rows,
or - for standard input. Columns are found by their names (po, PO Number, order,
Bestellung, url, ...); the delimiter and the encoding are detected. --dry-run shows
how each row would be handled, and does nothing. The address of each order's page is
in a column "url", or --url or a recipe says what it is.

The first Ctrl-C stops cleanly: orders in progress are finished, and no others are
begun. A second one stops those as well, a third one ends poscrape at once.

--update DIR finds what has arrived since the session in DIR: its orders are read
again, or FILE's, in a new folder. A document is copied from DIR if the server
proves, by a strong ETag, that it is still the same; any other is fetched. Documents
that the order did not have there are new (new_documents in results.csv). The
session's recipe and --url apply unless you name a recipe; without FILE all its flags
do, unless you give others.

Each flag can be set in the environment, as POSCRAPE_WORKERS for --workers, and in a
file poscrape.yaml, as "workers: 4". The command line wins, then the environment,
the file, and the recipe; --print-config says what comes from where.`

func (p *program) newRunCommand() *cobra.Command {
	s := newSettings()
	cmd := &cobra.Command{
		Use:   "run [flags] FILE | run [flags] --update DIR",
		Short: "Read each order of a sheet and bring home its documents",
		Long:  runLong,
		Example: `  poscrape run --workers 4 pos.csv
  poscrape run --url 'https://portal.example/orders/{po}' -o march pos.csv
  poscrape run --recipe acme.yaml --column po="Order no." pos.csv
  poscrape run --dry-run --sheet "Open orders" orders.xlsx
  poscrape run --only supplier='ACME*' --limit 5 orders.xlsx
  poscrape run --update poscrape-out/20260302-091500-4f2a7c
  poscrape run --json pos.csv | jq 'select(.message_type == "summary")'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil // --update may still come from elsewhere
			}
			return oneFile(cmd, args)
		},
		ValidArgsFunction: completeOneFile("csv", "tsv", "txt", "xlsx", "xlsm"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if s.config.Update == "" {
					return oneFile(cmd, args)
				}
				if err := p.readAgain(s, cmd.Flags()); err != nil {
					return err
				}
			} else {
				s.config.File = args[0]
			}
			s.config.Input = p.stdin
			run := func() error {
				signals, stop := p.listen()
				defer stop()
				return p.run(cmd.Context(), s, signals)
			}
			if s.dryRun {
				run = func() error {
					return p.dryRun(s, func() (*orders.Sheet, error) { return p.plan(cmd.Context(), s.config) })
				}
			}
			return nameVariable(cmd.Flags(), p.nameFirstRun(s.config, run()))
		},
	}
	inSection(cmd, sectionOrders, func(f *pflag.FlagSet) { s.addOrders(f); s.addSelection(f); s.addCompare(f); s.addMode(f) })
	inSection(cmd, sectionWork, func(f *pflag.FlagSet) {
		s.addWorkers(f)
		s.addOut(f, "poscrape-out/<date>-<time>-<id>")
		s.addPatience(f)
		s.addSharing(f)
		s.addIsolation(f)
		s.addRepair(f)
	})
	inSection(cmd, sectionLoad, func(f *pflag.FlagSet) {
		s.addThresholds(f)
		s.addNoScale(f)
		s.addWaits(f)
		s.addMinFree(f)
		s.addLimits(f)
	})
	inSection(cmd, sectionBrowser, func(f *pflag.FlagSet) { s.addChrome(f); s.addKeepProfiles(f); s.addProfile(f) })
	inSection(cmd, sectionOutput, func(f *pflag.FlagSet) { s.addEvidence(f); s.addOutput(f); s.addAround(f) })
	s.completeFlags(cmd)
	return cmd
}

// oneFile asks for exactly one FILE.
func oneFile(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usageErrorf("no FILE is named: name the sheet of orders, as in 'poscrape run pos.csv', or - for standard input")
	case len(args) > 1:
		return usageErrorf("one FILE can be run at a time, but %d are named: %s", len(args), quoteAll(args))
	case args[0] == "":
		return usageErrorf("the name of FILE is empty: name the sheet of orders, or - for standard input")
	}
	return nil
}

// run runs a session to its end, tells of it, and returns the error that its
// exit code follows from.
func (p *program) run(ctx context.Context, s *settings, signals <-chan os.Signal) error {
	if err := s.output.validate(); err != nil {
		return err
	}
	v := p.newView(s.output)
	d := newDisplay(v)
	stop := &interrupts{say: d.Notice, grace: s.config.Grace}
	end, err := p.conduct(ctx, s, d, stop, signals)
	if errors.Is(err, errGivenUp) {
		d.Leave(time.Second)
		return &endedError{exitInterrupted, stop.farewell}
	}
	d.Close()
	if err != nil {
		return err
	}
	ended := toldBy(end, s.output)
	for _, n := range p.atEnd(ctx, s.output.onEnd, end.End, ended.code, signals) {
		v.Notice(n)
	}
	said, err := "", error(nil)
	if ended.code != exitWell {
		err = ended
	}
	if s.judge != nil && (ended.code == exitWell || ended.code == exitNotWell) {
		said, err = s.judge()
	}
	if said != "" && s.output.json {
		v.Notice(session.Notice{Level: session.NoticeInfo, Message: said})
	}
	v.Summary(end.End, exitCode(err))
	if said != "" && !s.output.json && !s.output.quiet {
		fmt.Fprintf(p.stdout, "\n%s\n", printable(said))
	}
	return err
}

// ending is the end of a session, and whether signals asked for it.
type ending struct {
	session.End
	interrupted bool
}

// conduct opens a session and runs it, and does what signals ask for meanwhile.
func (p *program) conduct(
	ctx context.Context, s *settings, d *display, stop *interrupts, signals <-chan os.Signal,
) (ending, error) {
	cfg := s.config
	cfg.OnProgress = d.Progress
	say := func(session.Notice) {}
	if !s.output.quiet {
		say, cfg.OnNotice = d.Notice, d.Notice
		for _, n := range s.introduction {
			d.Notice(n)
		}
	}
	show, hide, err := serveMetrics(s.output.metricsAddr, say)
	if err != nil {
		return ending{}, err
	}
	defer hide()
	cfg.LogFile = s.output.logFile
	if s.output.verbose {
		cfg.Logger = slog.New(newDetailHandler(d))
	}
	ui, err := listenForPage(s.output.ui)
	if err != nil {
		return ending{}, err
	}
	defer ui.close()
	if ui.say = d.Notice; s.output.ui != "" {
		cfg.AskPerson = ui.signIn
	}
	opening, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	begin := p.open
	if s.open != nil {
		begin = s.open
	}
	open := func() (runner, error) { return begin(opening, cfg) }
	r, err := attend(open, signals, func(sig os.Signal) bool { return stop.whileOpening(sig, cancel) })
	switch {
	case errors.Is(err, errGivenUp):
		return ending{}, err
	case err != nil && stop.count > 0:
		return ending{}, &endedError{code: exitInterrupted}
	case err != nil:
		return ending{}, err
	}
	s.opened = true
	stop.grace = s.config.Grace
	if stop.count > 0 {
		// The signal came too late for Open: the session that it made ends with
		// a report in which no order was begun.
		r.Interrupt(errInterrupted.Error())
	}
	unreach := serveControl(r, say)
	defer unreach()
	closePage := ui.serve(r, d.Notice) // without the address that it says, nobody can open the page
	defer closePage()
	show(r.Control())
	work := func() (session.End, error) { return r.Run(ctx) }
	end, err := attend(work, signals, func(sig os.Signal) bool { return stop.whileRunning(sig, r) })
	return ending{end, stop.count > 0}, err
}

// toldBy returns the exit code of an end, with what standard error has to say.
func toldBy(end ending, o output) *endedError {
	told := &endedError{code: endCode(end.End)}
	switch {
	case end.interrupted:
		told.code = exitInterrupted
	case end.Cause != "" && end.Cause != session.CauseUser && end.Reason != "":
		told.message = "stopped: " + end.Reason
	case told.code == exitNotWell && o.quiet && !o.json:
		told.message = notWellText(end.End)
	}
	return told
}
