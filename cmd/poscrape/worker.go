package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/session"
)

const workerLong = `Look at a running session and steer it, from another terminal of the same user.

The session is the one that runs below ./poscrape-out, unless --session names its
folder. What goes wrong has a code:
  WORKER-001  there is no such session, or several run
  WORKER-002  it is not running, or has ended
  WORKER-003  it ends, because no browser can be started
  WORKER-004  no answer within 5 s
  WORKER-005  a number is out of bounds
  WORKER-006  browsers cannot live in containers (said by run --isolation)
  WORKER-007  the session is another user's
The exit code is 1 for WORKER-003 and WORKER-004, and 2 for all others. With --json the
error is on standard output, too.`

// steering are the flags of a command that looks at a session or steers it.
type steering struct {
	program *program
	session string
	json    bool
}

// request is what such a command does.
type request struct {
	do func(context.Context, *steering, *control.Client, []string) error
	// ended is called in place of an error where the session in a folder ran when the command
	// began, and has ended by itself before it heard; nil: that is an error.
	ended func(ctx context.Context, s *steering, dir string) error
	// flags are those that the command has besides; nil for none.
	flags func(*pflag.FlagSet)
}

func (p *program) newWorkerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "worker COMMAND",
		Short: "Look at a running session and steer it, from another terminal",
		Long:  workerLong,
		Example: `  poscrape worker status --watch
  poscrape worker scale 2
  poscrape worker pause
  poscrape worker stop --session poscrape-out/20260302-091500-4f2a7c`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(p.newListCommand(), p.newStatusCommand(), p.newScaleCommand(),
		p.newAskCommand("pause", "Begin no more orders; those in progress are finished", (*control.Client).Pause),
		p.newAskCommand("resume", "Go on after a pause", (*control.Client).Resume),
		p.newStopCommand())
	return cmd
}

// steer completes a command that steers a session.
func (p *program) steer(cmd *cobra.Command, r request) *cobra.Command {
	s := &steering{program: p}
	if cmd.Args == nil {
		cmd.Args = noArguments
	}
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = completeNothing
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return s.tell(s.reach(cmd.Context(), r, args))
	}
	inSection(cmd, "Flags", func(f *pflag.FlagSet) {
		f.StringVar(&s.session, "session", "", "`DIR` the folder of the session (default: the one session that runs below "+session.DefaultPlace+")")
		f.BoolVar(&s.json, "json", false, "as JSON on standard output")
		if r.flags != nil {
			r.flags(f)
		}
	})
	_ = cmd.RegisterFlagCompletionFunc("session", completeDirectories) // the flag is there
	return cmd
}

// tell writes an error of the control interface to standard output, too, with --json.
func (s *steering) tell(err error) error {
	var refused *control.Error
	if s.json && errors.As(err, &refused) {
		return errors.Join(s.write(map[string]*control.Error{"error": refused}), err)
	}
	return err
}

// write writes a JSON value on a line of its own.
func (s *steering) write(value any) error {
	encoder := json.NewEncoder(s.program.jsonOutput())
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// print writes text for people, without what could steer a terminal.
func (s *steering) print(text string) error {
	_, err := fmt.Fprint(s.program.stdout, printable(text))
	return err
}

func (p *program) newListCommand() *cobra.Command {
	return p.steer(&cobra.Command{Use: "list [flags]", Short: "List the workers, with their orders"},
		request{do: func(ctx context.Context, s *steering, c *control.Client, _ []string) error {
			workers, err := c.Workers(ctx)
			switch {
			case err != nil:
				return err
			case s.json:
				return s.write(workers)
			}
			return s.print(workersText(workers, p.now()))
		}})
}

func (p *program) newStatusCommand() *cobra.Command {
	watch := false
	return p.steer(&cobra.Command{Use: "status [flags]", Short: "Show the session's progress, and what slows it down"},
		request{do: func(ctx context.Context, s *steering, c *control.Client, _ []string) error {
			if watch {
				return s.watch(ctx, c)
			}
			status, err := c.Status(ctx)
			switch {
			case err != nil:
				return err
			case s.json:
				return s.write(status)
			}
			return s.print(statusText(status, p.now()))
		}, flags: func(f *pflag.FlagSet) {
			f.BoolVar(&watch, "watch", false, "keep showing it until the session ends")
		}})
}

func (p *program) newScaleCommand() *cobra.Command {
	cmd := p.steer(&cobra.Command{
		Use:   "scale [flags] N",
		Short: "Have N workers at most",
		Long: fmt.Sprintf(`Have N workers, %d to %d, or fewer if the machine cannot carry them. Idle workers are
closed first; then the one that uses most memory finishes its order, and is closed.`, session.MinWorkers, session.MaxWorkers),
		Args:              oneNumber,
		ValidArgsFunction: cobra.FixedCompletions([]string{"1", "2", "3", "4", "5", "6", "7", "8"}, cobra.ShellCompDirectiveNoFileComp),
	}, request{do: func(ctx context.Context, s *steering, c *control.Client, args []string) error {
		n, err := workersAsked(args[0])
		if err != nil {
			return err
		}
		return s.accepted(c.Scale(ctx, n))
	}})
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) && strings.ContainsAny(unknown.GetSpecifiedName(), "0123456789") {
			_, err := workersAsked("-" + unknown.GetSpecifiedName())
			return err
		}
		return flagError(cmd, err)
	})
	return cmd
}

// oneNumber asks for exactly one N.
func oneNumber(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageErrorf("worker scale takes one number of workers, as in 'poscrape worker scale 2'")
	}
	return nil
}

// workersAsked returns the number of workers that is typed.
func workersAsked(typed string) (int, error) {
	n, err := strconv.Atoi(typed)
	if err != nil || n < session.MinWorkers || n > session.MaxWorkers {
		return 0, control.Errorf(control.OutOfBounds, "%s is no number of workers: between %d and %d are possible",
			quote(typed), session.MinWorkers, session.MaxWorkers)
	}
	return n, nil
}

// newAskCommand returns a command that asks for something and ends when that is accepted.
func (p *program) newAskCommand(name, short string, ask func(*control.Client, context.Context) (control.Answer, error)) *cobra.Command {
	return p.steer(&cobra.Command{Use: name + " [flags]", Short: short},
		request{do: func(ctx context.Context, s *steering, c *control.Client, _ []string) error {
			return s.accepted(ask(c, ctx))
		}})
}

// accepted tells that what was asked for is accepted.
func (s *steering) accepted(a control.Answer, err error) error {
	switch {
	case err != nil:
		return err
	case s.json:
		return s.write(a)
	}
	return s.print(fmt.Sprintf("%s: %s\n", nearby(a.Dir), a.Message))
}
