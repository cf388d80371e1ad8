package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/spf13/cobra"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/internal/trust"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/folder"
)

// The kinds of settings of a file that a person has allowed: those that do not count otherwise, and those that
// count as if they were typed, also for a session that was made elsewhere.
const (
	allowedConfig = "allowed settings"
	typedConfig   = "typed settings"
)

// allowedAlone are the settings that count in a file that was only found if a person has allowed them:
// they run programs, or say whom to trust and where to write.
var allowedAlone = []string{
	"on-end", "chrome", "no-sandbox", "proxy", "ca", "base-profile", "secret", "hub", "hub-credentials", "allow-local", "log-file", "temp-dir",
}

// mustBeAllowed reports whether a setting with these values has to be allowed, in a file in dir.
func mustBeAllowed(name string, values []string, dir string) bool {
	switch name {
	case "ui", "metrics-addr":
		return slices.ContainsFunc(values, beyondLoopback)
	case "recipe", "state", "out":
		return slices.ContainsFunc(values, func(path string) bool {
			if !filepath.IsAbs(path) {
				path = filepath.Join(dir, path)
			}
			return !trust.Inside(dir, path)
		})
	}
	return slices.Contains(allowedAlone, name) || strings.HasPrefix(name, "container-")
}

// isReaching reports whether a setting says how or as whom a portal is reached or read.
func isReaching(name string, _ []string, _ string) bool {
	return slices.Contains(session.Reaching(), name)
}

// beyondLoopback reports whether an address to listen at can be reached from other machines. Without a
// host it cannot.
func beyondLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
		if strings.Trim(addr, "0123456789") == "" { // a port alone
			host = ""
		}
	}
	ip := net.ParseIP(host)
	return host != "" && !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback())
}

// those returns some of the settings of the file, and its path.
func (c configFile) those(are func(name string, values []string, dir string) bool) (path string, settings []session.Setting, err error) {
	if path, err = filepath.Abs(c.name); err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", nil, unreadable(c.name, err)
	}
	entries, err := c.entries()
	if err != nil {
		return "", nil, err
	}
	for _, entry := range entries {
		if _, null := entry.Value.(*ast.NullNode); null {
			continue // that is an error of its own
		}
		name := entry.Key.GetToken().Value
		values, err := c.values(entry.Value)
		if err != nil {
			return "", nil, err
		}
		if are(name, values, filepath.Dir(path)) {
			settings = append(settings, session.Setting{Flag: name, Values: values})
		}
	}
	return path, settings, nil
}

// admit returns an error where the file has settings that were not allowed as they are.
func (c configFile) admit() error {
	path, settings, err := c.those(mustBeAllowed)
	if err != nil || len(settings) == 0 || isAllowed(allowedConfig, path, settings) {
		return err
	}
	return usageErrorf("%s here has settings that run programs, or say whom to trust or where to write; they were not allowed as they are now:\n%s\nif you trust them, type: poscrape config allow %s\nor name the file with --config %[3]s", c.name, shownSettings(settings), shell.Word(c.name))
}

// countsAsTyped reports whether the file's settings by which portals are reached were allowed as they are.
func (c configFile) countsAsTyped() bool {
	path, settings, err := c.those(isReaching)
	return err == nil && isAllowed(typedConfig, path, settings)
}

// isAllowed reports whether a person has allowed settings of the file at a path, as they are.
func isAllowed(kind, path string, settings []session.Setting) bool {
	_, allowed := trust.Open().Kept(kind, allParts(path, settings)...)
	return allowed
}

// allParts returns settings of the file at a path as what a code is made of.
func allParts(path string, settings []session.Setting) (parts []string) {
	parts = []string{path}
	for _, s := range settings {
		parts = append(parts, s.Flag, fmt.Sprintf("%q", s.Values))
	}
	return parts
}

// shownSettings shows settings for a person, a line each, without passwords.
func shownSettings(settings []session.Setting) string {
	var lines []string
	for _, s := range settings {
		values := slices.Clone(s.Values)
		for i := range values {
			if s.Flag == "proxy" {
				values[i] = withoutPassword(values[i])
			}
			values[i] = browser.RedactText(values[i])
		}
		lines = append(lines, s.Flag+": "+strings.Join(values, ", "))
	}
	return strings.Join(lines, "\n")
}

const configAllowLong = `Let a file or a folder that may come from somebody else name programs, secrets
and whom to trust, as it is now. It shows what that is. Once any of it changes, it
has to be allowed again.

  poscrape.yaml    settings that run programs, or say whom to trust or where to
                   write, and those by which a session that was made elsewhere
                   is gone on with; without FILE, the one in the working
                   directory
  a recipe         variables and files that it may not read by itself
  a session DIR    settings by which its portal is reached and read, of a session
                   that was made elsewhere

Look at it first: whoever made it may run programs as you, and sign in as you.`

func (p *program) newConfigCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config COMMAND",
		Short: "Allow settings, recipes and sessions that came from elsewhere",
		Args:  knownCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:               "allow [FILE|DIR]",
		Short:             "Let a found poscrape.yaml, a recipe or a session made elsewhere name programs and secrets",
		Long:              configAllowLong,
		Example:           "  poscrape config allow\n  poscrape config allow acme.yaml\n  poscrape config allow poscrape-out/20260302-091500-4f2a7c",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeOneFile("yaml", "yml"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := configName
			if len(args) > 0 {
				path = args[0]
			}
			text, err := p.allow(cmd, path)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(p.stdout, printable(text))
			return err
		},
	})
	return cmd
}

// allow allows what is at a path, and says what that is.
func (p *program) allow(cmd *cobra.Command, path string) (string, error) {
	if err := trust.Open().Err(); err != nil {
		return "", &environmentError{err}
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", usageErrorf("%s cannot be read: %s; name a %s, a recipe or the folder of a session", path, folder.Reason(err), configName)
	}
	if info.IsDir() {
		if _, err := os.Stat(filepath.Join(path, folder.LedgerName)); !errors.Is(err, fs.ErrNotExist) {
			settings, err := session.Allow(cmd.Context(), path)
			return "allowed: the session in " + path + "\n" + lines(shownSettings(settings)), err
		}
		path = filepath.Join(path, configName)
	}
	if filepath.Base(path) != configName {
		takes, err := session.AllowRecipe(path, isSetting(cmd.Root()))
		return "allowed: the recipe " + path + " " + takes + "\n", err
	}
	text, err := readConfig(path)
	if err != nil {
		return "", err
	}
	c := configFile{name: path, text: text, known: configurable(cmd.Root())}
	return c.allow()
}

// allow allows the settings of the file that have to be, and those that count as typed then.
func (c configFile) allow() (string, error) {
	_, shown, err := c.those(func(name string, values []string, dir string) bool {
		return mustBeAllowed(name, values, dir) || isReaching(name, values, dir)
	})
	if err != nil {
		return "", err
	}
	if len(shown) == 0 {
		return c.name + " has nothing that must be allowed\n", nil
	}
	for kind, are := range map[string]func(string, []string, string) bool{allowedConfig: mustBeAllowed, typedConfig: isReaching} {
		file, settings, err := c.those(are)
		if err != nil {
			return "", err
		}
		if _, err := trust.Open().Keep("", kind, allParts(file, settings)...); err != nil {
			return "", err
		}
	}
	return "allowed: in " + c.name + "\n" + lines(shownSettings(shown)), nil
}

// isSetting returns a function that says of a variable whether it stands for a flag.
func isSetting(root *cobra.Command) func(env string) bool {
	known := configurable(root)
	return func(env string) bool {
		for name := range known {
			if strings.EqualFold(env, variable(name)) {
				return true
			}
		}
		return strings.EqualFold(env, variable(configFlag))
	}
}

// checkSecrets returns an error where a secret is to come from a variable that stands for a flag.
func checkSecrets(cmd *cobra.Command) error {
	if cmd.Flags().Lookup("secret") == nil {
		return nil
	}
	sources, err := cmd.Flags().GetStringArray("secret")
	is := isSetting(cmd.Root())
	for _, text := range sources {
		if _, source, wrong := scrape.ParseSource(text); wrong == nil && is(source.Env) {
			return usageErrorf("--secret: %s is a setting of poscrape, which no recipe may read", source.Env)
		}
	}
	return err
}

// lines returns a text with each of its lines set in and ended.
func lines(text string) string {
	if text == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}
