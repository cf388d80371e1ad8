package setup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/trust"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/signin"
)

// The kinds of what is kept in the state directory of recipes: which of them a person has allowed,
// which were introduced, and where a secret's value first went.
const (
	allowedRecipe    = "allowed recipe"
	introducedRecipe = "introduced recipe"
	firstOrigins     = "first origins"
	origin           = "origin"
)

func (c Config) validateSecrets() error {
	for _, text := range c.Secrets {
		if _, _, err := scrape.ParseSource(text); err != nil {
			return bad("secret", "%v", err)
		}
	}
	return nil
}

// lastingSource returns the source of a secret with a path that leads to the same file from
// whatever directory.
func lastingSource(text string) string {
	name, source, err := scrape.ParseSource(text)
	if err != nil || source.File == "" {
		return text
	}
	if abs, err := filepath.Abs(source.File); err == nil {
		source.File = abs
	}
	return name + "=" + source.String()
}

// takes returns what a recipe takes in a session with these settings.
func (c Config) takes(r Recipe) scrape.Takes {
	r.TypedURL, r.FoundURL = c.TypedURL(), ""
	if c.URLFound {
		r.FoundURL = c.URL
	}
	return r.Takes()
}

// Admit says to the recipes where their secrets come from, and returns a *scrape.SecretError for the
// first that cannot be read, may not be read unasked, or would go unasked to another origin than at
// first. Begin: the secrets are used from now on, so that where they go is kept.
func (rs Recipes) Admit(c Config, begin bool) error {
	given := map[string]scrape.Secret{}
	for _, text := range c.Secrets {
		name, source, err := scrape.ParseSource(text)
		if err != nil {
			return bad("secret", "%v", err)
		}
		given[name] = source
	}
	store := trust.Open()
	typedFor := map[string]typed{}
	for _, r := range rs {
		takes := c.takes(r)
		_, allowed := store.Kept(allowedRecipe, takes.Key())
		r.GiveSecrets(given, allowed)
		if !allowed {
			if err := oneFor(typedFor, given, r, takes); err != nil {
				return err
			}
		}
		if err := r.CheckSecrets(); err != nil {
			return err
		}
		for _, read := range takes.Reads {
			if err := first(store, r, read, begin); err != nil {
				return err
			}
		}
	}
	return nil
}

// typed is a recipe that a typed secret is for, and the origins that it sends that to.
type typed struct {
	file string
	to   []string
}

// oneFor returns an error if a typed secret is read by this recipe and by one before that sends it elsewhere: it was
// typed for one of them, and nobody knows which.
func oneFor(before map[string]typed, given map[string]scrape.Secret, r Recipe, takes scrape.Takes) error {
	for _, read := range takes.Reads {
		name := read.Name()
		if _, is := given[name]; !is {
			continue
		}
		to := slices.Sorted(slices.Values(read.To))
		was, known := before[name]
		if known && !slices.Equal(was.to, to) {
			return bad("secret", "%s is read by two recipes that send it to different hosts, by %s to %s and by %s to %s; give it a name of its own in each of them and type both, or let each read it by 'poscrape config allow RECIPE'",
				name, was.file, strings.Join(was.to, ", "), r.File, strings.Join(to, ", "))
		}
		before[name] = typed{r.File, to}
	}
	return nil
}

// first returns an error if a secret's value first went elsewhere than where it would go now.
// Where nothing can be kept, it may go.
func first(store *trust.Store, r Recipe, read scrape.Read, begin bool) error {
	value, to := read.Unasked()
	if len(to) == 0 {
		return nil
	}
	kept, ok := store.Kept(firstOrigins, value)
	if !ok && !begin {
		return nil
	}
	codes := make([]string, len(to))
	for i, one := range to {
		codes[i] = store.Code(origin, one)
	}
	if !ok {
		var err error
		if kept, err = store.Keep(strings.Join(codes, "\n"), firstOrigins, value); err != nil {
			return nil //nolint:nilerr // what that costs is said once, for all
		}
	}
	for i, one := range to {
		if !slices.Contains(strings.Split(kept, "\n"), codes[i]) {
			return read.Elsewhere(r.File, one)
		}
	}
	return nil
}

// Introduce returns what to say of the recipes that are used for the first time, and remembers that
// it was said.
func (rs Recipes) Introduce(c Config) (texts []string) {
	store := trust.Open()
	for _, r := range rs {
		if r.Auto {
			continue
		}
		takes := c.takes(r)
		if _, known := store.Kept(introducedRecipe, takes.Key()); known {
			continue
		}
		text := "the recipe " + r.Name + " is used here for the first time: it " + takes.Text()
		if beside := signin.PathFor(r.File); c.State == "" && r.File != "" && isThere(beside) {
			text += "; uses the sign-in in " + beside
		}
		texts = append(texts, text)
		_, _ = store.Keep("", introducedRecipe, takes.Key()) // else it is said again
	}
	return texts
}

func isThere(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// TakesText says what a recipe takes of its user.
func (c Config) TakesText(r Recipe) string { return c.takes(r).Text() }

// AllowRecipe lets the recipe in a file read all that it names, and send that where it says, as it is
// now, and returns what that is. Never says of a variable that no recipe may read it.
func AllowRecipe(file string, never func(env string) bool) (takes string, err error) {
	recipe, text, err := ReadRecipe(file)
	if err != nil {
		return "", err
	}
	r := Recipe{File: file, Text: text, Recipe: recipe}
	for _, read := range (Config{}).takes(r).Reads {
		if never(read.Env) {
			return "", bad("recipe", "%s reads %s, which is a setting of poscrape, so that no recipe may read it; name another variable there", file, read.Env)
		}
	}
	_, err = trust.Open().Keep("", allowedRecipe, Config{}.takes(r).Key())
	return Config{}.TakesText(r), err
}
