package setup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/trust"
	"github.com/poscrape/poscrape/scrape"
)

func readText(text string) (*scrape.Recipe, error) {
	return scrape.ReadRecipe("r.yaml", strings.NewReader(text))
}

// signsInAt returns a recipe for a portal that fills a secret in.
func signsInAt(t *testing.T, base, secret string) Recipes {
	t.Helper()
	r, err := readText("version: 1\nbase_url: " + base + "\nlogin:\n  steps:\n    - fill: {selector: p, env: " + secret + "}\n")
	testkit.Must(t, err)
	return Recipes{{File: "r.yaml", Recipe: r}}
}

// A value goes unasked only to the portal that it first went to, by whatever name it is read.
func TestFirstOrigin(t *testing.T) {
	t.Setenv("PORTAL_PASSWORD", "value of first origin")
	t.Setenv("PORTAL_OTHER", "value of first origin")
	t.Setenv("PORTAL_USER", "value of first origin")
	admit := func(base, secret string, begin bool, given ...string) error {
		return signsInAt(t, base, secret).Admit(Config{Secrets: given}, begin)
	}
	testkit.Must(t, admit("https://else.example", "PORTAL_PASSWORD", false)) // only looking keeps nothing
	testkit.Must(t, admit("https://first.example", "PORTAL_PASSWORD", true))
	for what, test := range map[string]struct {
		base, secret string
		given        []string
		may          bool
	}{
		"the same":            {"https://first.example", "PORTAL_PASSWORD", nil, true},
		"the same, otherwise": {"https://FIRST.example/app", "PORTAL_OTHER", nil, true},
		"another":             {"https://evil.example", "PORTAL_PASSWORD", nil, false},
		"by another name":     {"https://evil.example", "PORTAL_OTHER", nil, false},
		"not encrypted":       {"http://first.example", "PORTAL_PASSWORD", nil, false},
		"another port":        {"https://first.example:8443", "PORTAL_PASSWORD", nil, false},
		"below":               {"https://x.first.example", "PORTAL_PASSWORD", nil, false},
		"typed":               {"https://evil.example", "PORTAL_PASSWORD", []string{"PORTAL_PASSWORD=env:PORTAL_PASSWORD"}, true},
		"another typed":       {"https://evil.example", "PORTAL_PASSWORD", []string{"PORTAL_OTHER=env:PORTAL_PASSWORD"}, false},
		"a user's name":       {"https://evil.example", "PORTAL_USER", nil, true},
		"this machine":        {"http://127.0.0.1:8080", "PORTAL_PASSWORD", nil, true},
		"this machine's name": {"http://localhost", "PORTAL_PASSWORD", nil, true},
	} {
		err := admit(test.base, test.secret, true, test.given...)
		var secret *scrape.SecretError
		if test.may != (err == nil) || err != nil && (!errors.As(err, &secret) || !strings.Contains(err.Error(), "--secret "+test.secret+"=env:"+test.secret) || strings.Contains(err.Error(), "value of")) {
			t.Errorf("%s: %v", what, err)
		}
	}
	kept, err := filepath.Glob(filepath.Join(os.Getenv("POSCRAPE_STATE_DIR"), "*", "*"))
	testkit.Must(t, err)
	for _, file := range kept {
		text, err := os.ReadFile(file)
		testkit.Must(t, err)
		if strings.Contains(file+string(text), "first.example") || strings.Contains(string(text), "value of") {
			t.Errorf("%s has it: %s", file, text)
		}
	}
}

// A secret that is typed is for one portal, unless each recipe is allowed to read it.
func TestTypedForOnePortal(t *testing.T) {
	t.Setenv("ACME_PIN", "value of typed")
	recipe := func(file, base string) Recipe {
		r, err := readText("version: 1\nbase_url: " + base + "\nlogin:\n  steps:\n    - fill: {selector: p, env: ACME_PIN}\n")
		testkit.Must(t, err)
		return Recipe{File: file, Recipe: r}
	}
	c := Config{Secrets: []string{"ACME_PIN=env:ACME_PIN"}}
	for bases, may := range map[string]bool{
		"https://a.example https://a.example": true, "https://a.example": true,
		"https://a.example https://b.example": false, "http://127.0.0.1:1 http://localhost:1": false,
	} {
		var rs Recipes
		for i, base := range strings.Fields(bases) {
			rs = append(rs, recipe(string(rune('a'+i))+".yaml", base))
		}
		err := rs.Admit(c, true)
		if may != (err == nil) || err != nil && (!strings.Contains(err.Error(), "by a.yaml to ") || !strings.Contains(err.Error(), "by b.yaml to ")) {
			t.Errorf("%s: %v", bases, err)
		}
	}
	rs := Recipes{recipe("a.yaml", "https://a.example"), recipe("b.yaml", "https://b.example")}
	_, err := trust.Open().Keep("", allowedRecipe, c.takes(rs[1]).Key())
	testkit.Must(t, err)
	testkit.Must(t, rs.Admit(c, true))
}

// A recipe is introduced once, and again when what it takes has changed; one that is allowed reads what it names.
func TestIntroducedAndAllowed(t *testing.T) {
	t.Setenv("SOMETHING_ELSE", "x")
	rs := signsInAt(t, "https://introduced.example", "SOMETHING_ELSE")
	if err := rs.Admit(Config{}, true); err == nil {
		t.Error("it reads a variable unasked")
	}
	texts := rs.Introduce(Config{})
	if len(texts) != 1 || !strings.Contains(texts[0], "SOMETHING_ELSE") || !strings.Contains(texts[0], "asks introduced.example") {
		t.Errorf("got %q", texts)
	}
	if texts := rs.Introduce(Config{}); texts != nil {
		t.Errorf("said again: %q", texts)
	}
	file := filepath.Join(t.TempDir(), "acme.yaml")
	rs = signsInAt(t, "https://introduced3.example", "SOMETHING_ELSE")
	rs[0].File = file
	testkit.Write(t, strings.TrimSuffix(file, ".yaml")+".state.json", "{}")
	if texts := rs.Introduce(Config{}); len(texts) != 1 || !strings.HasSuffix(texts[0], "; uses the sign-in in "+strings.TrimSuffix(file, ".yaml")+".state.json") {
		t.Errorf("with a sign-in: %q", texts)
	}
	if texts := signsInAt(t, "https://introduced2.example", "SOMETHING_ELSE").Introduce(Config{}); len(texts) != 1 {
		t.Errorf("for another host, got %q", texts)
	}
	dir := t.TempDir()
	file = filepath.Join(dir, "r.yaml")
	text := "version: 1\nbase_url: https://introduced.example\nlogin:\n  steps:\n    - fill: {selector: p, env: SOMETHING_ELSE}\n"
	testkit.Must(t, os.WriteFile(file, []byte(text), 0o600))
	if _, err := AllowRecipe(file, func(env string) bool { return env == "SOMETHING_ELSE" }); err == nil {
		t.Error("a setting of poscrape may be read")
	}
	if takes, err := AllowRecipe(file, func(string) bool { return false }); err != nil || !strings.Contains(takes, "SOMETHING_ELSE") {
		t.Errorf("got %q, %v", takes, err)
	}
	testkit.Must(t, signsInAt(t, "https://introduced.example", "SOMETHING_ELSE").Admit(Config{}, true))
	if err := signsInAt(t, "https://evil.example", "SOMETHING_ELSE").Admit(Config{}, true); err == nil {
		t.Error("allowed for one portal, another has it")
	}
}
