package scrape

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/secret"
)

func TestSecret(t *testing.T) {
	t.Setenv("POSCRAPE_SECRET_TEST", " s3cret ")
	t.Setenv("POSCRAPE_SECRET_EMPTY", "")
	dir := t.TempDir()
	below := func(path string) Secret {
		return Secret{File: path, Sources: &secret.Sources{Recipe: filepath.Join(dir, "r.yaml")}}
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
	r := &Recipe{BaseURL: "https://portal.example/x", AllowedHosts: []string{"files.example"}, Login: &LoginRule{Hosts: []string{"sso.example", "*.sso.example"}, HTTP: &HTTPLogin{To: []string{"api.example:8443"}}}}
	for origin, want := range map[string]bool{
		"https://portal.example": true, "https://PORTAL.example:443": true, "https://sso.example": true, "https://api.example:8443": true,
		"https://files.example": false, "http://portal.example": false, "https://portal.example:444": false, "https://a.sso.example": false, "https://api.example": false,
		"https://portal.example.evil.example": false, "https://evil.example": false, "http://sso.example": false,
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

// TestSecretOrigins holds the rule for whom secrets are against recipes.
func TestSecretOrigins(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"base_url: https://Portal.example:443/x": "https://portal.example",
		"base_url: http://portal.example:8080\nlogin: {hosts: [sso.example, 'id.example:8443', '*.corp.example']}": "http://portal.example:8080 https://sso.example http://sso.example https://id.example:8443 http://id.example:8443",
		"base_url: https://portal.example\nlogin: {start_url: 'https://login.example/a', hosts: [sso.example]}":    "https://portal.example https://login.example https://sso.example",
		"login: {start_url: 'http://login.example/a', hosts: [sso.example]}":                                       "http://login.example https://login.example https://sso.example http://sso.example",
		"base_url: http://portal.example:80": "http://portal.example https://portal.example",
		"base_url: https://münchen.example":  "https://xn--mnchen-3ya.example",
		"base_url: 'http://[0:0::1]:80'":     "http://[::1] https://[::1]",
		"base_url: http://[::1]:81":          "http://[::1]:81",
		"name: a":                            "",
	} {
		recipe, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\n"+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		origins := recipe.secretOrigins(true, nil)
		if got := strings.Join(origins, " "); got != want || origins == nil {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	typed := AutoRecipe()
	for url, want := range map[string]int{"https://portal.example/{po}": 1, "https://portal.example/{column:a}": 0, "": 0} {
		typed.TypedURL = url
		if got := typed.secretOrigins(false, nil); len(got) != want {
			t.Errorf("with --url %s: %v", url, got)
		}
	}
}

// TestRecipesThatSendSecretsElsewhere refuses those whose text alone shows it, with the line that would let them.
func TestRecipesThatSendSecretsElsewhere(t *testing.T) {
	t.Setenv("POSCRAPE_SECRET_TEST", "s3cret")
	const base, step, token = "base_url: https://portal.example\n", "open: {url: 'https://portal.example/{po}', steps: [{fill: {selector: p, env: POSCRAPE_SECRET_TEST}}]}\n", "fields:\n  token: {storage: auth}\n"
	for text, want := range map[string]string{
		base + step: "",
		step:        "r.yaml:2: open.steps[0].fill: nothing says which host may have this secret; write: base_url: https://portal.example, or give --url",
		base + token + "attachments: {url: '/a?t={token}&n={po}'}\n":                                                                                  "",
		base + token + "attachments: {url: 'https://evil.example/a?t={token}&n={po}'}\n":                                                              `r.yaml:5: fields.token: it stands in "https://evil.example/a?t={token}&n={po}", and as a secret it goes only to https://portal.example; if https://evil.example is to have it too, write: to: [evil.example]`,
		base + "fields:\n  token: {storage: auth, to: [api.example]}\nattachments: {url: 'https://api.example/a?t={token}&n={po}'}\n":                 "",
		base + token + "related: [{url: 'https://portal.example:444/a?t={token}&n={po}', attachments: {item: a}}]\n":                                  "to: [portal.example:444]",
		base + token + "related: [{url: 'http://portal.example/a?t={token}&n={po}', attachments: {item: a}}]\n":                                       `goes only to https://portal.example, and not to "http://portal.example"`,
		base + token + "  a: {get: 'https://api.example/{po}', headers: {Authorization: 'Bearer {token}'}, path: $.a}\n":                              "fields.token",
		base + "fields:\n  a: {get: 'https://api.example/{po}', headers: {X-Key: env:POSCRAPE_SECRET_TEST}, path: $.a}\n":                             "r.yaml:5: headers.X-Key: goes only to https://portal.example; if https://api.example is to have it too, write: X-Key: {env: POSCRAPE_SECRET_TEST, to: [api.example]}",
		base + "fields:\n  a: {get: 'https://api.example/{po}', headers: {X-Key: {env: POSCRAPE_SECRET_TEST, to: [api.example]}}, path: $.a}\n":       "",
		base + "fields:\n  a: {get: 'https://api.example/{po}', headers: {X-Requested-With: {value: Mine, to: [api.example]}}, path: $.a}\n":          "",
		base + token + "  a: {post: 'https://api.example/{po}', body: {t: '{token}'}, path: $.a}\n":                                                   "fields.token",
		"open: {url: 'https://app.example/{po}'}\nallowed_hosts: [app.example]\n" + token + "attachments: {url: 'https://app.example/a?t={token}'}\n": "",
	} {
		recipe, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\n"+strings.Replace(text, base, base+"allowed_hosts: [api.example, evil.example, portal.example]\n", 1)))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		err = recipe.CheckSecrets()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// FuzzSecretOrigins: whatever the recipe says, a secret goes to no host but those that it names, and not in the open
// unless the portal is.
func FuzzSecretOrigins(f *testing.F) {
	f.Add("https://portal.example", "sso.example:8443", "https://portal.example.evil.example/x")
	f.Add("http://portal.example:80/", "*.sso.example", "http://a.sso.example")
	f.Add("https://münchen.example", "::1", "https://[0::1]/")
	f.Add("https://user@portal.example:443", "sso.example:80", "https://sso.example@evil.example:80")
	f.Fuzz(func(t *testing.T, base, host, address string) {
		if checkHostPattern(host) != nil {
			return
		}
		recipe := &Recipe{BaseURL: base, Login: &LoginRule{Hosts: []string{host}}}
		origins := recipe.secretOrigins(true, []string{host})
		if withheld(origins, address, writeTo) != "" {
			return
		}
		u, err := url.Parse(address)
		if err != nil {
			t.Fatalf("%q has no host, and gets a secret for %v", address, origins)
		}
		name, _ := splitHost(u.Host)
		portal, _ := url.Parse(base)
		open := portal != nil && strings.EqualFold(portal.Scheme, "http")
		sameIP := func(a, b string) bool { x, y := net.ParseIP(a), net.ParseIP(b); return x != nil && x.Equal(y) }
		named := func(text string) bool { other, _ := splitHost(text); return name == other || sameIP(name, other) }
		if strings.Contains(name, "*") || !named(host) && (portal == nil || !named(portal.Host)) || u.Scheme != "https" && !open {
			t.Errorf("%q gets what is for %q and %q", address, base, host)
		}
	})
}
