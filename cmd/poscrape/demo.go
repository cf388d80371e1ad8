package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/session"
)

const demoLong = `See the main job done: start the demo portal on a free port of this machine,
write its orders to a sheet, and run that.

A few of the orders fail on purpose, to show what that looks like. At the end
each order is compared with what the portal meant it to be, and each document
on disk with the one that was served.

Exit code 0 means that every order ended as meant, 3 that some did not.`

// demoPlace is where demos go, below the working directory.
const demoPlace = "poscrape-out"

func (p *program) newDemoCommand() *cobra.Command {
	s := newSettings()
	orders := portal.DemoOrders
	cmd := &cobra.Command{
		Use:               "demo [flags]",
		Short:             "See it work against a demo portal on this machine",
		Long:              demoLong,
		Example:           "  poscrape demo\n  poscrape demo -w 2 --orders 20 -o tryout",
		Args:              noArguments,
		ValidArgsFunction: completeNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			signals, stop := p.listen()
			defer stop()
			return nameVariable(cmd.Flags(), p.demo(cmd.Context(), s, orders, signals))
		},
	}
	inSection(cmd, sectionWork, func(f *pflag.FlagSet) {
		f.IntVar(&orders, "orders", orders, "`N` orders")
		s.addWorkers(f)
		s.addOut(f, "poscrape-out/demo-<date>-<time>")
		s.addSharing(f)
		s.addNoScale(f)
	})
	inSection(cmd, sectionBrowser, s.addChrome)
	inSection(cmd, sectionOutput, s.addOutput)
	s.completeFlags(cmd)
	return cmd
}

// demo runs the demo portal's orders and compares what came of them with what
// the portal meant.
func (p *program) demo(ctx context.Context, s *settings, orders int, signals <-chan os.Signal) (err error) {
	if err := s.output.validate(); err != nil {
		return err
	}
	if err := s.config.Validate(); err != nil {
		return err
	}
	demo, base, err := startPortal("127.0.0.1:0", orders)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, demo.Close()) }()
	if s.config.Out == "" {
		s.config.Out = filepath.Join(demoPlace, "demo-"+p.now().Format("20060102-150405"))
	}
	sheet := strings.TrimRight(filepath.Clean(s.config.Out), string(filepath.Separator)) + "-pos.csv"
	s.config.File, s.config.OwnPages, s.config.AllowLocal = sheet, true, true
	undo, err := p.writeDemoSheet(demo, base, sheet)
	if err != nil {
		return err
	}
	s.introduction = demoIntroduction(base, sheet, orders, s.config.Workers)
	s.judge = func() (string, error) { return compare(demo.Orders(), s.config.Out).verdict() }
	err = p.run(ctx, s, signals)
	if !s.opened {
		return errors.Join(err, undo())
	}
	return err
}

func demoIntroduction(base, sheet string, orders, workers int) []session.Notice {
	var notices []session.Notice
	for _, text := range []string{
		fmt.Sprintf("The demo portal with %s is at %s until the demo ends.", counted(orders, "order"), base),
		"A few of its orders fail on purpose, to show what that looks like.",
		fmt.Sprintf("This is what happens now: poscrape run --workers %d --allow-local %s", workers, shell.Word(sheet)),
	} {
		notices = append(notices, session.Notice{Level: session.NoticeInfo, Message: text})
	}
	return notices
}

// writeDemoSheet writes the portal's orders, and makes the folder that the sheet
// is in if need be. Undo removes what was made.
func (p *program) writeDemoSheet(demo *portal.Portal, base, sheet string) (undo func() error, err error) {
	dir := filepath.Dir(sheet)
	var made []string
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = append(made, at)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, usageErrorf("--out: the folder for the demo cannot be made: %s", err)
	}
	undo = func() error {
		err := os.Remove(sheet)
		for _, at := range made {
			err = errors.Join(err, os.Remove(at))
		}
		return err
	}
	if err := p.writeOrders(demo, base, sheet); err != nil {
		for _, at := range made {
			err = errors.Join(err, os.Remove(at))
		}
		return nil, err
	}
	return undo, nil
}
