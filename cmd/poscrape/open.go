package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/check"
	"github.com/poscrape/poscrape/session"
)

const openLong = `Show one order of a session as poscrape sees it. First it says what the session
knows of the order PO: how it ended, the reason of its last attempt, what the sheet
says, its documents and evidence. Then a Chrome with a window opens its page, signed
in and in the same way as the run (address or search, steps, expand), with a frame
and a name around what each selector of the recipe meets. The terminal says what each
met and read. Close the window, or press Ctrl-C, to end.

The recipe, the sign-in and the proxy are the session's own, unless a flag names
others. No document is downloaded, nothing is clicked that a run would not click,
and nothing in DIR changes. While the session runs, its stored sign-in is used, and
nobody signs in anew.

PO may be written as people write it: PO1001, po-1001, 1001. If several orders have
the same number, give the address of the order instead.

Without a display, --picture saves the page with its frames as a picture.

Exit code 0 means that the order was shown, however it ended; 2 that there is no such
order or session; 4 that no window can be opened here, or no picture could be taken; 5
that signing in is needed.`

func (p *program) newOpenCommand() *cobra.Command {
	s := newSettings()
	var picture string
	cfg := check.ShowConfig{}
	cmd := &cobra.Command{
		Use:   "open [flags] DIR PO",
		Short: "Show one order of a session as poscrape sees it",
		Long:  openLong,
		Example: `  poscrape open poscrape-out/20260302-091500-4f2a7c PO1001
  poscrape open --recipe mended.yaml poscrape-out/20260302-091500-4f2a7c PO1001
  poscrape open --picture PO1001.png poscrape-out/20260302-091500-4f2a7c PO1001`,
		Args:              oneOrder,
		ValidArgsFunction: completeDirectoryFirst,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("picture") && picture == "" {
				return usageErrorf("--picture: the name of FILE is empty")
			}
			if !p.takesRecipe(cmd.Flags().Lookup("recipe"), args[0]) {
				cfg.Recipe, cfg.MoreRecipes = "", nil
			}
			cfg.Dir, cfg.PO, cfg.Picture, cfg.HasDisplay = args[0], args[1], picture, p.hasDisplay
			cfg.Out = printableWriter{p.stdout}
			cfg.Version, cfg.Adjust = s.config.Version, func(c *session.Config) { adjust(c, cmd.Flags()) }
			cfg.Given = func(c *session.Config) []string { return given(c, cmd.Flags()) }
			cfg.Tell = p.tell
			signals, stop := p.listen()
			defer stop()
			return nameVariable(cmd.Flags(), p.showOrder(cmd.Context(), cfg, signals))
		},
	}
	inSection(cmd, sectionOrders, func(f *pflag.FlagSet) {
		f.Var(&recipeFiles{&cfg.Recipe, &cfg.MoreRecipes}, "recipe", "a corrected recipe to open it with (default: the session's own); may be repeated, or name a folder, if the session has several")
		s.addURL(f)
		s.addAllowLocal(f)
		f.DurationVar(&s.config.TaskTimeout, "task-timeout", s.config.TaskTimeout, "`DURATION` how long reading the page may take (default: the session's own)")
		f.Lookup("task-timeout").DefValue = ""
	})
	cmd.Flags().Lookup("recipe").Annotations[asInRun] = []string{"yes"}
	inSection(cmd, sectionBrowser, func(f *pflag.FlagSet) { s.addChrome(f); s.addProfile(f) })
	inSection(cmd, sectionOutput, func(f *pflag.FlagSet) {
		f.StringVar(&picture, "picture", "", "`FILE` keep the page with its frames as a picture (PNG) there, and open no window")
	})
	_ = cmd.Flags().MarkHidden("headful") // it is, unless there is a picture
	s.completeFlags(cmd)
	if err := cmd.RegisterFlagCompletionFunc("picture", completeFiles("png")); err != nil {
		panic(err) // only for a flag that is not there
	}
	return cmd
}

// showOrder shows an order. The first signal ends that in order, the second at once.
func (p *program) showOrder(ctx context.Context, cfg check.ShowConfig, signals <-chan os.Signal) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked := 0
	_, err := attend(func() (struct{}, error) { return struct{}{}, check.Show(ctx, cfg) }, signals, func(os.Signal) bool {
		asked++
		cancel(errInterrupted)
		return asked > 1
	})
	if asked > 0 && (errors.Is(err, errInterrupted) || errors.Is(err, errGivenUp) || errors.Is(err, context.Canceled)) {
		return &endedError{code: exitInterrupted, message: "interrupted before the order was shown"}
	}
	return err
}

// oneOrder asks for exactly one DIR and one PO.
func oneOrder(_ *cobra.Command, args []string) error {
	const example = "as in 'poscrape open poscrape-out/20260302-091500-4f2a7c PO1001'"
	switch {
	case len(args) == 0:
		return usageErrorf("no DIR is named: name the folder of a session and an order, %s", example)
	case len(args) == 1:
		return usageErrorf("no PO is named: name the number of an order after the folder, %s", example)
	case len(args) > 2:
		return usageErrorf("one order can be shown at a time, but these are named: %s", quoteAll(args[1:]))
	case args[0] == "":
		return usageErrorf("the name of DIR is empty: name the folder of a session")
	case args[1] == "":
		return usageErrorf("PO is empty: name the number of an order")
	}
	return nil
}

// completeDirectoryFirst offers directories for the first argument, and nothing for others.
func completeDirectoryFirst(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// printableWriter writes text as printable returns it. Each write is whole characters.
type printableWriter struct{ to io.Writer }

func (w printableWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.to, printable(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
