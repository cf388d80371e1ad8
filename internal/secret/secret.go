// Package secret reads what must not stand in a recipe: from a variable or a file, as far as the recipe may.
package secret

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/nofollow"
	"github.com/poscrape/poscrape/internal/shell"
)

// Secret says where something is that must not stand in a recipe: in a variable of the
// environment, or in a file. It never holds the secret itself.
type Secret struct {
	Env, File string
	// Written is the path of File as it stands in the recipe.
	Written string
	// Sources are those of the recipe, or nil.
	Sources *Sources
}

// maxSecretBytes: what is longer is no password.
const maxSecretBytes = 64 << 10

// Error says that a secret is not where the recipe says.
type Error struct {
	// File is the recipe, or empty; Line in it is counted from 1.
	File string
	Line int
	// Field is the path of the key in the recipe.
	Field string
	// Message says what to do about it, and never what was read.
	Message string
	// Type is the flag that lets the recipe read it all the same, or empty.
	Type string
}

func (e *Error) Error() string {
	text := e.Field + ": " + e.Message
	if e.Type != "" {
		text += "; if it shall read that, add " + e.Type + ", or let it by 'poscrape config allow " + shell.Word(cmp.Or(e.File, "RECIPE")) + "'"
	}
	if e.File != "" && e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, text)
	}
	return text
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// IsVariable reports whether a text can be the name of a variable.
func IsVariable(text string) bool { return envName.MatchString(text) }

// Read returns the secret, of a file without the line break at its end. It returns a
// *Error; field is the path of the key that asks for it.
func (s Secret) Read(field string) (string, error) {
	fail := func(format string, args ...any) (string, error) {
		return "", &Error{Field: field, Message: fmt.Sprintf(format, args...)}
	}
	asked := s
	s, free := s.Source()
	if !free {
		if why := s.closed(); why != "" {
			return "", &Error{Field: field, Message: why, Type: "--secret " + asked.Name() + "=" + s.String()}
		}
	}
	if s.Env != "" {
		value := os.Getenv(s.Env)
		if value == "" {
			return fail("the environment variable %s is empty or not set; set it, and give the same command again", s.Env)
		}
		return value, nil
	}
	info, err := os.Stat(s.File)
	var text []byte
	switch {
	case err != nil:
	case !info.Mode().IsRegular() && info.Size() > 0 || info.IsDir() || info.Size() > maxSecretBytes:
		return fail("%s is no file with a secret in it", s.File)
	default:
		text, err = os.ReadFile(s.File)
	}
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	value, lineBreak := strings.CutSuffix(string(text), "\n")
	if lineBreak {
		value = strings.TrimSuffix(value, "\r")
	}
	switch {
	case err != nil:
		return fail("the file %s cannot be read: %v", s.File, err)
	case value == "":
		return fail("the file %s is empty", s.File)
	}
	return value, nil
}

// Sources say where a recipe's secrets come from, besides what it may read unasked.
type Sources struct {
	// Recipe is the recipe's file.
	Recipe string
	// Given are sources that were typed, by the names that the recipe has for the secrets.
	Given map[string]Secret
	// Allowed: a person has allowed all that the recipe reads.
	Allowed bool
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

// Name returns what follows env: or file: in the recipe.
func (s Secret) Name() string { return cmp.Or(s.Env, s.Written, s.File) }

// String returns it as it is written in a recipe, with the path of a file as it is found.
func (s Secret) String() string {
	if s.Env != "" {
		return "env:" + s.Env
	}
	return "file:" + s.File
}

// Source returns where the secret is read from, and whether a person has said so.
func (s Secret) Source() (_ Secret, free bool) {
	if s.Sources == nil {
		return s, false
	}
	for name, given := range s.Sources.Given {
		if name == s.Name() {
			return given, true
		}
	}
	return s, s.Sources.Allowed
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
	if s.Sources != nil {
		recipe = s.Sources.Recipe
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
