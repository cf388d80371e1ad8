package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageError says what is wrong with what was typed.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usageErrorf(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// noArguments refuses arguments, for commands that take none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageErrorf("%s takes no arguments, but was given %s", pathBelowRoot(cmd), quoteAll(args))
	}
	return nil
}

// pathBelowRoot returns a command as it is typed after the program's name.
func pathBelowRoot(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// flagError says in a sentence what pflag found wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if shorts := unknown.GetSpecifiedShortnames(); shorts != "" {
			name = "-" + unknown.GetSpecifiedName()
		}
		return usageErrorf("there is no flag %s%s", name, suggestFlag(cmd, unknown.GetSpecifiedName()))
	case errors.As(err, &invalid):
		return invalidValue("--"+invalid.GetFlag().Name, invalid.GetFlag(), invalid.GetValue(), invalid.Unwrap())
	case errors.As(err, &missing):
		return usageErrorf("--%s needs a value: %s", missing.GetFlag().Name, flagForm(missing.GetFlag()))
	}
	return usageErrorf("%s", err)
}

// invalidValue says why a value cannot be used. The place is where it was
// written: a flag, or a variable of the environment.
func invalidValue(place string, f *pflag.Flag, value string, cause error) error {
	switch f.Value.Type() {
	case "int":
		return usageErrorf("%s: %s is not a whole number", place, quote(value))
	case "float64":
		return usageErrorf("%s: %s is not a number such as 0.8", place, quote(value))
	case "bool":
		return usageErrorf("%s: %s is neither true nor false", place, quote(value))
	case "duration":
		return usageErrorf("%s: %s is not a duration such as 30s, 2m or 1h30m", place, quote(value))
	}
	return usageErrorf("%s: %s", place, cause)
}

// maxQuoted bounds how much of what was typed a message repeats, in bytes.
const maxQuoted = 120

func quote(text string) string {
	if len(text) > maxQuoted {
		text = strings.ToValidUTF8(text[:maxQuoted], "") + "…"
	}
	return strconv.Quote(text)
}

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(text)
	}
	return strings.Join(quoted, ", ")
}
