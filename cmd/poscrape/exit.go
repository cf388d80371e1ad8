package main

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/check"
	"github.com/poscrape/poscrape/internal/login"
	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// The exit codes, a promise to scripts.
const (
	exitWell        = 0
	exitInternal    = 1
	exitUsage       = 2
	exitNotWell     = 3
	exitEnvironment = 4
	exitLogin       = 5
	exitBreaker     = 6
	exitInterrupted = 130
)

// endedError is how a session that came to an end is told to the shell, where
// that is not the exit code 0.
type endedError struct {
	code int
	// message is for standard error; empty where all was said.
	message string
}

func (e *endedError) Error() string { return e.message }

// environmentError says what of the machine is in the way.
type environmentError struct{ err error }

func (e *environmentError) Error() string { return e.err.Error() }

func (e *environmentError) Unwrap() error { return e.err }

// exitCode answers an error. What is not known here is an error inside poscrape.
func exitCode(err error) int {
	var (
		ended       *endedError
		usage       *usageError
		environment *environmentError
		allowance   *worker.AllowanceError
		temp        *worker.TempError
		window      *login.WindowError
		noWindow    *check.WindowError
		noPicture   *check.NoPictureError
		wall        *check.WallError
		order       *check.OrderError
		machine     *session.EnvironmentError
		setting     *session.ConfigError
		sheet       *orders.FileError
		option      *orders.OptionError
		recipe      *scrape.RecipeError
		secret      *scrape.SecretError
		folder      *session.FolderError
		foreign     *session.ForeignError
		owned       *ledger.OwnedError
		file        *ledger.FileError
		steered     *control.Error
	)
	switch {
	case err == nil:
		return exitWell
	case errors.As(err, &ended):
		return ended.code
	case errors.As(err, &steered):
		if steered.Code == control.Timeout || steered.Code == control.StartFailed || steered.Code == "" {
			return exitInternal
		}
		return exitUsage
	case errors.Is(err, login.ErrClosed), errors.As(err, &wall):
		return exitLogin
	case errors.As(err, &machine), errors.As(err, &window), errors.As(err, &noWindow), errors.As(err, &noPicture): // whatever it was that it kept from working
		return exitEnvironment
	case errors.As(err, &usage), errors.As(err, &order), errors.As(err, &setting), errors.As(err, &sheet),
		errors.As(err, &option), errors.As(err, &recipe), errors.As(err, &secret),
		errors.As(err, &folder), errors.As(err, &foreign), errors.As(err, &owned), errors.As(err, &file),
		errors.Is(err, profiles.ErrBase), errors.Is(err, profiles.ErrTooLarge):
		return exitUsage
	case errors.As(err, &environment), errors.As(err, &allowance), errors.As(err, &temp), errors.Is(err, browser.ErrNoChrome), errors.Is(err, browser.ErrNoCertutil), errors.Is(err, browser.ErrLaunch),
		errors.Is(err, profiles.ErrNoSpace), errors.Is(err, profiles.ErrBaseInUse), errors.Is(err, syscall.ENOSPC):
		return exitEnvironment
	}
	return exitInternal
}

// endCode answers the end of a session that nobody interrupted by a signal.
func endCode(end session.End) int {
	switch end.Cause {
	case session.CauseUser:
		return exitInterrupted
	case session.CauseEnvironment:
		return exitEnvironment
	case session.CauseLogin:
		return exitLogin
	case session.CauseRecipe:
		return exitUsage
	case session.CauseBreaker:
		return exitBreaker
	case session.CauseInternal:
		return exitInternal
	}
	switch {
	case end.Status == tasks.SessionInterrupted:
		return exitInterrupted
	case end.Status != tasks.SessionCompleted:
		return exitInternal
	case end.Well():
		return exitWell
	}
	return exitNotWell
}

// explain writes what went wrong to standard error, and for wrong usage where
// the right one is to be read.
func (p *program) explain(cmd *cobra.Command, err error) {
	if err == nil || err.Error() == "" {
		return
	}
	text := err.Error()
	if foreign := (*session.ForeignError)(nil); errors.As(err, &foreign) {
		text += "\ntype those that shall count: " + retyped(cmd, foreign.Settings) +
			"\nor let all of them, if you know where the folder comes from: poscrape config allow " + shell.Word(foreign.Dir)
	}
	fmt.Fprintf(p.stderr, "poscrape: %s\n", strings.ReplaceAll(printable(text), "\n", "\n  "))
	var usage *usageError
	var setting *session.ConfigError
	if errors.As(err, &usage) || errors.As(err, &setting) {
		if cmd.Name() == "help" {
			cmd = cmd.Root()
		}
		fmt.Fprintf(p.stderr, "See '%s --help'.\n", cmd.CommandPath())
	}
}
