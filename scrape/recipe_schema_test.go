package scrape

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var updateRecipeSchema = flag.Bool("update-recipe-schema", false, "write docs/recipe.schema.json anew")

const recipeSchemaFile = "../docs/recipe.schema.json"

// schema is as much of a JSON Schema as describes a recipe.
type schema struct {
	Schema     string             `json:"$schema,omitempty"`
	Title      string             `json:"title,omitempty"`
	Type       kinds              `json:"type,omitempty"`
	Enum       []string           `json:"enum,omitempty"`
	Items      *schema            `json:"items,omitempty"`
	Properties map[string]*schema `json:"properties,omitempty"`
	Required   []string           `json:"required,omitempty"`
	Additional any                `json:"additionalProperties,omitempty"`
	AnyOf      []*schema          `json:"anyOf,omitempty"`
}

// kinds are the names of one kind of value, or of several.
type kinds []string

func (k kinds) MarshalJSON() ([]byte, error) {
	if len(k) == 1 {
		return json.Marshal(k[0])
	}
	return json.Marshal([]string(k))
}

// prober finds out from the reader itself what it takes.
type prober struct{ t *testing.T }

// probe has the reader read a value at a place, which its keys and "[0]" lead to. It returns
// the mappings that were read, by their paths, and what is wrong at the place.
func (p prober) probe(at []string, value string) (read map[string]*schema, wrong []string) {
	path, text := "", value
	for _, step := range at {
		if step == "[0]" {
			path += step
		} else {
			path = joinPath(path, step)
		}
	}
	for _, step := range slices.Backward(at) {
		if step == "[0]" {
			text = "[" + text + "]"
		} else {
			text = "{" + strconv.Quote(step) + ": " + text + "}"
		}
	}
	read = map[string]*schema{}
	rd := &recipeReader{recipe: recipeDefaults()}
	rd.onKeys = func(path string, required []string, known recipeKeys) {
		mapping := &schema{Type: kinds{"object"}, Properties: map[string]*schema{}, Required: required, Additional: false}
		for name := range known {
			mapping.Properties[name] = nil
		}
		read[path] = mapping
	}
	root := rd.parse([]byte(text))
	if root == nil {
		p.t.Fatalf("%s: %v", text, rd.join())
	}
	rd.readRecipe(root)
	for _, problem := range rd.problems {
		if problem.Field == path || problem.Field == path+"[0]" {
			wrong = append(wrong, strings.TrimPrefix(problem.Message, "the file "))
		}
	}
	return read, wrong
}

var oneOfThese = regexp.MustCompile(`it must be one of (.*)$`)

// scalars returns what single values are taken at a place. A text may be of the right kind and
// still be wrong there.
func (p prober) scalars(at []string, write func(string) string) *schema {
	takes := func(values ...string) bool {
		return slices.ContainsFunc(values, func(value string) bool {
			_, wrong := p.probe(at, write(value))
			return len(wrong) == 0
		})
	}
	s := &schema{}
	if takes("true") {
		s.Type = append(s.Type, "boolean")
	}
	if takes("null") {
		s.Type = append(s.Type, "null")
	}
	switch {
	case takes("0.5", "2.5"):
		s.Type = append(s.Type, "number")
	case takes("1", "404", "503"):
		s.Type = append(s.Type, "integer")
	}
	_, wrong := p.probe(at, write(`"zzqq"`))
	if !slices.ContainsFunc(wrong, ofWrongKind) {
		s.Type = append(s.Type, "string")
		for _, message := range wrong {
			if m := oneOfThese.FindStringSubmatch(message); m != nil {
				s.Enum = strings.Split(m[1], ", ")
			}
		}
	}
	if len(s.Type) == 0 {
		return nil
	}
	return s
}

// ofWrongKind reports whether a message says that a value is of another kind than it must be.
func ofWrongKind(message string) bool {
	return strings.HasPrefix(message, "must be ") && strings.Contains(message, ", not ")
}

// refused reports whether a place takes nothing, whatever stands there: its key is known
// only to say what to write instead.
func (p prober) refused(at []string) bool {
	_, text := p.probe(at, `"zzqq"`)
	_, keys := p.probe(at, "{}")
	return len(text) == 1 && slices.Equal(text, keys) && !strings.HasPrefix(text[0], "must be ")
}

// describe returns what is taken at a place, or nil.
func (p prober) describe(at ...string) *schema {
	if at = slices.Clone(at); len(at) > 8 {
		p.t.Fatalf("the reader takes anything at %v", at)
	}
	if p.refused(at) {
		return nil
	}
	plain := func(value string) string { return value }
	var all []*schema
	if s := p.scalars(at, plain); s != nil {
		all = append(all, s)
	}
	if s := p.scalars(at, func(value string) string { return "[" + value + "]" }); s != nil {
		all = append(all, &schema{Type: kinds{"array"}, Items: s})
	}
	read, wrong := p.probe(at, "{}")
	path := strings.ReplaceAll(strings.Join(at, "."), ".[0]", "[0]")
	switch own := read[path]; {
	case own != nil:
		for name := range own.Properties {
			if own.Properties[name] = p.describe(append(slices.Clone(at), name)...); own.Properties[name] == nil {
				delete(own.Properties, name)
			}
		}
		all = append(all, own)
	case !slices.ContainsFunc(wrong, func(message string) bool { return strings.HasPrefix(message, "must be ") }):
		all = append(all, &schema{Type: kinds{"object"}, Additional: p.describe(append(slices.Clone(at), "x")...)})
	}
	if read, _ := p.probe(at, "[{}]"); read[path+"[0]"] != nil {
		all = append(all, &schema{Type: kinds{"array"}, Items: p.describe(append(slices.Clone(at), "[0]")...)})
	}
	if len(all) == 1 {
		return all[0]
	}
	return &schema{AnyOf: all}
}

// TestRecipeSchema compares the schema for editors with what the reader takes, and holds it
// against recipes.
func TestRecipeSchema(t *testing.T) {
	t.Parallel()
	root := prober{t}.describe()
	root.Schema, root.Title, root.Required = "https://json-schema.org/draft/2020-12/schema", "A recipe of poscrape", []string{"version"}
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(root); err != nil {
		t.Fatal(err)
	}
	if *updateRecipeSchema {
		if err := os.WriteFile(recipeSchemaFile, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(recipeSchemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("%s is not what the reader takes; write it anew with: go test -run TestRecipeSchema ./scrape -update-recipe-schema", recipeSchemaFile)
	}
	compiled, err := jsonschema.NewCompiler().Compile(recipeSchemaFile)
	if err != nil {
		t.Fatal(err)
	}
	good, err := filepath.Glob("../docs/recipes/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	samples, err := filepath.Glob(filepath.Join(recipeSamples, "good-*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(good, samples...) {
		if err := holds(t, compiled, file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, name := range []string{"bad-unknown-key.yaml", "bad-types.yaml", "bad-no-version.yaml", "bad-data.yaml", "bad-fields.yaml"} {
		if err := holds(t, compiled, filepath.Join(recipeSamples, name)); err == nil {
			t.Errorf("%s is right by the schema", name)
		}
	}
}

func holds(t *testing.T, s *jsonschema.Schema, file string) error {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := yaml.YAMLToJSON(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		t.Fatal(file, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(file, err)
	}
	return s.Validate(value)
}
