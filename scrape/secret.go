package scrape

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/otp"
	"github.com/poscrape/poscrape/internal/secret"
)

// Secret says where something is that must not stand in a recipe.
type Secret = secret.Secret

// SecretError says that a secret is not where the recipe says.
type SecretError = secret.Error

// ParseSource reads NAME=env:VAR or NAME=file:PATH: NAME is what follows env: or file: in the recipe.
func ParseSource(text string) (name string, source Secret, err error) {
	return secret.ParseSource(text)
}

// GiveSecrets says where secrets come from: sources as ParseSource reads them, by names. Allowed lets the recipe
// read all that it names. Names that no recipe has do no harm.
func (r *Recipe) GiveSecrets(given map[string]Secret, allowed bool) {
	if r.sources != nil {
		r.sources.Given, r.sources.Allowed = given, allowed
	}
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
	case kind == "env" && secret.IsVariable(value):
		return Secret{Env: value, Sources: rd.recipe.sources}, nil
	case kind == "file" && value != "":
		return Secret{File: rd.secretPath(value), Written: value, Sources: rd.recipe.sources}, nil
	}
	return Secret{}, wrong
}

// secretFile reads the path of a file with a secret.
func (rd *recipeReader) secretFile(dst *Secret) readNode {
	return one(rd, &dst.File, func(n ast.Node) (string, error) {
		path, err := parseText(n)
		if err == nil {
			dst.Written = path
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
