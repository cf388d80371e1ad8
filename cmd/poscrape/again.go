package main

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session"
)

// nameFirstRun adds to an error about a sheet that stands in a session folder, as
// failed.csv does, the whole command with the flags of the session's own run,
// where these say how the orders are opened and the typed ones do not.
func (p *program) nameFirstRun(typed session.Config, err error) error {
	var file *orders.FileError
	if !errors.As(err, &file) || typed.File == "-" {
		return err
	}
	first, recallErr := p.recall(filepath.Dir(typed.File))
	if recallErr != nil || first.Foreign {
		return err // it is no session folder, or not one that can be read
	}
	if slices.Equal(recipesOf(first), recipesOf(typed)) && first.URL == typed.URL && maps.Equal(first.Columns, typed.Columns) {
		return err
	}
	again := *file
	again.Message += "; the session that wrote this file was started with other flags: " + commandLine(first, typed.File)
	again.Err = file.Err
	return &again
}

// recipesOf returns what was named with --recipe, with the paths that sessions remember.
func recipesOf(cfg session.Config) []string {
	var paths []string
	for _, path := range append([]string{cfg.RecipeFile}, cfg.MoreRecipes...) {
		if abs, err := filepath.Abs(path); path != "" && err == nil {
			path = abs
		}
		paths = append(paths, path)
	}
	return paths
}

// commandLine returns the command that runs a sheet with these settings.
func commandLine(cfg session.Config, file string) string {
	words := []string{"poscrape", "run"}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, shell.Word(value))
		}
	}
	for _, recipe := range append([]string{cfg.RecipeFile}, cfg.MoreRecipes...) {
		if recipe != "" {
			add("--recipe", nearby(recipe))
		}
	}
	add("--url", cfg.URL)
	for _, role := range slices.Sorted(maps.Keys(cfg.Columns)) {
		add("--column", role+"="+cfg.Columns[role])
	}
	standard := flagsOf(session.DefaultConfig())
	flagsOf(cfg).VisitAll(func(f *pflag.Flag) {
		value := f.Value.String()
		list, isList := f.Value.(pflag.SliceValue)
		switch {
		case value == standard.Lookup(f.Name).Value.String():
		case isList:
			for _, one := range list.GetSlice() {
				add("--"+f.Name, one)
			}
		case value == "true":
			words = append(words, "--"+f.Name)
		case f.Value.Type() == "bool":
			words = append(words, "--"+f.Name+"="+value)
		default:
			add("--"+f.Name, value)
		}
	})
	return strings.Join(append(words, shell.Word(file)), " ")
}

// flagsOf returns the flags that a continued session takes, with the values of cfg.
func flagsOf(cfg session.Config) *pflag.FlagSet {
	cmd := &cobra.Command{}
	addContinued(cmd, &settings{config: cfg})
	return cmd.Flags()
}

// readAgain sets up a run of the orders of the session that is updated: with its settings, but
// for those that are typed.
func (p *program) readAgain(s *settings, typed *pflag.FlagSet) error {
	cfg, err := p.recall(s.config.Update)
	if err != nil {
		return err
	}
	for _, name := range []string{"url", "column", "sheet", "encoding"} {
		if typed.Changed(name) && (name != "url" || !cfg.Foreign) {
			return usageErrorf("--%s says how a sheet is read, and none is named: name FILE, or leave it out", name)
		}
	}
	named := func(name string) bool { return typed.Changed(name) }
	if cfg.Foreign {
		named = func(name string) bool { return isNamed(typed.Lookup(name)) }
		if err := s.disown(&cfg, typed); err != nil {
			return err
		}
	}
	adjust(&cfg, typed)
	own := s.config
	cfg.Again, cfg.Update, cfg.Out, cfg.Version = true, own.Update, own.Out, own.Version
	cfg.RecipeFile, cfg.MoreRecipes, cfg.Only, cfg.Limit, cfg.SkipDone = "", nil, nil, 0, nil
	for name, take := range map[string]func(){
		"recipe":    func() { cfg.RecipeFile, cfg.MoreRecipes = own.RecipeFile, own.MoreRecipes },
		"only":      func() { cfg.Only = own.Only },
		"limit":     func() { cfg.Limit = own.Limit },
		"skip-done": func() { cfg.SkipDone = own.SkipDone },
	} {
		if named(name) {
			take()
		}
	}
	s.config = cfg
	return nil
}

// disown takes out of the settings of a session that was made elsewhere those that do not count, and
// returns a *session.ForeignError for those that have to be typed and were not.
func (s *settings) disown(cfg *session.Config, typed *pflag.FlagSet) error {
	files := slices.DeleteFunc(append([]string{cfg.RecipeFile}, cfg.MoreRecipes...), func(file string) bool { return file == "" })
	missing, dropped := cfg.Disown(func(c *session.Config) []string { return given(c, typed) })
	if !isNamed(typed.Lookup("recipe")) && len(files) > 0 {
		missing = append([]session.Setting{{Flag: "recipe", Values: files}}, missing...)
	}
	if len(missing) > 0 {
		return &session.ForeignError{Dir: s.config.Update, Settings: missing}
	}
	if text := session.DroppedText(s.config.Update, dropped); text != "" {
		s.introduction = append(s.introduction, session.Notice{Level: session.NoticeWarning, Message: text})
	}
	return nil
}

// retyped returns the command that was given, with further flags.
func retyped(cmd *cobra.Command, more []session.Setting) string {
	command := cmd.CommandPath()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		list, isList := f.Value.(interface{ GetSlice() []string })
		switch {
		case f.Annotations[fromEnvironment] != nil || f.Annotations[fromFile] != nil || !f.Changed:
		case isList:
			for _, value := range list.GetSlice() {
				command += " --" + f.Name + " " + shell.Word(value)
			}
		case f.Value.String() == "true":
			command += " --" + f.Name
		case f.Value.Type() == "bool":
			command += " --" + f.Name + "=false"
		default:
			command += " --" + f.Name + " " + shell.Word(browser.RedactText(f.Value.String()))
		}
	})
	for _, s := range more {
		command += s.Flags()
	}
	for _, arg := range cmd.Flags().Args() {
		command += " " + shell.Word(arg)
	}
	return command
}
