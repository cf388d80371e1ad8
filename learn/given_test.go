package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

func given(t *testing.T, text string) *Given {
	t.Helper()
	recipe, err := scrape.ReadRecipe("part.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	g, ok := NewGiven(recipe, text)
	if !ok {
		t.Fatalf("nothing can be added to\n%s", text)
	}
	return g
}

// TestACompletedRecipe: what people have written stays, what is learnt is added, and where the two differ is said.
func TestACompletedRecipe(t *testing.T) {
	t.Parallel()
	const signIn = "# how we sign in\nversion: 1\nbase_url: https://portal.example\nlogin:\n  steps:\n    - fill: {selector: \"#user\", env: USER} # not a secret\n"
	for name, c := range map[string]struct {
		text string
		// theirs are what the field supplier reads on each order, as people have it.
		theirs       string
		has, lacks   []string
		said, unsaid string
	}{
		"nothing but a sign-in": {text: signIn,
			has: []string{"\nfields:\n  # sure", "\n  supplier: {label: \"Supplier\"", "\nidentity: {selector: \"#po\"}"}, unsaid: "stays"},
		"fields of their own": {text: signIn + "fields:\n  plant: {label: Plant} # ours\n",
			has: []string{"\n  plant: {label: Plant} # ours\n", "\n  supplier: {label: \"Supplier\""}, lacks: []string{"\nfields:\n  # sure"}, unsaid: "stays"},
		"the same field": {text: signIn + "fields: {supplier: {selector: \".vendor\"}}\n", theirs: "Cedar Ridge",
			has: []string{"{supplier: {selector: \".vendor\"}}", "is the same as what part.yaml has: fields.supplier."}, lacks: []string{"supplier: {label"}, unsaid: "stays"},
		"a field that reads something else": {text: signIn + "fields: {supplier: {selector: \".vendor\"}}\n", theirs: "Somebody",
			has: []string{"{supplier: {selector: \".vendor\"}}", "\n# supplier: {label: \"Supplier\""}, said: `fields.supplier stays as it was, but differs from what was learnt on 2 of 2 orders: on PO9 it reads "Somebody", and what was learnt "Cedar Ridge"`},
		"another name for it": {text: signIn + "fields: {vendor: {label: Supplier}}\n", theirs: "Cedar Ridge",
			has: []string{"{vendor: {label: Supplier}}", "has: fields.vendor."}, lacks: []string{"supplier: {label"}, unsaid: "stays"},
		"another identity": {text: signIn + "identity: {selector: h2}\npo: {prefixes: [QQ]}\n",
			has: []string{"\nidentity: {selector: h2}", "\n# identity: {selector: \"#po\"}\n"}, lacks: []string{"\nidentity: {selector: \"#po\"}"}, said: "identity stays as it was; what was learnt differs from it"},
		"steps at the rows' addresses": {text: signIn + "open: {steps: [{wait: main}]}\n",
			has: []string{"\n# open: {url: \"{base_url}/orders/{po}\"}"}, said: "open stays"},
		"another address":  {text: signIn + "open: {url: \"{base_url}/old/{po}\"}\n", said: "open stays"},
		"the same address": {text: signIn + "open: {url: \"https://portal.example/orders/{po}\"}\n", unsaid: "open"},
	} {
		b := newBook("supplier")
		for i, name := range names {
			b.order([]string{name}, at(1, name, label("Supplier"), selector(scrape.ByClass, ".supplier"), selector(scrape.ByPath, fmt.Sprintf("main > p:nth-child(%d)", 1+i%2)))...)
		}
		d := Learn(b.Sheet, b.pages)
		d.Complete(given(t, c.text), b.Sheet)
		recipe, err := d.Recipe("draft.yaml")
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, d.YAML())
			continue
		}
		var checked []Checked
		for range 2 {
			fields := map[string]tasks.Field{}
			for _, f := range recipe.Fields {
				value := "Cedar Ridge"
				if f.Selector == ".vendor" {
					value = c.theirs
				}
				fields[f.Name] = tasks.Field{Raw: value, Value: value}
			}
			checked = append(checked, Checked{Order: Order{PO: "PO9", Rows: [][]string{{"PO9", "Cedar Ridge"}}}, Result: &tasks.Result{Fields: fields}})
		}
		d.Check(b.Sheet, checked)
		text, said := d.YAML(), strings.Join(d.Summary(), "\n")
		if _, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for line := range strings.Lines(c.text) {
			if !strings.Contains(text, strings.TrimPrefix(line, "fields: {")) {
				t.Errorf("%s: %q is gone", name, line)
			}
		}
		plain := strings.Join(strings.Fields(strings.ReplaceAll(text, "\n# ", " ")), " ")
		for _, want := range c.has {
			if !strings.Contains(text, want) && !strings.Contains(plain, want) {
				t.Errorf("%s: there is no %q in\n%s", name, want, text)
			}
		}
		for _, not := range c.lacks {
			if strings.Contains(text, not) {
				t.Errorf("%s: there is %q in\n%s", name, not, text)
			}
		}
		if !strings.Contains(said, c.said) || !strings.Contains(plain, c.said) || c.unsaid != "" && strings.Contains(said, c.unsaid) {
			t.Errorf("%s: it says\n%s\n%s", name, said, text)
		}
		if strings.Contains(text, "version: 1\nname") || strings.Count(text, "\nversion:") != 1 || strings.Contains(text, learntSuffix) {
			t.Errorf("%s: the text is\n%s", name, text)
		}
	}
}
