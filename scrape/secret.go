package scrape

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/otp"
	"github.com/poscrape/poscrape/internal/shell"
)

// Secret says where something is that must not stand in a recipe: in a variable of the
// environment, or in a file. It never holds the secret itself.
type Secret struct {
	Env, File string
	// written is the path of File as it stands in the recipe.
	written string
	// sources are those of the recipe, or nil.
	sources *sources
}

// maxSecretBytes: what is longer is no password.
const maxSecretBytes = 64 << 10

// SecretError says that a secret is not where the recipe says.
type SecretError struct {
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

func (e *SecretError) Error() string {
	text := e.Field + ": " + e.Message
	if e.Type != "" {
		text += "; if it shall read that, add " + e.Type + ", or let it by 'poscrape config allow " + shell.Word(cmp.Or(e.File, "RECIPE")) + "'"
	}
	if e.File != "" && e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, text)
	}
	return text
}

// CheckSecrets returns a *SecretError for the first secret of the recipe that goes where it may not, is not where it
// should be, or cannot be what it is for.
func (r *Recipe) CheckSecrets() error {
	if err := r.checkOrigins(); err != nil {
		return err
	}
	check := func(s Secret, at position, field string, fits func(string) error) error {
		if s == (Secret{}) {
			return nil
		}
		value, err := s.Read(field)
		if err == nil {
			if err = fits(value); err != nil {
				err = &SecretError{Field: field, Message: "what was read " + err.Error()}
			}
		}
		var missing *SecretError
		if errors.As(err, &missing) {
			missing.File, missing.Line = r.File, at.line
		}
		return err
	}
	anything := func(string) error { return nil }
	for _, step := range r.allSteps() {
		fits := anything
		if step.Kind == StepTOTP {
			fits = func(text string) error { _, err := otp.Parse(text); return err }
		}
		if err := check(step.Secret, step.at, step.field(), fits); err != nil {
			return err
		}
	}
	for _, h := range r.headers() {
		if err := check(h.Secret, h.at, "headers."+h.Name, anything); err != nil {
			return err
		}
	}
	if r.Login == nil || r.Login.HTTP == nil {
		return nil
	}
	http := r.Login.HTTP
	if err := check(http.User, http.at, "login.http.user", anything); err != nil {
		return err
	}
	return check(http.Password, http.at, "login.http.password", anything)
}

// Read returns the secret, of a file without the line break at its end. It returns a
// *SecretError; field is the path of the key that asks for it.
func (s Secret) Read(field string) (string, error) {
	fail := func(format string, args ...any) (string, error) {
		return "", &SecretError{Field: field, Message: fmt.Sprintf(format, args...)}
	}
	asked := s
	s, free := s.source()
	if !free {
		if why := s.closed(); why != "" {
			return "", &SecretError{Field: field, Message: why, Type: "--secret " + asked.Name() + "=" + s.String()}
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

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// parseSecret reads "env:NAME" or "file:PATH". Its errors do not quote what is written,
// which may be the secret itself. A path is relative to the recipe's folder.
func (rd *recipeReader) parseSecret(n ast.Node) (Secret, error) {
	wrong := errors.New("must be env:NAME or file:PATH: secrets do not belong in a recipe")
	text, ok := scalarText(n)
	if !ok {
		return Secret{}, wrong
	}
	kind, value, _ := strings.Cut(strings.TrimSpace(text), ":")
	switch {
	case kind == "env" && envName.MatchString(value):
		return Secret{Env: value, sources: rd.recipe.sources}, nil
	case kind == "file" && value != "":
		return Secret{File: rd.secretPath(value), written: value, sources: rd.recipe.sources}, nil
	}
	return Secret{}, wrong
}

// secretFile reads the path of a file with a secret.
func (rd *recipeReader) secretFile(dst *Secret) readNode {
	return one(rd, &dst.File, func(n ast.Node) (string, error) {
		path, err := parseText(n)
		if err == nil {
			dst.written = path
			path = rd.secretPath(path)
		}
		return path, err
	})
}

func (rd *recipeReader) secretPath(path string) string { return secretPath(rd.recipe.File, path) }

func secretPath(recipe, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(recipe), path)
}
