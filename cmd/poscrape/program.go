package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/internal/login"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session"
)

// program is what the commands share: the streams, and the outside world as
// far as tests put another one in its place.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// listen begins to receive the signals that stop poscrape, until stop is called.
	listen func() (signals <-chan os.Signal, stop func())
	open   func(context.Context, session.Config) (runner, error)
	resume func(ctx context.Context, dir string, cfg session.ResumeConfig) (runner, error)
	// plan returns the sheet as open would take it.
	plan func(context.Context, session.Config) (*orders.Sheet, error)
	// planResume returns the sheet as resume would go on with it.
	planResume func(ctx context.Context, dir string, cfg session.ResumeConfig) (*orders.Sheet, error)
	// recall returns how the session in a folder was started.
	recall func(dir string) (session.Config, error)
	now    func() time.Time
	clinic clinic
	// hasDisplay reports whether this machine has a display.
	hasDisplay func() bool
	// show has a file shown to the user.
	show func(path string) error
}

// runner is a session, as far as the commands know it.
type runner interface {
	Run(ctx context.Context) (session.End, error)
	Interrupt(reason string)
	Abort(reason string)
	Dir() string
	Close() error
	// Control lets the session be watched and steered from elsewhere; nil: it cannot be.
	Control() control.Session
}

// run does what args ask for and returns the exit code. It blocks until that is
// done, or given up after the third signal.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{
		stdin: stdin, stdout: stdout, stderr: stderr, listen: listen, now: time.Now, clinic: newClinic(), hasDisplay: login.HasDisplay, show: show,
		open: func(ctx context.Context, cfg session.Config) (runner, error) {
			s, err := session.Open(ctx, cfg)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
		plan: session.Plan, planResume: session.PlanResume,
		recall: func(dir string) (session.Config, error) { return session.Recall(ctx, dir) },
		resume: func(ctx context.Context, dir string, cfg session.ResumeConfig) (runner, error) {
			s, err := session.Resume(ctx, dir, cfg)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
	return p.execute(ctx, args)
}

// execute parses args, runs the command that they name, and says what went wrong.
func (p *program) execute(ctx context.Context, args []string) int {
	out := &watchedOutput{to: p.stdout}
	p.stdout = out
	root := p.newRootCommand()
	root.SetArgs(args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if out.caused(err) {
		err = nil // it is told below
	}
	p.explain(cmd, err)
	code := exitCode(err)
	if lost := out.lost(); lost != nil && (code == exitWell || code == exitNotWell) {
		p.explain(cmd, fmt.Errorf("standard output cannot be written, so something of it is missing: %w; what a session has found is in its folder", lost))
		return exitInternal
	}
	return code
}

const rootLong = `poscrape takes a sheet of purchase orders, reads each order's page on your
supplier portal through a real Chrome, and brings home its fields and documents.
You end up with a folder for each order and a report that accounts for every row
of the sheet.

Exit codes:
  0    every order ended well: complete, no_attachments or skipped
  1    an error inside poscrape
  2    wrong usage, or input that cannot be read or has no usable row
  3    finished, but some orders did not end well, or documents are missing
       from the folder; the report says which
  4    the environment: no Chrome, it cannot start, no disk space
  5    signing in is needed and could not be done
  6    stopped early: the portal blocks or is down, or --stop-early; can be resumed
  130  interrupted; can be resumed`

func (p *program) newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "poscrape COMMAND",
		Short: "Collects the documents of purchase orders from supplier portals",
		Long:  rootLong,
		Example: `  poscrape demo                                 see it work against a demo portal
  poscrape run --workers 4 pos.csv              a sheet with a column "url"
  poscrape run --url 'https://portal.example/orders/{po}' pos.csv
  poscrape resume poscrape-out/20260302-091500-4f2a7c`,
		Version:       currentBuild().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := applyEnvironment(cmd.Flags(), configurable(cmd.Root()), os.LookupEnv); err != nil {
				return err
			}
			if err := p.applyConfig(cmd, args); err != nil {
				return err
			}
			return checkSecrets(cmd)
		},
	}
	root.PersistentFlags().BoolP("help", "h", false, "show this help")
	root.Flags().Bool("version", false, "say which poscrape this is")
	root.SetVersionTemplate(currentBuild().String() + "\n")
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(writeUsage)
	run, resume, retry, check, recipe, login := p.newRunCommand(), p.newResumeCommand(), p.newRetryCommand(), p.newCheckCommand(), p.newRecipeCommand(), p.newLoginCommand()
	open := p.newOpenCommand()
	withSettings := append([]*cobra.Command{run, resume, retry, check, login, open}, recipe.Commands()...)
	p.takeConfig(withSettings...)
	addHelpAll(withSettings...)
	root.AddCommand(run, resume, retry, p.newReportCommand(), open, p.newDemoCommand(), p.newWorkerCommand(), check, p.newPortalCommand(), recipe, login,
		p.newDoctorCommand(), p.newConfigCommand(), p.newVersionCommand())
	root.SetHelpCommand(newHelpCommand())
	root.InitDefaultCompletionCmd()
	shapeCompletion(root)
	return root
}
