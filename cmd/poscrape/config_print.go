package main

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// printConfig writes a command's settings as a file of settings, with where each comes from.
func (p *program) printConfig(cmd *cobra.Command) error {
	remembers := cmd.Name() == "resume" || cmd.Name() == "retry"
	own := flagsOf(newSettings().config)
	var text strings.Builder
	for _, part := range sections(cmd.Flags()) {
		part.VisitAll(func(f *pflag.Flag) {
			if f.Annotations[sectionAnnotation] == nil || f.Name == configFlag || f.Name == printFlag {
				return
			}
			source := sourceOf(f)
			if remembers && source != "typed" && own.Lookup(f.Name) != nil && (f.Name != "proxy" || source == "default") {
				fmt.Fprintf(&text, "# %s is what the session remembers, unless it is typed\n", f.Name)
				return
			}
			value := shownValue(f)
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
