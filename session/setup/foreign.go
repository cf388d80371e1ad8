package setup

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/session/folder"
)

// Setting is one of a session's that was made elsewhere.
type Setting struct {
	// Flag is its name without dashes, and Values are what it is set to, without passwords.
	Flag   string
	Values []string
}

// Flags returns it as it is typed, after a space.
func (s Setting) Flags() string {
	flags := ""
	for _, value := range s.Values {
		if value == "true" {
			flags += " --" + s.Flag
		} else {
			flags += shell.Flag(s.Flag, value)
		}
	}
	return flags
}

// ForeignError says which settings of a session that was made elsewhere do not count before they
// are typed, or the folder is allowed.
type ForeignError struct {
	// Dir is the session's folder.
	Dir      string
	Settings []Setting
}

func (e *ForeignError) Error() string {
	var text strings.Builder
	text.WriteString(e.Dir + " was not made by you with this state directory, or was changed since; these of its settings say how or as whom the portal is reached or read, and do not count by themselves:")
	for _, s := range e.Settings {
		text.WriteString("\n" + s.Flag + ": " + strings.Join(s.Values, ", "))
	}
	return text.String()
}

// setting is where the settings have one.
type setting struct {
	flag string
	at   any // *string, *bool or *[]string
}

// reaching are the settings that say how or as whom a portal is reached or read, but for the recipe.
func (c *Config) reaching() []setting {
	return []setting{
		{"url", &c.URL}, {"state", &c.State}, {"secret", &c.Secrets}, {"base-profile", &c.BaseProfile},
		{"proxy", &c.Proxy}, {"ca", &c.CA}, {"chrome", &c.Chrome}, {"no-sandbox", &c.NoSandbox}, {"allow-local", &c.AllowLocal},
		{"container-engine", &c.ContainerEngine}, {"container-image", &c.ContainerImage}, {"container-args", &c.ContainerArgs},
	}
}

// writing are the settings that name files and folders of this machine beside the session's own.
func (c *Config) writing() []setting {
	return []setting{{"log-file", &c.LogFile}, {"temp-dir", &c.TempDir}, {"skip-done", &c.SkipDone}, {"update", &c.Update}}
}

// values returns what it is set to, without passwords.
func (s setting) values() (values []string) {
	switch at := s.at.(type) {
	case *string:
		if *at != "" {
			values = []string{*at}
		}
	case *[]string:
		values = append(values, *at...)
	case *bool:
		if *at {
			values = []string{"true"}
		}
	}
	for i := range values {
		values[i] = browser.RedactText(values[i])
	}
	return values
}

func (s setting) clear() {
	switch at := s.at.(type) {
	case *string:
		*at = ""
	case *[]string:
		*at = nil
	case *bool:
		*at = false
	}
}

// Reaching are the names of the flags that say how or as whom a portal is reached or read.
func Reaching() []string {
	names := []string{"recipe"}
	for _, s := range new(Config).reaching() {
		names = append(names, s.flag)
	}
	return names
}

// Disown takes out of the settings of a session that was made elsewhere what must be typed, and
// what names files of this machine. Given sets those that were typed, and returns their names; nil:
// none was. It returns those that were not typed, and the names of those that are dropped.
func (c *Config) Disown(given func(*Config) []string) (missing []Setting, dropped []string) {
	for _, s := range c.reaching() {
		if values := s.values(); values != nil {
			missing = append(missing, Setting{s.flag, values})
		}
		s.clear()
	}
	for _, s := range c.writing() {
		if s.values() != nil {
			dropped = append(dropped, s.flag)
		}
		s.clear()
	}
	c.ProxyUser, c.URLFound, c.LocalHost = false, false, nil
	c.IsolationRequired = c.IsolationRequired || c.contained() // its maker wanted its pages locked up
	if given != nil {
		typed := given(c)
		missing = slices.DeleteFunc(missing, func(s Setting) bool { return slices.Contains(typed, s.Flag) })
	}
	return missing, dropped
}

// Allow makes the session in a folder this user's own, as it is now, and returns its settings that say how or
// as whom the portal is reached or read, and those that name files of this machine.
func Allow(ctx context.Context, dir string) (settings []Setting, err error) {
	if dir, err = folder.FindOwn(dir); err != nil {
		return nil, err
	}
	f, err := folder.Take(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	was, err := Read(ctx, f.Ledger, dir)
	if err != nil {
		return nil, err
	}
	settings = was.unknown()
	for _, s := range append(was.reaching(), was.writing()...) {
		if values := s.values(); values != nil {
			settings = append(settings, Setting{s.flag, values})
		}
	}
	return settings, f.Ledger.Sign(ctx)
}

// unknown returns the recipes that the session brings with it.
func (r *Remembered) unknown() []Setting {
	if len(r.Recipes) > 0 {
		return r.Recipes.unknown()
	}
	return Recipes{{File: r.RecipeFile, Text: r.Recipe}}.unknown()
}

// DroppedText says of a session that was made elsewhere which of its settings are not used, or "".
func DroppedText(dir string, dropped []string) string {
	if len(dropped) == 0 {
		return ""
	}
	return dir + " was made elsewhere, so its own " + strings.Join(dropped, ", ") + " does not count"
}

// unknown returns the files of the recipes whose texts a session that was made elsewhere brings with it.
func (rs Recipes) unknown() []Setting {
	var files []string
	for _, r := range rs {
		if r.Recipe == nil && (r.Text != "" || r.File != "") {
			files = append(files, r.File)
		}
	}
	if files == nil {
		return nil
	}
	for i := range files {
		if files[i] == "" {
			files[i] = "RECIPE"
		}
	}
	return []Setting{{"recipe", files}}
}
