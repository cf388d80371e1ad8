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

	"github.com/poscrape/poscrape/internal/sampling"
	"github.com/poscrape/poscrape/learn"
)

const recipeInitLong = `Draft a recipe for a portal from a sheet of its orders. The sheet says what each
order's supplier and amount are, so poscrape can find where the portal shows
them: it opens a handful of the orders, and checks what it has found with
others.

Beside each line the recipe says what it was seen to find, and whether it is
sure or to be compared with the page ("look here"). Rows on which the sheet and
the portal differ are listed at the end.

If the portal asks for a sign-in, sign in first:
  poscrape login --url https://portal.example/ --state acme.state.json

With --recipe, a recipe that says how to sign in, or how orders are found (address,
search, steps, language, hosts, rates), is completed: orders are opened as a run with
it would open them, and the draft keeps its text and adds what was learnt. Keys that
it has already stay as they are; where what was learnt differs, the draft says so.

Exit code 0 means that the recipe is written and is right on orders that it was
not learnt from, 3 that it is written, but the order's number or the place of
documents could not be confirmed, or that no page could be read and nothing is
written, 5 that the portal asks for a sign-in; then no recipe is written either.`

func (p *program) newRecipeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "recipe COMMAND",
		Short: "Draft the recipe of a portal",
		Args:  knownCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(p.newRecipeInitCommand())
	return cmd
}

// recipeFile is where a drafted recipe goes.
type recipeFile struct {
	path  string
	force bool
}

func (p *program) newRecipeInitCommand() *cobra.Command {
	s := newSettings()
	samples := sampling.DefaultSamples
	var to recipeFile
	cmd := &cobra.Command{
		Use:   "init [flags] FILE",
		Short: "Draft a recipe from a sheet's own orders and values",
		Long:  recipeInitLong,
		Example: `  poscrape recipe init pos.csv -o acme.yaml
  poscrape recipe init --url 'https://portal.example/orders/{po}' pos.xlsx -o acme.yaml
  poscrape recipe init --state acme.state.json pos.csv > acme.yaml
  poscrape recipe init --recipe signin.yaml pos.csv -o acme.yaml`,
		Args:              oneFile,
		ValidArgsFunction: completeOneFile("csv", "tsv", "txt", "xlsx"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.config.File, s.config.Input = args[0], p.stdin
			signals, stop := p.listen()
			defer stop()
			cfg := sampling.Config{Config: s.config, Samples: samples, Tell: func(format string, args ...any) {
				if !s.output.quiet {
					fmt.Fprintln(p.stderr, printable(fmt.Sprintf(format, args...)))
				}
			}}
			return nameVariable(cmd.Flags(), p.draftRecipe(cmd.Context(), cfg, to, signals))
		},
	}
	inSection(cmd, sectionOrders, func(f *pflag.FlagSet) {
		f.Var(&recipeFiles{&s.config.RecipeFile, &s.config.MoreRecipes}, "recipe", "a recipe to complete: it says how to sign in, or how orders are opened, and the draft keeps it (default: none)")
		s.addURL(f)
		s.addAllowLocal(f)
		f.Var(columns(s.config.Columns), "column", "which column has the order number; also url=, supplier=, amount=, currency=, priority=, buyer=, documents= (how many an order has); ROLE=none takes no column; may be repeated")
		s.addSheet(f)
		f.IntVar(&samples, "samples", samples, "`N` orders to learn from; as many again if they leave doubts, and as many to check the recipe")
	})
	inSection(cmd, sectionBrowser, func(f *pflag.FlagSet) { s.addChrome(f); s.addProfile(f) })
	inSection(cmd, sectionOutput, func(f *pflag.FlagSet) {
		f.StringVarP(&to.path, "out", "o", "", "`FILE` where the recipe goes (default: standard output)")
		f.BoolVar(&to.force, "force", false, "overwrite the file if it exists")
		f.BoolVarP(&s.output.quiet, "quiet", "q", false, "print errors only")
	})
	s.completeFlags(cmd)
	return cmd
}

// draftRecipe drafts a recipe, and writes it. The first signal stops it in order, the second at once.
func (p *program) draftRecipe(ctx context.Context, cfg sampling.Config, to recipeFile, signals <-chan os.Signal) error {
	if err := to.check(); err != nil {
		return err
	}
	if to.path != "" {
		base := filepath.Base(to.path)
		cfg.Name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	cfg.Out = to.path
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	asked := 0
	draft, err := attend(func() (*learn.Draft, error) { return sampling.Run(ctx, cfg) }, signals, func(os.Signal) bool {
		asked++
		cancel(errInterrupted)
		return asked > 1
	})
	var unread *sampling.UnreadError
	switch {
	case asked > 0 && err != nil:
		return &endedError{code: exitInterrupted, message: "interrupted; nothing was written"}
	case errors.As(err, new(*sampling.WallError)):
		return &endedError{code: exitLogin, message: err.Error()}
	case errors.As(err, &unread) && unread.Unreached:
		return &endedError{code: exitEnvironment, message: err.Error()}
	case errors.As(err, &unread):
		return &endedError{code: exitNotWell, message: err.Error()}
	case err != nil:
		return err
	}
	if err := to.write(p, draft.YAML()); err != nil {
		return err
	}
	for _, line := range draft.Summary() {
		cfg.Tell("%s", line)
	}
	if to.path != "" {
		if draft.Given == nil || draft.Given.Address() == "" {
			cfg.URL = "" // it has the address
		}
		cfg.RecipeFile, cfg.MoreRecipes = to.path, nil
		cfg.Tell("Next: look at what %s marks, then type:\n  %s\n  %s", to.path, cfg.CheckCommand([]string{"3"}), cfg.RunCommand(to.path))
	}
	if !draft.Holds {
		return &endedError{code: exitNotWell, message: "written, but not confirmed: " + draft.Lacks()}
	}
	return nil
}

// check says early what would keep the recipe from being written.
func (f recipeFile) check() error {
	if f.path == "" {
		return nil
	}
	switch info, err := os.Stat(f.path); {
	case err == nil && !info.Mode().IsRegular():
		return usageErrorf("--out: %s is no file", f.path)
	case err == nil && !f.force:
		return usageErrorf("--out: %s is there already; choose another name, or write over it with --force", f.path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return usageErrorf("--out: %s cannot be written: %v", f.path, err)
	}
	probe, err := os.CreateTemp(filepath.Dir(f.path), ".poscrape-*")
	if err == nil {
		err = errors.Join(probe.Close(), os.Remove(probe.Name()))
	}
	if err != nil {
		return usageErrorf("--out: %s cannot be written: %v", f.path, err)
	}
	return nil
}

// write writes the recipe whole, or not at all. Where it cannot be written, it is printed, so that it
// need not be drafted again.
func (f recipeFile) write(p *program, text string) error {
	if f.path == "" {
		fmt.Fprint(p.shownOutput(), text)
		return nil
	}
	if err := f.replace(text); err != nil {
		fmt.Fprint(p.shownOutput(), text)
		return fmt.Errorf("writing the recipe: %w; it stands on standard output instead", err)
	}
	return nil
}

func (f recipeFile) replace(text string) error {
	file, err := os.CreateTemp(filepath.Dir(f.path), ".poscrape-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.WriteString(text)
	if err := errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close()); err != nil {
		return err
	}
	if f.force {
		return os.Rename(file.Name(), f.path)
	}
	err = os.Link(file.Name(), f.path) // which does not write over another
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return create(f.path, text) // there are no hard links
}

// create writes a file that must not be there yet, and removes it where it cannot be written whole.
func create(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
