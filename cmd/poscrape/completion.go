package main

import (
	"slices"

	"github.com/spf13/cobra"
)

// completeFiles offers files with these extensions, for a command's argument
// or a flag's value.
func completeFiles(extensions ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// completeOneFile is completeFiles for commands that take a single file.
func completeOneFile(extensions ...string) cobra.CompletionFunc {
	files := completeFiles(extensions...)
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return files(cmd, args, typed)
	}
}

// completeNothing is for values that only the user knows.
func completeNothing(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// completeDirectories offers directories.
func completeDirectories(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeRoles offers the roles of columns, up to the equals sign.
func completeRoles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	roles := []cobra.Completion{"po=", "url=", "supplier=", "amount=", "currency=", "priority=", "buyer=", "documents="}
	return roles, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// completeFlags says for each flag that a command has what its values are. A
// flag that is not named here takes a file, or nothing.
func (s *settings) completeFlags(cmd *cobra.Command) {
	values := map[string]cobra.CompletionFunc{
		"worker-lifetime":  cobra.FixedCompletions(s.lifetime().names(), cobra.ShellCompDirectiveNoFileComp),
		"mode":             cobra.FixedCompletions(s.mode().names(), cobra.ShellCompDirectiveNoFileComp),
		"limit-action":     cobra.FixedCompletions(s.limitAction().names(), cobra.ShellCompDirectiveNoFileComp),
		"distribution":     cobra.FixedCompletions(s.distribution().names(), cobra.ShellCompDirectiveNoFileComp),
		"workers":          cobra.FixedCompletions([]string{"1", "2", "3", "4", "5", "6", "7", "8"}, cobra.ShellCompDirectiveNoFileComp),
		"recipe":           completeFiles("yaml", "yml"),
		"column":           completeRoles,
		"state":            completeFiles("json"),
		"remote":           cobra.FixedCompletions([]string{"127.0.0.1:0"}, cobra.ShellCompDirectiveNoFileComp),
		"out":              completeDirectories,
		"update":           completeDirectories,
		"base-profile":     completeDirectories,
		"temp-dir":         completeDirectories,
		"cpu-threshold":    cobra.FixedCompletions([]string{"0.5", "0.6", "0.7", "0.8", "0.9", "0.95"}, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder),
		"memory-threshold": cobra.FixedCompletions([]string{"0.7", "0.8", "0.9", "0.95", "0.98"}, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder),
	}
	for _, name := range []string{
		"url", "retries", "task-timeout", "grace", "breaker-patience", "max-orders-per-worker", "max-worker-age", "check-interval",
		"max-worker-memory", "worker-memory-limit", "worker-cpu-limit", "worker-disk-limit",
		"profile-size-limit", "min-free", "proxy", "orders", onEndFlag, "metrics-addr",
	} {
		values[name] = completeNothing
	}
	for name, complete := range values {
		if cmd.Flags().Lookup(name) == nil {
			continue
		}
		if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
			panic(err) // only for a flag that is not there, or twice in this table
		}
	}
}

// shapeCompletion makes the command that cobra brings look as the others do, and
// refuse what is no shell.
func shapeCompletion(root *cobra.Command) {
	i := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == "completion" })
	if i < 0 {
		return
	}
	completion := root.Commands()[i]
	completion.Use = "completion SHELL"
	completion.Short = "Print a script that completes commands and flags in a shell"
	completion.Long = `Print a script that makes a shell complete poscrape's commands, flags and values.
The help of each command says how to load it.`
	completion.Args = knownCommand
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	for _, shell := range completion.Commands() {
		shell.Short = "Print the script for " + shell.Name()
		shell.Args = noArguments
	}
}
