package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lay writes files into a new folder and returns it.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func recipeFor(host string) string { return "version: 1\nbase_url: https://" + host + "\n" }

// names lists the recipes: the file and the portal of each.
func names(rs Recipes) (list []string) {
	for _, r := range rs {
		list = append(list, strings.TrimSpace(filepath.Base(r.File)+" "+r.Portal))
	}
	return list
}

func TestReadRecipes(t *testing.T) {
	t.Parallel()
	dir := lay(t, map[string]string{
		"two/a.yaml": recipeFor("a.example"), "two/b.YML": recipeFor("b.example:8443"),
		"two/.hidden.yaml": "no recipe", "two/notes.txt": "", "two/a.state.json": "{}", "two/folder.yaml/notes.txt": "",
		"c.yaml": recipeFor("c.example"), "bad.yaml": "version: 1\nbase_ulr: x\n", "none.yaml": "version: 1\n",
	})
	for name, test := range map[string]struct {
		named []string
		state string
		want  []string
		fails []string
	}{
		"none":                     {want: []string{"."}},
		"one":                      {named: []string{"c.yaml"}, state: "s.json", want: []string{"c.yaml"}},
		"a folder":                 {named: []string{"two"}, want: []string{"a.yaml a.example", "b.YML b.example:8443"}},
		"a folder and a file":      {named: []string{"two", "c.yaml"}, want: []string{"a.yaml a.example", "b.YML b.example:8443", "c.yaml c.example"}},
		"a folder without recipes": {named: []string{"two/folder.yaml"}, fails: []string{"folder.yaml is a folder without recipes"}},
		"one that is not there":    {named: []string{"c.yaml", "gone.yaml"}, fails: []string{"gone.yaml cannot be read"}},
		"several that are wrong":   {named: []string{"bad.yaml", "c.yaml", "gone.yaml"}, fails: []string{"bad.yaml:2:1: base_ulr", "gone.yaml cannot be read"}},
		"one twice":                {named: []string{"two", "two/a.yaml"}, fails: []string{"a.yaml:2:11: base_url has the same host as that of ", "a.yaml:2 (a.example)"}},
		"one without a host":       {named: []string{"c.yaml", "none.yaml"}, fails: []string{"none.yaml:1:1: base_url is missing"}},
		"with one state":           {named: []string{"two"}, state: "s.json", fails: []string{"it is for one recipe, and there are 2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := Config{State: test.state}
			for i, name := range test.named {
				if path := filepath.Join(dir, name); i == 0 {
					cfg.RecipeFile = path
				} else {
					cfg.MoreRecipes = append(cfg.MoreRecipes, path)
				}
			}
			recipes, err := ReadRecipes(cfg)
			if got := names(recipes); err == nil && !slices.Equal(got, test.want) || (err == nil) != (test.fails == nil) {
				t.Errorf("read are %q, %v; want %q", got, err, test.want)
			}
			for _, want := range test.fails {
				if !strings.Contains(fmt.Sprint(err), want) {
					t.Errorf("the error is %v, want %q in it", err, want)
				}
			}
		})
	}
}

// TestFieldsOfResults: secrets are none of them.
func TestFieldsOfResults(t *testing.T) {
	t.Parallel()
	file := filepath.Join(lay(t, map[string]string{"a.yaml": recipeFor("a.example") + "fields: {token: {storage: t}, csrf: {selector: '#c', secret: true}, total: {selector: '#t'}}\n"}), "a.yaml")
	recipes, err := ReadRecipes(Config{RecipeFile: file})
	if got := recipes.Fields(); err != nil || !slices.Equal(got, []string{"total"}) {
		t.Errorf("results have the fields %q, %v; want total", got, err)
	}
}

// TestRecipesOfOneName: people tell them by their portals' hosts.
func TestRecipesOfOneName(t *testing.T) {
	t.Parallel()
	a, b := lay(t, map[string]string{"acme.yaml": recipeFor("a.example")}), lay(t, map[string]string{"acme.yaml": recipeFor("b.example"), "c.yaml": recipeFor("c.example")})
	recipes, err := ReadRecipes(Config{RecipeFile: a, MoreRecipes: []string{b}})
	if err != nil {
		t.Fatal(err)
	}
	for portal, want := range map[string]string{"a.example": "a.example", "b.example": "b.example", "c.example": "c"} {
		if got := recipes.Title(portal); got != want {
			t.Errorf("the recipe of %s is called %q, want %q", portal, got, want)
		}
	}
}

// TestRowsAndRecipes: each row has one recipe, or it is said where and why not.
func TestRowsAndRecipes(t *testing.T) {
	t.Parallel()
	dir := lay(t, map[string]string{
		"r/a.yaml": recipeFor("a.example") + "allowed_hosts: [shared.example]\n", "r/b.yaml": recipeFor("b.example") + "allowed_hosts: [shared.example]\n", "r/c.yaml": recipeFor("c.example"),
		"pos.csv": "po,url\n1,https://a.example/1\n2,https://b.example/2\n3,https://d.example/3\n4,https://shared.example/4\n5,\n",
	})
	cfg := Config{RecipeFile: filepath.Join(dir, "r"), File: filepath.Join(dir, "pos.csv")}
	recipes, err := ReadRecipes(cfg)
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := ReadSheet(cfg, recipes)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range sheet.Orders {
		got = append(got, o.Number+" "+o.Portal)
	}
	if want := []string{"1 a.example", "2 b.example"}; !slices.Equal(got, want) {
		t.Errorf("the orders are %q, want %q", got, want)
	}
	if got, want := names(recipes.Used(sheet)), []string{"a.yaml a.example", "b.yaml b.example"}; !slices.Equal(got, want) {
		t.Errorf("used are %q, want %q", got, want)
	}
	for i, want := range []string{
		"pos.csv:4: url: the page is on d.example, and no recipe's base_url has that host: add a recipe for it; there are some for a.example, b.example, c.example",
		"pos.csv:5: url: the page is on shared.example, which is no recipe's base_url, and several name it under allowed_hosts (",
		"pos.csv:6: url: there is no URL, so it is not known which of the recipes the order is for",
	} {
		if i >= len(sheet.Problems) || !strings.Contains(sheet.Problems[i].Error(), want) {
			t.Errorf("the problems are %v, want %q as number %d", sheet.Problems, want, i+1)
		}
	}
}

// remembered returns what a session with these recipes has in its ledger.
func remembered(t *testing.T, cfg Config, recipes Recipes) *Remembered {
	t.Helper()
	text, err := Remember(cfg, recipes)
	if err != nil {
		t.Fatal(err)
	}
	was := &Remembered{}
	if err := json.Unmarshal(text, was); err != nil {
		t.Fatal(err)
	}
	return was
}

// TestRecipesAreRemembered: a session goes on with its own recipes, or with mended ones in
// their places.
func TestRecipesAreRemembered(t *testing.T) {
	t.Parallel()
	dir := lay(t, map[string]string{"a.yaml": recipeFor("a.example"), "b.yaml": recipeFor("b.example")})
	mended := lay(t, map[string]string{"new.yaml": "name: mended\n" + recipeFor("B.example"), "c.yaml": recipeFor("c.example"), "d.yaml": recipeFor("d.example")})
	file := func(name string) string { return filepath.Join(mended, name) }
	cfg := DefaultConfig()
	cfg.RecipeFile = dir
	for name, test := range map[string]struct {
		single bool
		mended []string
		want   []string
		fails  string
	}{
		"as they were":          {want: []string{"a.yaml a.example", "b.yaml b.example"}},
		"one mended":            {mended: []string{file("new.yaml")}, want: []string{"a.yaml a.example", "new.yaml b.example"}},
		"a folder":              {mended: []string{mended}, want: []string{"a.yaml a.example", "new.yaml b.example"}},
		"of another portal":     {mended: []string{file("c.yaml")}, fails: "c.yaml is for none of the session's portals (a.example, b.example)"},
		"named beside a folder": {mended: []string{mended, filepath.Join(dir, "a.yaml")}, want: []string{"a.yaml a.example", "new.yaml b.example"}},
		"one of two":            {mended: []string{file("new.yaml"), file("c.yaml")}, fails: "c.yaml is for none"},
		"of one":                {single: true, mended: []string{file("c.yaml")}, want: []string{"c.yaml"}},
		"several of one":        {single: true, mended: []string{file("c.yaml"), file("d.yaml")}, fails: "was started with one recipe for all of its orders"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := cfg
			if test.single {
				first.RecipeFile = filepath.Join(dir, "a.yaml")
			}
			recipes, err := ReadRecipes(first)
			if err != nil {
				t.Fatal(err)
			}
			was := remembered(t, first, recipes)
			var again Recipes
			var resume ResumeConfig
			if test.mended != nil {
				resume = ResumeConfig{Recipe: test.mended[0], MoreRecipes: test.mended[1:]}
				if again, err = ReadRecipes(Config{RecipeFile: resume.Recipe, MoreRecipes: resume.MoreRecipes}); err != nil {
					t.Fatal(err)
				}
			}
			_, next, err := was.Next(resume, again)
			if test.fails != "" {
				if !errors.As(err, new(*ConfigError)) || !strings.Contains(err.Error(), test.fails) {
					t.Fatalf("it goes on with %q, %v; want %q", names(next), err, test.fails)
				}
				return
			}
			if err != nil || !slices.Equal(names(next), test.want) {
				t.Fatalf("it goes on with %q, %v; want %q", names(next), err, test.want)
			}
			// And the run after that.
			later := &Remembered{}
			if err := json.Unmarshal(was.Record.Config, later); err != nil {
				t.Fatal(err)
			}
			_, third, err := later.Next(ResumeConfig{}, nil)
			if err != nil || !slices.Equal(names(third), names(next)) || third[len(third)-1].Name != next[len(next)-1].Name {
				t.Errorf("the run after goes on with %q, %v", names(third), err)
			}
		})
	}
}

// TestRecipesHaveNoCommonState: a session of several recipes keeps a state file for each.
func TestRecipesHaveNoCommonState(t *testing.T) {
	t.Parallel()
	recipes := Recipes{{Portal: "a.example", File: "a.yaml", Text: recipeFor("a.example")}, {Portal: "b.example", File: "b.yaml", Text: recipeFor("b.example")}}
	was := remembered(t, DefaultConfig(), recipes)
	_, _, err := was.Next(ResumeConfig{Adjust: func(c *Config) { c.State = "s.json" }}, nil)
	if setting := (*ConfigError)(nil); !errors.As(err, &setting) || setting.Field != "state" {
		t.Errorf("the error is %v", err)
	}
}
