package scrape

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
)

// reading returns a recipe that lies in dir/recipes, and fills a secret in.
func reading(t *testing.T, dir, secret string) *Recipe {
	t.Helper()
	r, err := ReadRecipe(filepath.Join(dir, "recipes", "acme.yaml"),
		strings.NewReader("version: 1\nbase_url: https://portal.example\nopen:\n  steps:\n    - fill: {selector: q, "+secret+"}\n"))
	testkit.Must(t, err)
	return r
}

// What a recipe may read unasked, and what it may only read if a person has said so.
func TestWhatARecipeReadsUnasked(t *testing.T) {
	t.Setenv("PORTAL_PIN", "s3cret")
	t.Setenv("POSCRAPE_SECRET_PIN", "s3cret")
	t.Setenv("ACME_PIN", "s3cret")
	t.Setenv("portal_pin", "s3cret")
	t.Setenv("XPORTAL_PIN", "s3cret")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"recipes/pin": "s3cret\n", "recipes/deep/pin.txt": "s3cret\r\n", "recipes/two": "s3cret\ns3cret\n", "recipes/break": "s3cret\rs3cret",
		"recipes/.pin": "s3cret", "recipes/.ssh/id": "s3cret", "recipes/deep/.git/config": "s3cret", "home/id": "s3cret\n", "recipes2/pin": "s3cret",
	} {
		testkit.Must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		testkit.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	links := os.Symlink(filepath.Join(dir, "home", "id"), filepath.Join(dir, "recipes", "link")) == nil &&
		os.Symlink(filepath.Join(dir, "home"), filepath.Join(dir, "recipes", "away")) == nil &&
		os.Symlink(filepath.Join(dir, "recipes", "pin"), filepath.Join(dir, "recipes", "near")) == nil
	testkit.Must(t, os.Link(filepath.Join(dir, "home", "id"), filepath.Join(dir, "recipes", "hard")))
	for secret, may := range map[string]bool{
		"env: PORTAL_PIN": true, "env: POSCRAPE_SECRET_PIN": true, "env: ACME_PIN": false, "env: XPORTAL_PIN": false, "env: portal_pin": runtime.GOOS == "windows",
		"env: PATH": false, "file: pin": true, "file: ./pin": true, "file: deep/pin.txt": true, "file: deep/../pin": true, "file: " + filepath.Join(dir, "recipes", "pin"): true,
		"file: two": false, "file: break": false, "file: .pin": false, "file: .ssh/id": false, "file: deep/.git/config": false,
		"file: ../home/id": false, "file: ../recipes2/pin": false, "file: deep/../../home/id": false, "file: " + filepath.Join(dir, "home", "id"): false,
		"file: link": false, "file: away/id": false, "file: near": false, "file: hard": false, "file: /proc/self/environ": false, "file: deep": false,
	} {
		if !links && slices.Contains([]string{"file: link", "file: away/id", "file: near"}, secret) {
			continue
		}
		r := reading(t, dir, secret)
		err := r.CheckSecrets()
		text, readErr := r.Open.Steps[0].Secret.Read("x")
		if may != (err == nil) || may != (readErr == nil) || may != (text == "s3cret") {
			t.Errorf("%s: %v, read %q, %v", secret, err, text, readErr)
		}
		var closed *SecretError
		if may || !errors.As(err, &closed) {
			continue
		}
		if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the secret is in %v", secret, err)
		}
		if closed.Type == "" || !strings.Contains(err.Error(), closed.Type) {
			t.Errorf("%s: nothing says what to type: %v", secret, err)
			continue
		}
		// What is to be typed lets it be read, unless it is no secret at all.
		name, source, parsed := ParseSource(strings.TrimPrefix(closed.Type, "--secret "))
		testkit.Must(t, parsed)
		r.GiveSecrets(map[string]Secret{name: source}, false)
		if err := r.CheckSecrets(); err != nil && !strings.Contains(err.Error(), "no file with a secret") {
			t.Errorf("%s: typed as %s: %v", secret, closed.Type, err)
		}
		r = reading(t, dir, secret)
		r.GiveSecrets(nil, true)
		if err := r.CheckSecrets(); err != nil && !strings.Contains(err.Error(), "no file with a secret") {
			t.Errorf("%s: allowed: %v", secret, err)
		}
	}
	typed := reading(t, dir, "env: ACME_PIN")
	typed.GiveSecrets(map[string]Secret{"ACME_PIN": {File: filepath.Join(dir, "recipes", "link")}}, false)
	if text, err := typed.Open.Steps[0].Secret.Read("x"); links && (text != "s3cret" || err != nil) {
		t.Errorf("a link that was typed: %q, %v", text, err)
	}
}

func TestParseSource(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Secret{
		"ACME_PIN=env:PORTAL_PIN": {Env: "PORTAL_PIN"}, "pin=file:/run/secrets/pin": {File: "/run/secrets/pin"}, "a=b=file:c=d": {File: "c=d"},
	} {
		if name, got, err := ParseSource(text); err != nil || got != want || !strings.HasPrefix(text, name+"=") {
			t.Errorf("%s: %q, %+v, %v", text, name, got, err)
		}
	}
	for _, text := range []string{"", "ACME_PIN", "ACME_PIN=hunter2", "=env:X", "X=env:", "X=file:", "X=env:a b"} {
		if _, got, err := ParseSource(text); err == nil {
			t.Errorf("%s: read as %+v", text, got)
		}
	}
}

// A recipe's takes are what it reads, whom it asks and where that goes, and another key if any of it changes.
func TestTakes(t *testing.T) {
	t.Parallel()
	const text = `version: 1
base_url: https://portal.example
allowed_hosts: [files.example]
login:
  start_url: https://sso.example/in
  hosts: [id.example, "*.wild.example"]
  steps:
    - fill: {selector: "#user", env: PORTAL_USER}
    - fill: {selector: "#password", file: password}
fields:
  token: {storage: auth, path: $.token, secret: true}
attachments: {item: a, headers: {X-Key: env:ACME_KEY}}
`
	takes := func(name, text string) Takes {
		r, err := ReadRecipe(name, strings.NewReader(text))
		testkit.Must(t, err)
		return r.Takes()
	}
	got := takes("acme.yaml", text)
	want := "reads env:ACME_KEY, env:PORTAL_USER, file:password, auth of what the portal keeps in the browser; asks portal.example, sso.example, id.example, *.wild.example, files.example; sends what it reads to https://portal.example, https://sso.example, https://id.example"
	if got.Text() != want {
		t.Errorf("got %s", got.Text())
	}
	if accepts := takes("acme.yaml", text+"dialogs: accept\n"); !strings.Contains(accepts.Text(), "files.example; says yes to whatever a page asks to confirm (dialogs: accept); sends") || accepts.Key() == got.Key() {
		t.Errorf("with dialogs: accept, got %s", accepts.Text())
	}
	if key := takes("./acme.yaml", "# another comment\n"+text).Key(); key != got.Key() {
		t.Errorf("a comment changes the key: %s", key)
	}
	for _, change := range []string{"portal.example|other.example", "files.example|files2.example", "PORTAL_USER|PORTAL_NAME", "file: password|file: other", "id.example|id2.example", "storage: auth|storage: other", "ACME_KEY|ACME_KEY2"} {
		from, to, _ := strings.Cut(change, "|")
		if takes("acme.yaml", strings.ReplaceAll(text, from, to)).Key() == got.Key() {
			t.Errorf("%s: the key is the same", change)
		}
	}
	read := Takes{Kept: []string{"sid"}, Reads: []Read{{Secret{Env: "A"}, []string{"https://a.example"}}}}
	kept := Takes{Kept: []string{"sid\nreads env:A for https://a.example"}}
	two, one := Takes{Kept: []string{"a", "b"}}, Takes{Kept: []string{"a] [keeps b"}}
	if read.Key() == kept.Key() || two.Key() == one.Key() || strings.Contains(kept.Text(), "\n") {
		t.Errorf("a cookie's name looks like what is read: %s", kept.Text())
	}
	if takes("there/acme.yaml", text).Key() == got.Key() {
		t.Error("another file is read, and the key is the same")
	}
}

// Hosts below a public suffix are anybody's.
func TestPublicSuffixes(t *testing.T) {
	t.Parallel()
	for pattern, may := range map[string]bool{
		"*.com": false, "*.co.uk": false, "*.github.io": false, "*.CO.UK.": false, "*.com:443": false, "*.xn--p1ai": false, "*.рф": false, "*.s3.amazonaws.com": false,
		"*.acme.com": true, "*.acme.co.uk": true, "*.internal": true, "*.portal.localhost": true, "com": true, "*.acme.github.io": true,
	} {
		for _, key := range []string{"allowed_hosts: ['" + pattern + "']", "login: {expired: {url: /in}, hosts: ['" + pattern + "']}"} {
			_, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nbase_url: https://portal.example\n"+key+"\n"))
			if may != (err == nil) || err != nil && !strings.Contains(err.Error(), "anybody's") {
				t.Errorf("%s: %v", key, err)
			}
		}
	}
	if _, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nblock: {hosts: ['*.com']}\n")); err != nil {
		t.Errorf("blocking: %v", err)
	}
}
