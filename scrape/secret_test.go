package scrape

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSecret(t *testing.T) {
	t.Setenv("POSCRAPE_SECRET_TEST", " s3cret ")
	t.Setenv("POSCRAPE_SECRET_EMPTY", "")
	dir := t.TempDir()
	below := func(path string) Secret {
		return Secret{File: path, sources: &sources{recipe: filepath.Join(dir, "r.yaml")}}
	}
	write := func(name, text string) Secret {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return below(path)
	}
	for name, c := range map[string]struct {
		secret     Secret
		want, fail string
	}{
		"variable":       {Secret{Env: "POSCRAPE_SECRET_TEST"}, " s3cret ", ""},
		"empty variable": {Secret{Env: "POSCRAPE_SECRET_EMPTY"}, "", "POSCRAPE_SECRET_EMPTY is empty or not set"},
		"file":           {write("good", "s3cret\r\n"), "s3cret", ""},
		"empty file":     {write("empty", "\n"), "", "is empty"},
		"large file":     {write("large", strings.Repeat("s3cret", 20000)), "", "is no file with a secret"},
		"folder":         {below(filepath.Dir(write("folder/x", "x").File)), "", "is no file of its own"},
		"no file":        {below(filepath.Join(dir, "none")), "", "cannot be read"},
	} {
		got, err := c.secret.Read("login.http.user")
		switch {
		case c.fail == "" && (err != nil || got != c.want):
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		case c.fail != "" && (err == nil || !strings.Contains(err.Error(), c.fail) || strings.Contains(err.Error(), "s3cret")):
			t.Errorf("%s: got the error %v, want %q", name, err, c.fail)
		}
	}
}

// TestSecretsDoNotBelongInARecipe: what is written in place of a secret's place is never
// quoted.
func TestSecretsDoNotBelongInARecipe(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"hunter2", `"hunter2:x"`, "env:hunter2-x", `"env:"`, `"file:"`, "[hunter2]", "{hunter2: x}", `"hunter2 env:X"`, "12345"} {
		_, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nbase_url: https://portal.example\nlogin:\n  http: {user: env:USER, password: "+text+"}\n"))
		if err == nil || !strings.Contains(err.Error(), "r.yaml:4:") || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "12345") {
			t.Errorf("%s: got %v", text, err)
		}
	}
	_, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nlogin:\n  http: {user: env:USER, password: file:p}\n"))
	if err == nil || !strings.Contains(err.Error(), "login.http needs a base_url") {
		t.Errorf("without a base_url: got %v", err)
	}
}

func TestWhoMayKnowThePassword(t *testing.T) {
	t.Parallel()
	r := &Recipe{BaseURL: "https://portal.example/x", AllowedHosts: []string{"files.example"}}
	for origin, want := range map[string]bool{
		"https://portal.example": true, "https://files.example": true, "http://portal.example": false,
		"https://portal.example.evil.example": false, "https://evil.example": false,
	} {
		u, err := url.Parse(origin)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.mayKnowPassword(u); got != want {
			t.Errorf("%s: got %v, want %v", origin, got, want)
		}
	}
}
