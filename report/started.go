package report

import (
	"cmp"
	"encoding/json"

	"github.com/poscrape/poscrape/internal/shell"
)

// started is what commands need of how the session was started.
type started struct {
	File        string   `json:"file"`
	RecipeFile  string   `json:"recipe_file"`
	MoreRecipes []string `json:"more_recipes"`
	State       string   `json:"state"`
	// Sheet, Encoding, Columns and URL are how the sheet was read.
	Sheet    string            `json:"sheet"`
	Encoding string            `json:"encoding"`
	Columns  map[string]string `json:"columns"`
	URL      string            `json:"url"`
	// AllowLocal: its addresses might lead inside.
	AllowLocal bool `json:"allow_local"`
}

// oneOfSeveral stands for a recipe of which only the person can say which it is.
const oneOfSeveral = "RECIPE.yaml"

// newStarted reads it from what the ledger keeps of that. Of a session of which nothing is kept,
// nothing is known.
func newStarted(config []byte, file string) (t started) {
	_ = json.Unmarshal(config, &t)
	if t.File = cmp.Or(t.File, file); t.File == "-" {
		t.File = ""
	}
	return t
}

// recipe returns the recipe's file, or empty where it is the built-in one.
func (t started) recipe() string {
	if len(t.MoreRecipes) > 0 {
		return oneOfSeveral
	}
	return t.RecipeFile
}

// sheet returns what flags say of its sheet.
func (t started) sheet() shell.Sheet {
	return shell.Sheet{Recipes: append([]string{t.RecipeFile}, t.MoreRecipes...), Name: t.Sheet, Encoding: t.Encoding, Columns: t.Columns, URL: t.URL, AllowLocal: t.AllowLocal, State: t.State}
}
