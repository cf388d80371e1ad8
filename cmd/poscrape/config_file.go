package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/spelling"
	"github.com/poscrape/poscrape/internal/yamltree"
)

const (
	// configName is the file of settings that is read where --config names no other.
	configName = "poscrape.yaml"
	// maxConfig bounds its size, in bytes.
	maxConfig = 1 << 20
	// fromFile marks a flag whose value comes from such a file, and says from where in it.
	fromFile = "from-file"
	// notAllowed marks one that was set in a file that nobody has named or allowed.
	notAllowed = "not-allowed"
)

// The flags that are about settings, and cannot be set in a file.
const (
	configFlag = "config"
	printFlag  = "print-config"
)

// takeConfig has commands read a file of settings, and print them.
func (p *program) takeConfig(commands ...*cobra.Command) {
	for _, cmd := range commands {
		inSection(cmd, sectionOutput, func(f *pflag.FlagSet) {
			f.String(configFlag, "", "`FILE` settings: any flag by its long name (default: "+configName+", if there is one)")
			f.Bool(printFlag, false, "print the settings, with where each comes from, and do nothing else")
		})
		printing := func(cmd *cobra.Command) bool { return isTyped(cmd, printFlag) }
		args, do := cmd.Args, cmd.RunE
		cmd.Args = func(cmd *cobra.Command, typed []string) error {
			if printing(cmd) {
				return nil
			}
			return args(cmd, typed)
		}
		cmd.RunE = func(cmd *cobra.Command, typed []string) error {
			if printing(cmd) {
				return p.printConfig(cmd, typed)
			}
			return do(cmd, typed)
		}
		_ = cmd.RegisterFlagCompletionFunc(configFlag, completeFiles("yaml", "yml")) // the flag is there
	}
}

// applyConfig sets each flag of a command that was neither typed nor set by a variable from its
// file of settings, if it reads one and that is there. Of a file that nobody named, it is said
// what it sets.
func (p *program) applyConfig(cmd *cobra.Command, args []string) error {
	named := cmd.Flags().Lookup(configFlag)
	if named == nil {
		return nil
	}
	name := named.Value.String()
	text, err := readConfig(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && name == "":
		return nil
	case err != nil:
		return err
	}
	c := configFile{name: name, text: text, known: configurable(cmd.Root())}
	if name == "" {
		c.name = configName
	}
	if name == "" && !isTyped(cmd, printFlag) {
		if err := c.admit(); err != nil {
			return err
		}
	}
	if err := c.apply(cmd.Flags()); err != nil || name != "" {
		return err
	}
	if !c.countsAsTyped() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Annotations[fromFile] != nil {
				f.Annotations[notAllowed] = []string{"yes"}
				if url, is := f.Value.(*urlTemplate); is {
					*url.found = true
				}
			}
		})
	}
	p.tellConfig(cmd, args)
	return nil
}

// tellConfig says what a command takes from a file of settings that nobody has named.
func (p *program) tellConfig(cmd *cobra.Command, args []string) {
	quiet := cmd.Flags().Lookup("quiet")
	if isTyped(cmd, printFlag) || quiet != nil && quiet.Annotations[fromFile] == nil && quiet.Value.String() == "true" {
		return
	}
	var set []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[fromFile] != nil && heldBy(cmd, args, f) == "" {
			set = append(set, f.Name)
		}
	})
	if len(set) > 0 {
		fmt.Fprintf(p.stderr, "%s here sets %s; --%s says to what\n", configName, strings.Join(set, ", "), printFlag)
	}
}

// readConfig reads a file of settings, or, without a name, the one in the working directory.
func readConfig(name string) ([]byte, error) {
	file := name
	if name == "" {
		file = configName
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && name == "":
		return nil, err
	case err == nil && !info.Mode().IsRegular():
		return nil, usageErrorf("--config: %s is no file", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, unreadable(file, err)
	}
	if info.Size() > maxConfig {
		return nil, usageErrorf("--config: %s is larger than settings can be", file)
	}
	if why, mend := foreign(info, file); name == "" && why != "" {
		return nil, usageErrorf("%s in the working directory is not read, because %s, and it can name programs to run; %s, or name it with --config %[1]s if you trust it", file, why, mend)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxConfig))
	if err != nil {
		return nil, unreadable(file, err)
	}
	return text, nil
}

func unreadable(file string, err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	return usageErrorf("--config: %s cannot be read: %v", file, err)
}

// configurable returns the flags that can be set in a file, by their names: those of run.
func configurable(root *cobra.Command) map[string]*pflag.Flag {
	flags := map[string]*pflag.Flag{}
	run, _, err := root.Find([]string{"run"})
	if err != nil {
		return flags // there is a run
	}
	run.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[sectionAnnotation] != nil && f.Name != configFlag && f.Name != printFlag {
			flags[f.Name] = f
		}
	})
	return flags
}

// configFile is a file of settings.
type configFile struct {
	name string
	text []byte
	// known are the flags that can be set.
	known map[string]*pflag.Flag
}

// wrong returns an error about a place in the file.
func (c configFile) wrong(n ast.Node, format string, args ...any) error {
	return usageErrorf("%s: %s", c.position(n), fmt.Sprintf(format, args...))
}

func (c configFile) position(n ast.Node) string {
	at := n.GetToken().Position
	return fmt.Sprintf("%s:%d:%d", c.name, at.Line, at.Column)
}

// entries returns the settings of the file, in their order.
func (c configFile) entries() ([]*ast.MappingValueNode, error) {
	if !utf8.Valid(c.text) {
		return nil, usageErrorf("%s is not UTF-8; save it as UTF-8", c.name)
	}
	file, err := yamltree.Parse(c.text)
	var syntax *yaml.SyntaxError
	var deep *yamltree.DepthError
	switch {
	case errors.As(err, &deep):
		return nil, usageErrorf("%s:%d:%d: %v", c.name, deep.Line, deep.Column, deep)
	case errors.As(err, &syntax):
		return nil, usageErrorf("%s:%d:%d: not YAML: %s", c.name, syntax.Token.Position.Line, syntax.Token.Position.Column, syntax.Message)
	case err != nil:
		return nil, usageErrorf("%s is not YAML: %v", c.name, err)
	case len(file.Docs) == 0 || file.Docs[0].Body == nil:
		return nil, nil
	case len(file.Docs) > 1:
		return nil, c.wrong(file.Docs[1], "settings are one document, without ---")
	}
	all, ok := file.Docs[0].Body.(*ast.MappingNode)
	if !ok {
		return nil, c.wrong(file.Docs[0].Body, "settings are names with values, such as workers: 4")
	}
	return all.Values, nil
}

func (c configFile) apply(flags *pflag.FlagSet) error {
	entries, err := c.entries()
	if err != nil {
		return err
	}
	seen := map[string]string{}
	for _, entry := range entries {
		name := entry.Key.GetToken().Value
		switch first := seen[name]; {
		case c.known[name] == nil:
			return c.unknown(entry.Key, name)
		case first != "":
			return c.wrong(entry.Key, "%s is set twice, first at %s", name, first)
		}
		seen[name] = c.position(entry.Key)
		if err := c.set(flags, name, entry); err != nil {
			return err
		}
	}
	return nil
}

// unknown says of a name what it may have meant.
func (c configFile) unknown(key ast.Node, name string) error {
	dashed := strings.ReplaceAll(strings.TrimLeft(name, "-"), "_", "-")
	switch near := spelling.Nearest(dashed, slices.Sorted(maps.Keys(c.known))); {
	case name == configFlag || name == printFlag:
		return c.wrong(key, "%s can only be typed", name)
	case near != "":
		return c.wrong(key, "there is no setting %s: did you mean %s?", quote(name), near)
	}
	return c.wrong(key, "there is no setting %s: they are called as the flags in 'poscrape run --help'", quote(name))
}

// set sets a flag, where it means to the command what it means to run, and nothing that comes
// first has set it.
func (c configFile) set(flags *pflag.FlagSet, name string, entry *ast.MappingValueNode) error {
	values, err := c.values(entry.Value)
	if err != nil {
		return err
	}
	f := flags.Lookup(name)
	if f == nil || !sameMeaning(f, c.known[name]) { // it means something else here
		return nil
	}
	if f.Changed || f.Annotations[fromEnvironment] != nil || name == "chrome" && os.Getenv(variable(name)) != "" {
		return nil
	}
	at := c.position(entry.Value) + ": " + name
	for _, value := range values {
		if err := f.Value.Set(value); err != nil {
			return invalidValue(at, f, value, err)
		}
	}
	return flags.SetAnnotation(name, fromFile, []string{at})
}

// values returns what a flag is set to: one value, each of a list, or NAME=VALUE for each of a
// mapping.
func (c configFile) values(n ast.Node) ([]string, error) {
	switch n := n.(type) {
	case *ast.SequenceNode:
		var list []string
		for _, item := range n.Values {
			text, err := c.scalar(item)
			if err != nil {
				return nil, err
			}
			list = append(list, text)
		}
		return list, nil
	case *ast.MappingNode:
		var list []string
		for _, entry := range n.Values {
			text, err := c.scalar(entry.Value)
			if err != nil {
				return nil, err
			}
			list = append(list, entry.Key.GetToken().Value+"="+text)
		}
		return list, nil
	}
	text, err := c.scalar(n)
	return []string{text}, err
}

// scalar returns a single value as it is typed.
func (c configFile) scalar(n ast.Node) (string, error) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return strings.TrimSuffix(n.Value.Value, "\n"), nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, nil
	case *ast.NullNode:
		return "", c.wrong(n, "there is no value; leave the line out, or write one")
	}
	return "", c.wrong(n, "it is not a single value")
}
