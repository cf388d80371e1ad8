package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/testkit"
)

// TestHelpIsReadable: no command's help shows how flags are written in the source, says a default
// twice or an empty one, or is wider than a terminal.
func TestHelpIsReadable(t *testing.T) {
	t.Parallel()
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		var text strings.Builder
		cmd.SetOut(&text)
		if err := cmd.Help(); err != nil {
			t.Error(err)
		}
		for line := range strings.Lines(text.String()) {
			if strings.ContainsAny(line, "`") || strings.Contains(line, "(default [])") || len(line) > 120 {
				t.Errorf("%s --help: %s", cmd.CommandPath(), line)
			}
		}
		if !strings.Contains(text.String(), "Usage:") {
			t.Errorf("%s --help shows no usage:\n%s", cmd.CommandPath(), text.String())
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(new(program).newRootCommand())
}

// TestHelpAll has every flag, of commands without their arguments too, and does nothing else.
func TestHelpAll(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"run", "resume", "retry", "check", "open", "login", "recipe init"} {
		tr := newTrial(nil, nil)
		words := strings.Fields(command)
		if code := tr.execute(t.Context(), append(words, "--help-all")); code != exitWell || tr.err.String() != "" {
			t.Errorf("%s: exit code %d, %s", command, code, tr.err.String())
		}
		cmd, _, err := tr.newRootCommand().Find(words)
		testkit.Must(t, err)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(tr.out.String(), " --"+f.Name) {
				t.Errorf("%s --help-all does not have --%s", command, f.Name)
			}
		})
	}
}
