package scrape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/poscrape/poscrape/internal/claims"
	"github.com/poscrape/poscrape/internal/spelling"
	"github.com/poscrape/poscrape/tasks"
)

// heldBack is behind the name of such a file that a recipe takes all the same.
const heldBack = ".download"

// parseDocumentType reads one of attachments.types.
func parseDocumentType(n ast.Node) (DocumentType, error) {
	text, err := parseText(n)
	if err != nil || claims.Runs(text) {
		return DocumentType(text), err
	}
	texts := []string{string(claims.DocumentHTML), string(claims.DocumentXML), string(claims.DocumentJSON), string(claims.DocumentText)}
	if slices.Contains(texts, text) {
		return DocumentType(text), nil
	}
	if near := spelling.Nearest(text, texts); near != "" {
		return "", fmt.Errorf("is %q; did you mean %q?", text, near)
	}
	return "", fmt.Errorf("is %q; it must be %s, or a kind of file that a system would run, such as exe (\"What could run\" in docs/recipe.md)", text, strings.Join(texts, ", "))
}

// notTaken returns what is wrong with a file that a system would run and the recipe does not take,
// or nil.
func notTaken(found []claims.Running, allowed []DocumentType) *tasks.Failure {
	for _, r := range found {
		if !slices.Contains(allowed, DocumentType(r.Kind)) {
			return tasks.Permanent("", tasks.ClassWrongType, "a system would run it: %s; if it is wanted all the same, allow it in a recipe with attachments.types: [%s], and it is stored with %s behind its name", r.Why, r.Kind, heldBack)
		}
	}
	return nil
}
