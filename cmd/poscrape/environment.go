package main

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/session"
)

const environmentPrefix = "POSCRAPE_"

// fromEnvironment marks a flag whose value comes from a variable.
const fromEnvironment = "from-environment"

// variable returns the name of the variable that stands for a flag.
func variable(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// applyEnvironment sets each flag of a command's own that was not typed from its
// variable, if that is there and not empty. A variable that stands for a flag of run is none of
// a flag that only has its name. --chrome is left to package browser,
// which looks at POSCRAPE_CHROME itself and names it in its messages.
func applyEnvironment(flags *pflag.FlagSet, ofRun map[string]*pflag.Flag, lookup func(string) (string, bool)) error {
	var wrong error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Annotations[sectionAnnotation] == nil || f.Name == "chrome" || f.Name == "force" || f.Changed || wrong != nil {
			return
		}
		if other := ofRun[f.Name]; other != nil && !sameMeaning(f, other) {
			return
		}
		value, ok := lookup(variable(f.Name))
		if !ok || value == "" {
			return
		}
		if err := f.Value.Set(value); err != nil {
			wrong = invalidValue(variable(f.Name), f, value, err)
			return
		}
		wrong = flags.SetAnnotation(f.Name, fromEnvironment, []string{"yes"})
	})
	return wrong
}

// asInRun marks a flag that is a setting of run, described in other words.
const asInRun = "as-in-run"

// sameMeaning reports whether two flags of one name are one and the same setting: they are
// described in the same words, but for their defaults, or one is marked so.
func sameMeaning(a, b *pflag.Flag) bool {
	if a.Annotations[asInRun] != nil || b.Annotations[asInRun] != nil {
		return true
	}
	first, _, _ := strings.Cut(a.Usage, " (default: ")
	second, _, _ := strings.Cut(b.Usage, " (default: ")
	return first == second
}

// nameVariable makes an error about a setting name the variable that it came from, or the place
// in a file.
func nameVariable(flags *pflag.FlagSet, err error) error {
	var setting *session.ConfigError
	if !errors.As(err, &setting) {
		return err
	}
	f := flags.Lookup(setting.Field)
	switch {
	case f == nil:
	case f.Annotations[fromEnvironment] != nil:
		return usageErrorf("%s: %s", variable(f.Name), setting.Message)
	case f.Annotations[fromFile] != nil:
		return usageErrorf("%s: %s", f.Annotations[fromFile][0], setting.Message)
	}
	return err
}
