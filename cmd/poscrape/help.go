package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What the help knows of a flag besides its text: the section in which it is
// shown, and what its value is called.
const (
	sectionAnnotation = "section"
	valueAnnotation   = "value"
)

// sectionOther is where flags without a section of their own are shown.
const sectionOther = "Other"

// helpWidth is how many columns the help uses, and textColumn where what a flag
// does begins.
const helpWidth, textColumn = 80, 32

func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does and which flags it has",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			if at, _, err := cmd.Root().Find(args); err == nil {
				for _, sub := range at.Commands() {
					if sub.IsAvailableCommand() {
						names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			asked, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usageErrorf("there is no command %s: %s", quote(strings.Join(args, " ")), suggestCommand(asked, rest[0]))
			}
			asked.InitDefaultHelpFlag()
			return asked.Help()
		},
	}
}

const helpAll = "help-all"

// usual are the flags that people use: the help of a command that has many others shows these.
var usual = []string{
	"recipe", "url", "column", "sheet", "only", "limit", "skip-done", "update", "dry-run", "mode",
	"workers", "out", "retries", "task-timeout", "isolation", "state", "proxy", "headful", "json", "ui",
}

// manyFlags is how many a command has at least whose help shows the usual ones: those of run fill four
// screens.
const manyFlags = 40

// addHelpAll lets commands be asked for the help with every flag.
func addHelpAll(commands ...*cobra.Command) {
	for _, cmd := range commands {
		cmd.Flags().BoolFunc(helpAll, "show this help with every flag", func(on string) error {
			return cmd.Flags().Set("help", on)
		})
	}
}

// writeUsage writes how a command is used: its line, its commands, its flags by
// section, and examples.
func writeUsage(cmd *cobra.Command) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Usage:\n  %s\n", useLine(cmd))
	if cmd.HasAvailableSubCommands() {
		text.WriteString("\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&text, "  %-*s  %s\n", cmd.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	shown, left := helpFlags(cmd.Flags())
	for _, part := range sections(shown) {
		fmt.Fprintf(&text, "\n%s:\n", part.Name())
		part.VisitAll(func(f *pflag.Flag) { text.WriteString(flagHelp(f)) })
	}
	if left > 0 {
		fmt.Fprintf(&text, "\nAnd %d more flags: %s --%s\n", left, cmd.CommandPath(), helpAll)
	}
	if cmd.HasExample() {
		fmt.Fprintf(&text, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&text, "\nMore about a command: %s COMMAND --help\n", cmd.CommandPath())
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), text.String())
	return err
}

// helpFlags returns the flags that a command's help shows, and how many others it has.
func helpFlags(flags *pflag.FlagSet) (shown *pflag.FlagSet, left int) {
	all := 0
	flags.VisitAll(func(*pflag.Flag) { all++ })
	if all < manyFlags || flags.Changed(helpAll) {
		return flags, 0
	}
	shown = pflag.NewFlagSet("", pflag.ContinueOnError)
	shown.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		if slices.Contains(usual, f.Name) || f.Annotations[sectionAnnotation] == nil {
			shown.AddFlag(f)
		} else {
			left++
		}
	})
	return shown, left
}

func useLine(cmd *cobra.Command) string {
	cmd.DisableFlagsInUseLine = true
	return cmd.UseLine()
}

// flagHelp returns the lines about a flag. What it does begins at textColumn, on
// a line of its own if the flag needs the room.
func flagHelp(f *pflag.Flag) string {
	line := "      " + flagForm(f)
	if f.Shorthand != "" {
		line = "  -" + f.Shorthand + ", " + flagForm(f)
	}
	about := f.Usage
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && !strings.Contains(about, "(default") {
		about += " (default " + f.DefValue + ")"
	}
	var text strings.Builder
	for _, part := range wrap(about, helpWidth-textColumn) {
		if len(line) > textColumn-2 {
			text.WriteString(line + "\n")
			line = ""
		}
		fmt.Fprintf(&text, "%-*s%s\n", textColumn, line, part)
		line = ""
	}
	return text.String()
}

// flagForm returns a flag as it is typed: "--workers N".
func flagForm(f *pflag.Flag) string {
	if value := f.Annotations[valueAnnotation]; value != nil {
		return "--" + f.Name + " " + value[0]
	}
	return "--" + f.Name
}

// wrap breaks text into lines of at most width columns, between words.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// sections returns the flags by section, in the order in which they were added;
// those without one come last.
func sections(flags *pflag.FlagSet) []*pflag.FlagSet {
	var parts []*pflag.FlagSet
	byTitle := map[string]*pflag.FlagSet{}
	part := func(title string) *pflag.FlagSet {
		if byTitle[title] == nil {
			byTitle[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			byTitle[title].SortFlags = false
			parts = append(parts, byTitle[title])
		}
		return byTitle[title]
	}
	var others []*pflag.Flag
	flags.VisitAll(func(f *pflag.Flag) {
		if title := f.Annotations[sectionAnnotation]; title != nil {
			part(title[0]).AddFlag(f)
			return
		}
		others = append(others, f)
	})
	title := sectionOther
	if len(parts) == 0 {
		title = "Flags"
	}
	for _, f := range others {
		part(title).AddFlag(f)
	}
	return parts
}
