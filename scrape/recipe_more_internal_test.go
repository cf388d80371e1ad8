package scrape

import (
	"reflect"
	"strings"
	"testing"
)

// TestRecipesAreAddedTo: what somebody has written stays as it was, and is read as it was.
func TestRecipesAreAddedTo(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no fields":          "version: 1\nname: a",
		"block":              "# mine\nversion: 1\nfields:\n  # the supplier\n  a: {label: A}  # as it is\n\n# documents\nfolder: \"{po}\"\n",
		"block at the end":   "version: 1\nfields:\n    a:\n      label: A\n    # no more\n\n",
		"block, not in":      "version: 1\r\nfields:\r\n a: {label: A}\r\nfolder: x\r\n",
		"comment in a text":  "version: 1\nfields:\n  a:\n    label: |-\n      A\n      # 1\nfolder: x\n",
		"flow":               "version: 1\nfields: {a: {label: A}, b: {label: B}} # both\nfolder: x\n",
		"flow, letters":      "version: 1\nfields: {\"ä\": {label: A}}\n",
		"flow in lines":      "version: 1\nfields: {\n  a: {label: A},\n  b: {label: B}\n}\n",
		"flow without":       "version: 1\nfields: {}\n",
		"a mark before":      "\ufeff---\nversion: 1\nfields:\n  a: {label: A}\n",
		"a text at its ends": "version: 1\nfields:\n  a: {label: A}\nname: |\n  acme\n",
	} {
		was, err := ReadRecipe("was.yaml", strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		more, ok := NewRecipeText(text)
		if !ok {
			t.Errorf("%s: it cannot be added to", name)
			continue
		}
		added := more.With([][]string{{"# sure: seen", `x: {selector: "#x"}`}, {`y: {label: "Y"}`}}, "mode: render\n")
		is, err := ReadRecipe("was.yaml", strings.NewReader(added))
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, added)
			continue
		}
		if want := len(was.Fields) + 2; more.Has("fields") && len(is.Fields) != want || is.Mode != ModeRender {
			t.Errorf("%s: there are %d fields, not %d\n%s", name, len(is.Fields), want, added)
		}
		for _, f := range was.Fields {
			if now, _ := is.Field(f.Name); !reflect.DeepEqual(now, f) {
				t.Errorf("%s: %s is %+v, and was %+v\n%s", name, f.Name, now, f, added)
			}
		}
		for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
			if !strings.HasPrefix(line, "fields: {") && !strings.Contains(added, strings.TrimSuffix(line, "\n")) {
				t.Errorf("%s: %q is gone\n%s", name, line, added)
			}
		}
	}
	for _, text := range []string{"{version: 1}", "version: 1\n---\nversion: 1", ":"} {
		if _, ok := NewRecipeText(text); ok {
			t.Errorf("%q can be added to", text)
		}
	}
}
