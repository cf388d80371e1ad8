package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

const resumeLong = `Go on with a session that was stopped or killed, in its folder DIR.

Orders that were in progress are begun again, and their broken attempts do not
count; those that have ended stay as they are. The session remembers its sheet,
its recipe and its flags, so you need to name nothing else; a flag that you give
here changes what it remembers.`

const retryLong = `Put back the orders of a session that did not end well, with fresh attempts, and
run them; what an order's earlier attempts brought home is kept. Orders that were
still open are run as well.

Put back are: %s.
Orders that are not there, that the portal refuses to show, or that were left out are
put back only if you name them: --only not_found,access_denied,skipped. So are
those that ended well and could not be confirmed: --only unconfirmed.`

// unconfirmedName stands for the orders that ended well and are not confirmed, among the outcomes of --only.
const unconfirmedName = "unconfirmed"

// putBack says which orders are put back.
type putBack struct {
	outcomes    []tasks.Outcome
	unconfirmed bool
}

func (p *program) newResumeCommand() *cobra.Command {
	return p.newContinueCommand(&cobra.Command{
		Use:     "resume [flags] DIR",
		Short:   "Go on with a session that was stopped or killed",
		Long:    resumeLong,
		Example: "  poscrape resume poscrape-out/20260302-091500-4f2a7c",
	}, func(*pflag.FlagSet) func() (putBack, error) {
		return func() (putBack, error) { return putBack{}, nil }
	})
}

func (p *program) newRetryCommand() *cobra.Command {
	cmd := p.newContinueCommand(&cobra.Command{
		Use:   "retry [flags] DIR",
		Short: "Run the orders of a session again that did not end well",
		Long:  strings.Replace(retryLong, "%s", outcomeList(retriedByDefault()), 1),
		Example: `  poscrape retry poscrape-out/20260302-091500-4f2a7c
  poscrape retry --only timeout,partial poscrape-out/20260302-091500-4f2a7c
  poscrape retry --only unconfirmed --recipe mended.yaml poscrape-out/20260302-091500-4f2a7c
  poscrape retry --dry-run poscrape-out/20260302-091500-4f2a7c`,
	}, func(f *pflag.FlagSet) func() (putBack, error) {
		var only []string
		f.StringSliceVar(&only, "only", nil, "`OUTCOME,...` put back orders with these outcomes, or that are unconfirmed (default: all listed above)")
		return func() (putBack, error) { return retriedOutcomes(only) }
	})
	if err := cmd.RegisterFlagCompletionFunc("only", cobra.FixedCompletions(possibleNames(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // only for a flag that is not there
	}
	return cmd
}

// newContinueCommand completes a command that goes on with a session. Its own
// flags are added by addFlags, which returns how to read the outcomes whose orders
// are put back.
func (p *program) newContinueCommand(cmd *cobra.Command, addFlags func(*pflag.FlagSet) func() (putBack, error)) *cobra.Command {
	s := newSettings()
	var readPutBack func() (putBack, error)
	var recipe string
	var recipes []string
	cmd.Args = oneFolder
	cmd.ValidArgsFunction = completeDirectories
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		retry, err := readPutBack()
		if err != nil {
			return err
		}
		if !p.takesRecipe(cmd.Flags().Lookup("recipe"), args[0]) {
			recipe, recipes = "", nil
		}
		next := session.ResumeConfig{
			Retry: retry.outcomes, Unconfirmed: retry.unconfirmed, Recipe: recipe, MoreRecipes: recipes, Version: s.config.Version,
			Adjust: func(c *session.Config) {
				adjust(c, cmd.Flags())
				s.config.Grace = c.Grace
			},
			Given: func(c *session.Config) []string { return given(c, cmd.Flags()) },
		}
		if s.dryRun {
			return p.dryRun(s, func() (*orders.Sheet, error) {
				sheet, err := p.planResume(cmd.Context(), args[0], next)
				return sheet, nameSteering(err, args[0])
			})
		}
		s.open = func(ctx context.Context, cfg session.Config) (runner, error) {
			next.OnProgress, next.OnNotice, next.AskPerson, next.Logger = cfg.OnProgress, cfg.OnNotice, cfg.AskPerson, cfg.Logger
			r, err := p.resume(ctx, args[0], next)
			return r, nameSteering(err, args[0])
		}
		signals, stop := p.listen()
		defer stop()
		return p.run(cmd.Context(), s, signals)
	}
	inSection(cmd, sectionOrders, func(f *pflag.FlagSet) {
		readPutBack = addFlags(f)
		f.Var(&recipeFiles{&recipe, &recipes}, "recipe", "a corrected recipe to continue with (default: the recipe as it was); may be repeated, or name a folder, if the session has several")
		s.addURL(f)
		s.addDryRun(f)
	})
	cmd.Flags().Lookup("recipe").Annotations[asInRun] = []string{"yes"}
	addContinued(cmd, s)
	inSection(cmd, sectionOutput, func(f *pflag.FlagSet) { s.addOutput(f); s.addAround(f) })
	s.completeFlags(cmd)
	return cmd
}

// nameSteering adds to an error about a session that runs how it is steered.
func nameSteering(err error, dir string) error {
	if !errors.As(err, new(*ledger.OwnedError)) {
		return err
	}
	return fmt.Errorf("%w; 'poscrape worker status --session %s' shows it, and 'poscrape worker resume --session %[2]s' ends a pause", err, shell.Word(dir))
}

// addContinued adds the flags that may change when a session is gone on with: all
// of run's but those that say which orders there are.
func addContinued(cmd *cobra.Command, s *settings) {
	inSection(cmd, sectionOrders, s.addAllowLocal)
	inSection(cmd, sectionWork, func(f *pflag.FlagSet) {
		s.addCompare(f)
		s.addMode(f)
		s.addWorkers(f)
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
	inSection(cmd, sectionOutput, s.addEvidence)
}

// adjust changes in a session's own settings what was typed, and nothing else but the
// proxy, which the session may not have stored as a whole.
func adjust(c *session.Config, typed *pflag.FlagSet) {
	take(c, typed, func(f *pflag.Flag) bool {
		return f.Changed || f.Name == "proxy" && f.Annotations[fromEnvironment] != nil
	})
}

// isNamed reports whether a flag was typed, or set by a variable or in a file of settings that was named or
// allowed.
func isNamed(f *pflag.Flag) bool {
	return f != nil && (f.Changed || f.Annotations[fromEnvironment] != nil || f.Annotations[fromFile] != nil && f.Annotations[notAllowed] == nil)
}

// takesRecipe reports whether the session in a folder takes the recipe of a flag: one that was typed, and,
// where the session was made elsewhere, one that was named in any way.
func (p *program) takesRecipe(f *pflag.Flag, dir string) bool {
	if f.Changed || !isNamed(f) {
		return f.Changed
	}
	was, err := p.recall(dir)
	return err == nil && was.Foreign // an error is said where the session is read again
}

// given is adjust for a session that was made elsewhere: what such a session must not set itself may be
// named in any way. It returns the names of what was.
func given(c *session.Config, flags *pflag.FlagSet) (names []string) {
	take(c, flags, func(f *pflag.Flag) bool {
		named := isNamed(f) && slices.Contains(session.Reaching(), f.Name)
		if named {
			names = append(names, f.Name)
		}
		return named
	})
	if os.Getenv(variable("chrome")) != "" { // package browser reads it
		names = append(names, "chrome")
	}
	return names
}

// take takes over the flags that are to be.
func take(c *session.Config, from *pflag.FlagSet, isTaken func(*pflag.Flag) bool) {
	s := &settings{config: *c}
	cmd := &cobra.Command{}
	addContinued(cmd, s)
	inSection(cmd, sectionOrders, s.addURL)
	from.VisitAll(func(f *pflag.Flag) {
		again := isTaken(f)
		own := cmd.Flags().Lookup(f.Name)
		if !again || own == nil {
			return
		}
		// All has been parsed once already.
		if list, isList := f.Value.(pflag.SliceValue); isList {
			_ = own.Value.(pflag.SliceValue).Replace(list.GetSlice())
		} else {
			_ = own.Value.Set(f.Value.String())
		}
	})
	*c = s.config
}

// retriedByDefault are the outcomes that another attempt may change.
func retriedByDefault() []tasks.Outcome {
	var outcomes []tasks.Outcome
	for _, o := range tasks.Outcomes() {
		if canBeRetried(o) && o != tasks.OutcomeNotFound && o != tasks.OutcomeAccessDenied && o != tasks.OutcomeSkipped {
			outcomes = append(outcomes, o)
		}
	}
	return outcomes
}

func canBeRetried(o tasks.Outcome) bool {
	return o == tasks.OutcomeSkipped || o.State().Final() && !o.Well() && o != tasks.OutcomeInvalidInput
}

// possibleNames are what --only takes.
func possibleNames() (names []string) {
	for _, o := range tasks.Outcomes() {
		if canBeRetried(o) {
			names = append(names, string(o))
		}
	}
	return append(names, unconfirmedName)
}

// retriedOutcomes reads the values of --only.
func retriedOutcomes(only []string) (back putBack, err error) {
	if len(only) == 0 {
		return putBack{outcomes: retriedByDefault()}, nil
	}
	names := possibleNames()
	possible := strings.Join(names, ", ")
	for _, name := range only {
		o := tasks.Outcome(strings.TrimSpace(name))
		switch {
		case o == unconfirmedName:
			back.unconfirmed = true
		case slices.Contains(names, string(o)):
			back.outcomes = append(back.outcomes, o)
		case slices.Contains(tasks.Outcomes(), o):
			return putBack{}, usageErrorf("--only: orders that are %s cannot be put back; these can: %s", o, possible)
		default:
			return putBack{}, usageErrorf("--only: there is no outcome %s; these can be put back: %s", quote(name), possible)
		}
	}
	return back, nil
}

func outcomeList(outcomes []tasks.Outcome) string {
	names := make([]string, len(outcomes))
	for i, o := range outcomes {
		names[i] = string(o)
	}
	return strings.Join(names, ", ")
}

// oneFolder asks for exactly one DIR.
func oneFolder(cmd *cobra.Command, args []string) error {
	name := pathBelowRoot(cmd)
	switch {
	case len(args) == 0:
		return usageErrorf("no DIR is named: name the folder of a session, as in 'poscrape %s poscrape-out/20260302-091500-4f2a7c'", name)
	case len(args) > 1:
		return usageErrorf("one session can be gone on with at a time, but %d are named: %s", len(args), quoteAll(args))
	case args[0] == "":
		return usageErrorf("the name of DIR is empty: name the folder of a session")
	}
	return nil
}
