package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/internal/spelling"
)

// knownCommand refuses the name of a command that does not exist.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	typed := args[0]
	if cmd.HasParent() {
		typed = pathBelowRoot(cmd) + " " + typed
	}
	return usageErrorf("there is no command %s: %s", quote(typed), suggestCommand(cmd, args[0]))
}

// suggestCommand says what a name that is no command may have meant, or which
// commands there are.
func suggestCommand(cmd *cobra.Command, typed string) string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			names = append(names, sub.Name())
		}
	}
	slices.Sort(names)
	switch near := spelling.Nearest(strings.ToLower(typed), names); {
	case near != "":
		return "did you mean " + near + "?"
	case !cmd.HasParent() && looksLikeSheet(typed):
		return "did you mean 'poscrape run " + shell.Word(typed) + "'?"
	}
	for _, name := range names {
		if strings.HasPrefix(name, strings.ToLower(typed)) {
			return "did you mean " + name + "?"
		}
	}
	return "the commands are " + strings.Join(names, ", ")
}

// looksLikeSheet reports whether a word is the name of a file, or of one of the
// types that orders come in.
func looksLikeSheet(typed string) bool {
	if slices.Contains([]string{".csv", ".tsv", ".txt", ".xlsx"}, strings.ToLower(filepath.Ext(typed))) {
		return true
	}
	info, err := os.Stat(typed)
	return err == nil && info.Mode().IsRegular()
}

// suggestFlag returns what a mistyped flag may have meant, to follow "there is no
// flag --x", or "".
func suggestFlag(cmd *cobra.Command, name string) string {
	if near := flagsLike(cmd.Flags(), name); len(near) > 0 {
		return ": did you mean " + strings.Join(near, " or ") + "?"
	}
	if cmd.HasParent() {
		return ""
	}
	run, _, err := cmd.Find([]string{"run"})
	if err == nil && (run.Flags().Lookup(name) != nil || len(name) == 1 && run.Flags().ShorthandLookup(name) != nil) {
		return " before the command: flags come after it, as in 'poscrape run --workers 4 pos.csv'"
	}
	return ""
}

// flagsLike returns the flags that a mistyped name may have meant: those that
// begin as it does, or as which it begins, and else the one that is spelled most
// like it.
func flagsLike(flags *pflag.FlagSet, name string) []string {
	const enough = 3
	var near, known []string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		known = append(known, f.Name)
		short, long := f.Name, name
		if len(short) > len(long) {
			short, long = long, short
		}
		if len(short) >= enough && strings.HasPrefix(long, short) {
			near = append(near, "--"+f.Name)
		}
	})
	if nearest := spelling.Nearest(name, known); len(near) == 0 && len(name) >= enough && nearest != "" {
		near = []string{"--" + nearest}
	}
	slices.Sort(near)
	return near
}
