package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
