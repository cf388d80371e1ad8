package scrape

import (
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/claims"
)

func TestReadRecipeTypes(t *testing.T) {
	t.Parallel()
	r, err := ReadRecipe("x.yaml", strings.NewReader("version: 1\nattachments: {item: a, types: [html, txt]}\n"))
	if err != nil || !slices.Equal(r.documentTypes(), []DocumentType{claims.DocumentHTML, claims.DocumentText}) {
		t.Errorf("got %+v, %v", r, err)
	}
	if AutoRecipe().documentTypes() != nil {
		t.Error("the built-in recipe takes texts as documents")
	}
}
