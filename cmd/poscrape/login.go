package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/login"
)

const loginLong = `Sign in at a portal by hand, if that takes a person: single sign-on, a second
factor, a captcha. A Chrome with a window opens where the recipe says that
signing in begins. When the recipe's login.success is seen there, or, without
one, when you press Enter in the terminal, the sign-in is saved, and its file is
named on standard output. Runs with the same recipe use it from then on.

The file is beside the recipe: acme.state.json beside acme.yaml. Whoever has it is
signed in as you, so only you can read it.

Without a display, --remote serves the window as a page for the browser of another
machine: pictures out, clicks and keys in. It listens on this machine only, so make
a tunnel to it (ssh -L 8080:127.0.0.1:8080 host), and open the address that is
printed. Whoever knows that address can use the window.

Exit code 0 means that the sign-in is saved, 4 that no window can be opened here,
5 that the window was closed too early; then nothing was saved.`

func (p *program) newLoginCommand() *cobra.Command {
	s := newSettings()
	var state, remote string
	cmd := &cobra.Command{
		Use:   "login --recipe FILE [flags]",
		Short: "Sign in at a portal by hand, for later runs",
		Long:  loginLong,
		Example: `  poscrape login --recipe acme.yaml
  poscrape login --recipe acme.yaml --remote 127.0.0.1:8080
  poscrape login --url https://portal.example/ --state acme.state.json`,
		Args:              noArguments,
		ValidArgsFunction: completeNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			signals, stop := p.listen()
			defer stop()
			cfg := login.Config{Config: s.config, State: state, Remote: remote, HasDisplay: p.hasDisplay, Enter: enters(p.stdin),
				Tell: p.tell}
			return nameVariable(cmd.Flags(), p.login(cmd.Context(), cfg, signals))
		},
	}
	inSection(cmd, "Portal", func(f *pflag.FlagSet) {
		f.Var(&recipeFiles{&s.config.RecipeFile, &s.config.MoreRecipes}, "recipe", "recipe that describes the portal; with several portals, one at a time")
		f.StringVar(&s.config.URL, "url", "", "`URL` where to sign in, unless the recipe says so")
		f.StringVar(&state, "state", "", "`FILE` where the sign-in is saved (default: NAME.state.json beside the recipe NAME.yaml)")
	})
	for _, name := range []string{"recipe", "url", "state"} {
		cmd.Flags().Lookup(name).Annotations[asInRun] = []string{"yes"}
	}
	inSection(cmd, sectionBrowser, func(f *pflag.FlagSet) {
		f.StringVar(&remote, "remote", "", "`HOST:PORT` serve the window there as a page, for a machine without a display; without HOST on this machine only, port 0 is a free one")
		s.addChrome(f)
		s.addProfile(f)
	})
	_ = cmd.Flags().MarkHidden("headful") // it always is, or never
	s.completeFlags(cmd)
	return cmd
}

// login has a person sign in. The first signal stops it in order, the second at once.
func (p *program) login(ctx context.Context, cfg login.Config, signals <-chan os.Signal) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked := 0
	path, err := attend(func() (string, error) { return login.Run(ctx, cfg) }, signals, func(os.Signal) bool {
		asked++
		cancel(errInterrupted)
		return asked > 1
	})
	switch {
	case err == nil:
		fmt.Fprintln(p.shownOutput(), path)
		return nil
	case asked > 0 && (errors.Is(err, errInterrupted) || errors.Is(err, errGivenUp)):
		return &endedError{code: exitInterrupted, message: "interrupted; nothing was saved"}
	}
	return err
}

// enters returns a channel that gets a value for each line that is entered.
func enters(in io.Reader) <-chan struct{} {
	lines := make(chan struct{})
	go func() { // it ends with the input, or with the program
		for r := bufio.NewReader(in); ; {
			if _, err := r.ReadString('\n'); err != nil {
				return
			}
			lines <- struct{}{}
		}
	}()
	return lines
}
