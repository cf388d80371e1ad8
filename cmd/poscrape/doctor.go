package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/doctor"
	"github.com/poscrape/poscrape/session"
)

const doctorLong = `Look at what poscrape needs on this machine: Chrome, which is started once, its
sandbox, memory, processors, limits and disks; and at what killed runs left behind:
profile directories, browsers, half-fetched documents.

Each line says ok, warning or problem, and what to do about it. With --clean,
what killed runs left behind is ended and removed. What belongs to a run that is
still going, or cannot be proven to be poscrape's, is never touched; nor are
sessions that can be resumed.

Exit code 0 means that poscrape can run here, 4 that something keeps it from that.`

// doctorOptions are the flags of the command doctor.
type doctorOptions struct {
	clean, json bool
	config      doctor.Config
}

// clinic is the world that doctor looks at, as far as tests put another one in
// its place.
type clinic struct {
	examine func(context.Context, doctor.Config) ([]doctor.Finding, error)
	find    func(temp string) ([]doctor.Remains, error)
	clear   func(ctx context.Context, temp string) (cleared, kept []doctor.Remains, err error)
	// findContainers and clearContainers are the same for containers.
	findContainers, clearContainers func(ctx context.Context) ([]doctor.Remains, error)
	// sessions returns the sessions below a directory that nobody works on and
	// that are not done.
	sessions func(ctx context.Context, out string) ([]leftSession, error)
}

func newClinic() clinic {
	return clinic{examine: doctor.Examine, find: doctor.FindRemains, clear: doctor.ClearRemains,
		findContainers: doctor.FindContainers, clearContainers: doctor.ClearContainers, sessions: unfinishedSessions}
}

func (p *program) newDoctorCommand() *cobra.Command {
	o := doctorOptions{config: doctor.Config{Workers: session.DefaultConfig().Workers, MostWorkers: session.MaxWorkers, Out: session.DefaultPlace}}
	cmd := &cobra.Command{
		Use:   "doctor [flags]",
		Short: "Say whether poscrape can run here, and what killed runs left behind",
		Long:  doctorLong,
		Example: `  poscrape doctor
  poscrape doctor --clean                       remove what killed runs left behind
  poscrape doctor --json | jq .can_run`,
		Args:              noArguments,
		ValidArgsFunction: completeNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			signals, stop := p.listen()
			defer stop()
			return p.doctor(cmd.Context(), o, signals)
		},
	}
	inSection(cmd, "Flags", func(f *pflag.FlagSet) {
		f.BoolVar(&o.clean, "clean", false, "end and remove what killed runs left behind")
		f.BoolVar(&o.json, "json", false, "one JSON object on standard output")
		f.StringVar(&o.config.Chrome, "chrome", "", "`PATH` the Chrome to look at (default: POSCRAPE_CHROME, else the first that is found)")
		f.StringVar(&o.config.Temp, "temp-dir", "", "`DIR` where profiles are to live (default: the system's directory for temporary files)")
	})
	return cmd
}

// doctor tells what it finds. Its error is what keeps poscrape from running here,
// or what went wrong inside of it. The first signal stops it in order, the second
// at once.
func (p *program) doctor(ctx context.Context, o doctorOptions, signals <-chan os.Signal) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked := 0
	d, err := attend(func() (diagnosis, error) { return p.clinic.diagnose(ctx, o) }, signals, func(os.Signal) bool {
		asked++
		cancel(errInterrupted)
		return asked > 1
	})
	switch {
	case asked > 0 && (err == nil || errors.Is(err, errInterrupted) || errors.Is(err, errGivenUp)):
		return &endedError{code: exitInterrupted, message: "interrupted before everything was looked at"}
	case err != nil:
		return err
	}
	if o.json {
		err = d.writeJSON(p.jsonOutput())
	} else {
		err = d.writeText(p.stdout, o.clean)
	}
	if err == nil && !d.canRun() {
		err = &endedError{code: exitEnvironment, message: "something keeps poscrape from running here: see what is marked as a problem"}
	}
	return err
}

// diagnose clears what is left, if that is asked for, and looks at everything.
func (c clinic) diagnose(ctx context.Context, o doctorOptions) (diagnosis, error) {
	d := diagnosis{Version: currentBuild().Version, Leftovers: []leftover{}, Removed: []leftover{}}
	c.remains(ctx, o, &d)
	c.leftSessions(ctx, o.clean, &d)
	if len(d.Findings) == 0 {
		d.add(doctor.LevelOK, "none", "")
	}
	findings, err := c.examine(ctx, o.config)
	if err != nil {
		return d, err
	}
	d.Findings = append(findings, d.Findings...)
	return d, nil
}
