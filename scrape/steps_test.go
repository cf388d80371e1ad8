package scrape

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/secret"
	"github.com/poscrape/poscrape/internal/template"
)

// readSteps reads the steps of a sign-in.
func readSteps(t *testing.T, text string) (*Recipe, []Step, error) {
	t.Helper()
	rd := &recipeReader{recipe: recipeDefaults()}
	rd.recipe.File, rd.recipe.BaseURL = "r.yaml", "https://portal.example"
	rd.recipe.sources = &secret.Sources{Recipe: "r.yaml", Allowed: true}
	var steps []Step
	rd.keys(rd.parse([]byte(text)), "", nil, recipeKeys{"login": rd.section(nil, recipeKeys{"steps": rd.steps(&steps, true)})})
	rd.recipe.Open.Steps = steps
	return rd.recipe, steps, rd.join()
}

// TestSignInHoldsNoSecret refuses a recipe that has a secret, and does not say it again.
func TestSignInHoldsNoSecret(t *testing.T) {
	t.Parallel()
	_, _, err := readSteps(t, "login:\n  steps:\n    - fill: {selector: '#p', value: s3cret}\n    - select: {selector: '#o', value: '{po}'}\n    - click: {text: 'Org {po}'}\n    - click: {selector: a, part: true}\n")
	if err == nil || !strings.Contains(err.Error(), "r.yaml:3:37: login.steps[0].fill.value stands in the recipe") || strings.Contains(err.Error(), "s3cret") ||
		!strings.Contains(err.Error(), "r.yaml:4:39: login.steps[1].select.value has the placeholder {po}") ||
		!strings.Contains(err.Error(), "login.steps[2].click.text has the placeholder {po}") || !strings.Contains(err.Error(), "login.steps[3].click.part goes with a text") {
		t.Errorf("got %v", err)
	}
}

// TestCheckSecrets names the first secret that is not there, or is none.
func TestCheckSecrets(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv("POSCRAPE_SECRET_PIN", "s3cret")
	for step, want := range map[string]string{
		"fill: {selector: p, env: POSCRAPE_SECRET_PIN}":                 "",
		"fill: {selector: p, file: " + file("one", "s3cret\r\n") + "}":  "",
		"totp: {selector: p, file: " + file("key", "jbsw y3dp\n") + "}": "",
		"fill: {selector: p, env: POSCRAPE_SECRET_NONE}":                "r.yaml:3: login.steps[0].fill: the environment variable POSCRAPE_SECRET_NONE is empty or not set",
		"fill: {selector: p, file: " + filepath.Join(dir, "none") + "}": "cannot be read",
		"fill: {selector: p, file: " + file("empty", "\n") + "}":        "is empty",
		"totp: {selector: p, env: POSCRAPE_SECRET_PIN}":                 "login.steps[0].totp: what was read is neither a base32 key",
	} {
		recipe, steps, err := readSteps(t, "login:\n  steps:\n    - "+step+"\n")
		if err != nil {
			t.Fatal(err)
		}
		err = recipe.CheckSecrets()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("%s: %v, want %q", step, err, want)
		}
		if text, err := steps[0].Secret.Read("x"); want == "" && steps[0].Kind == StepFill && (text != "s3cret" || err != nil) {
			t.Errorf("%s: read %q, %v", step, text, err)
		}
	}
}

func TestCheckColumns(t *testing.T) {
	t.Parallel()
	recipe, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nopen:\n  steps:\n    - fill: {selector: q, value: '{column:Sales Org}'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := recipe.CheckColumns([]string{"po", "sales_org"}); err != nil {
		t.Error(err)
	}
	if err := recipe.CheckColumns([]string{"po"}); err == nil || !strings.Contains(err.Error(), "r.yaml:4:34: open.steps[0].fill.value has the placeholder {column:Sales Org}") {
		t.Errorf("got %v", err)
	}
	if text, err := fillIn("a{po}b{column:x}", template.Values{PO: "1", Column: func(string) (string, bool) { return " ", true }}); err == nil {
		t.Errorf("an empty cell was filled in: %q", text)
	}
}

// TestSearchOfARecipe reads a search, whose address several orders may have.
func TestSearchOfARecipe(t *testing.T) {
	t.Parallel()
	recipe, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nbase_url: https://a.example\nmode: fetch\nopen: {search: {url: '{base_url}/s', input: '#q', submit: '#go', result: a.order}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := (SearchRule{URL: "{base_url}/s", Input: "#q", Submit: "#go", Result: "a.order"}); *recipe.Open.Search != want || recipe.Address() != want.URL || !recipe.TakesNumber() {
		t.Errorf("got %+v", recipe.Open)
	}
	if mode := NewPortal(recipe, nil).Mode(); mode != ModeRender {
		t.Errorf("the mode is %s", mode)
	}
}
