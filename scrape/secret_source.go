package scrape

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/nofollow"
)

// sources say where a recipe's secrets come from, besides what it may read unasked.
type sources struct {
	// recipe is the recipe's file.
	recipe string
	// given are sources that were typed, by the names that the recipe has for the secrets.
	given map[string]Secret
	// allowed: a person has allowed all that the recipe reads.
	allowed bool
}

// unasked are the beginnings of the names of variables that any recipe may read.
var unasked = []string{"PORTAL_", "POSCRAPE_SECRET_"}

// ParseSource reads NAME=env:VAR or NAME=file:PATH: NAME is what follows env: or file: in the recipe.
func ParseSource(text string) (name string, source Secret, err error) {
	// A name may have a "=", as files have.
	for _, kind := range []string{"=env:", "=file:"} {
		before, value, found := strings.Cut(text, kind)
		if !found || before == "" || value == "" {
			continue
		}
		switch {
		case kind == "=file:":
			return before, Secret{File: value}, nil
		case !envName.MatchString(value):
			return "", Secret{}, fmt.Errorf("%q is no name of a variable", value)
		}
		return before, Secret{Env: value}, nil
	}
	return "", Secret{}, fmt.Errorf("it is not NAME=env:VAR or NAME=file:PATH, where NAME is what follows env: or file: in the recipe")
}

// GiveSecrets says where secrets come from: sources as ParseSource reads them, by names. Allowed lets the recipe
// read all that it names. Names that no recipe has do no harm.
func (r *Recipe) GiveSecrets(given map[string]Secret, allowed bool) {
	if r.sources != nil {
		r.sources.given, r.sources.allowed = given, allowed
	}
}

// Name returns what follows env: or file: in the recipe.
func (s Secret) Name() string { return cmp.Or(s.Env, s.written, s.File) }

// String returns it as it is written in a recipe, with the path of a file as it is found.
func (s Secret) String() string {
	if s.Env != "" {
		return "env:" + s.Env
	}
	return "file:" + s.File
}

// source returns where the secret is read from, and whether a person has said so.
func (s Secret) source() (_ Secret, free bool) {
	if s.sources == nil {
		return s, false
	}
	for name, given := range s.sources.given {
		if name == s.Name() {
			return given, true
		}
	}
	return s, s.sources.allowed
}

// closed says why a recipe may not read the secret unasked, or returns "".
func (s Secret) closed() string {
	if s.Env != "" {
		if slices.ContainsFunc(unasked, func(prefix string) bool { return strings.HasPrefix(s.Env, prefix) }) {
			return ""
		}
		return fmt.Sprintf("%s is none of the variables that a recipe may read unasked (%s...)", s.Env, strings.Join(unasked, "..., "))
	}
	recipe := ""
	if s.sources != nil {
		recipe = s.sources.recipe
	}
	dir, err := filepath.Abs(filepath.Dir(recipe))
	file, err2 := filepath.Abs(s.File)
	rel := ""
	if err == nil && err2 == nil {
		rel, err = filepath.Rel(dir, file)
	}
	if err != nil || err2 != nil || !filepath.IsLocal(rel) {
		return fmt.Sprintf("%s lies outside of the recipe's folder, where it may read no file unasked", s.File)
	}
	if slices.ContainsFunc(strings.Split(filepath.ToSlash(rel), "/"), func(part string) bool { return strings.HasPrefix(part, ".") }) {
		return fmt.Sprintf("%s is hidden, by a dot before a name in its path, so that no recipe may read it unasked", s.File)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "" // reading it says what is wrong
	}
	defer root.Close()
	info, err := nofollow.Lstat(root, rel)
	switch {
	case os.IsNotExist(err):
		return "" // as above
	case err != nil || !info.Mode().IsRegular() || nofollow.Shared(file):
		return fmt.Sprintf("%s is no file of its own, but leads elsewhere, so that no recipe may read it unasked", s.File)
	case info.Size() > maxSecretBytes:
		return "" // as above
	}
	text, err := root.ReadFile(rel)
	if err == nil && int64(len(text)) != info.Size() {
		return fmt.Sprintf("%s is no file with a size of its own, so that no recipe may read it unasked", s.File)
	}
	if line := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"); err == nil && strings.ContainsAny(line, "\r\n") {
		return fmt.Sprintf("%s has several lines, and a recipe may read only files of one line unasked", s.File)
	}
	return ""
}
