package main

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// printConfig writes a command's settings as a file of settings, with where each comes from.
func (p *program) printConfig(cmd *cobra.Command, args []string) error {
	var text strings.Builder
	for _, part := range sections(cmd.Flags()) {
		part.VisitAll(func(f *pflag.Flag) {
			if f.Annotations[sectionAnnotation] == nil || f.Name == configFlag || f.Name == printFlag {
				return
			}
			if held := heldBy(cmd, args, f); held != "" {
				fmt.Fprintf(&text, "# %s %s\n", f.Name, held)
				return
			}
			value, source := shownValue(f), sourceOf(f)
			if chrome := os.Getenv(variable(f.Name)); f.Name == "chrome" && source == "default" && chrome != "" {
				value, source = yamlWord(chrome), variable(f.Name) // which package browser reads itself
			}
			if source == "default" && (value == `""` || value == "[]") {
				fmt.Fprintf(&text, "# %s is not set\n", f.Name)
				return
			}
			fmt.Fprintf(&text, "%s: %s # %s\n", f.Name, value, source)
		})
	}
	_, err := fmt.Fprint(p.stdout, printable(text.String()))
	return err
}

// heldBy says why a flag has no effect unless it is typed, or nothing where it has: a command
// that goes on with a session, or that updates one without another sheet, takes only what is typed.
func heldBy(cmd *cobra.Command, args []string, f *pflag.Flag) string {
	updates := runsAgain(cmd, args)
	if f.Changed || !updates && !slices.Contains([]string{"resume", "retry", "open"}, cmd.Name()) {
		return ""
	}
	switch own := f.Name == "url" || f.Name == "recipe" || flagsOf(newSettings().config).Lookup(f.Name) != nil; {
	case f.Name == "proxy" && f.Annotations[fromEnvironment] != nil:
		return ""
	case own, updates && slices.Contains([]string{"column", "sheet", "encoding"}, f.Name):
		return "is what the session remembers, unless it is typed"
	case updates && (f.Name == "only" || f.Name == "limit" || f.Name == "skip-done"):
		return "is not set, unless it is typed"
	}
	return ""
}

// runsAgain reports whether a command is a run of the orders of an earlier session.
func runsAgain(cmd *cobra.Command, args []string) bool {
	update := cmd.Flags().Lookup("update")
	return cmd.Name() == "run" && len(args) == 0 && update != nil && update.Value.String() != ""
}

// isTyped reports whether a flag that is on or off was typed, and is on.
func isTyped(cmd *cobra.Command, name string) bool {
	on, err := cmd.Flags().GetBool(name)
	return err == nil && on
}

// sourceOf says where the value of a flag comes from.
func sourceOf(f *pflag.Flag) string {
	switch place := f.Annotations[fromFile]; {
	case f.Changed:
		return "typed"
	case f.Annotations[fromEnvironment] != nil:
		return variable(f.Name)
	case place != nil:
		return strings.TrimSuffix(place[0], ": "+f.Name)
	}
	return "default"
}

// shownValue returns the value of a flag as YAML, without a password.
func shownValue(f *pflag.Flag) string {
	list, isList := f.Value.(interface{ GetSlice() []string })
	switch {
	case f.Name == "proxy":
		return yamlWord(withoutPassword(f.Value.String()))
	case !isList:
		return yamlWord(f.Value.String())
	}
	var words []string
	for _, value := range list.GetSlice() {
		words = append(words, yamlWord(value))
	}
	return "[" + strings.Join(words, ", ") + "]"
}

var (
	plainYAML   = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./=-]*$`)
	otherInYAML = regexp.MustCompile(`(?i)^(null|y|yes|n|no|on|off)$`)
)

// yamlWord returns a value as YAML reads it back.
func yamlWord(value string) string {
	if plainYAML.MatchString(value) && !otherInYAML.MatchString(value) {
		return value
	}
	return strconv.Quote(value)
}

// withoutPassword returns the address of a proxy without what it signs in with.
func withoutPassword(address string) string {
	if u, err := url.Parse(address); err == nil && (u.User == nil || u.Host != "") {
		return u.Redacted()
	}
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		return "..." + address[i:]
	}
	return address
}
