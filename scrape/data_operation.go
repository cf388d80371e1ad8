package scrape

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/scrape/words"
)

// A POST is not sent whose address, or body, calls what it does by a word that poscrape does not click
// either: approveOrder, /orders/{po}/cancel, a mutation of GraphQL. That such a word is missing proves
// nothing; whether a POST only reads is for the recipe's writer to know.

// checkPostAddress says what is wrong with the template of an address that is posted to.
func checkPostAddress(text string) error {
	segments, query := addressParts(text)
	for _, segment := range segments {
		if err := checkName(segment, "its address"); err != nil {
			return err
		}
	}
	for _, pair := range query {
		if err := cmp.Or(checkOperation(pair[0], pair[1]), checkName(pair[0], "its address")); err != nil {
			return err
		}
	}
	return nil
}

// placeholder is what a template of an address has filled in.
var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// checkReadAddress says what is wrong with the template of an address that is asked for: a GET may do
// more than read as well. What is called by a noun, as /approvals, is not refused.
func checkReadAddress(text string) error {
	names, query := addressParts(placeholder.ReplaceAllString(text, ""))
	for _, pair := range query {
		names = append(names, pair[:]...)
	}
	for _, name := range names {
		words := nameWords(name)
		if len(words) == 0 || nounToo[words[0]] || len(words) == 2 && saysWhen[words[1]] {
			continue
		}
		if err := checkName(name, "its address"); err != nil {
			return err
		}
	}
	return nil
}

// addressParts returns the segments of an address's path, and the names and values of its query.
func addressParts(text string) (segments []string, query [][2]string) {
	path, rest, _ := strings.Cut(text, "?")
	if _, after, found := strings.Cut(path, "://"); found {
		_, path, _ = strings.Cut(after, "/")
	}
	for _, segment := range strings.Split(path, "/") {
		segments = append(segments, unescaped(segment))
	}
	for _, pair := range strings.FieldsFunc(rest, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(pair, "=")
		query = append(query, [2]string{unescaped(name), unescaped(value)})
	}
	return segments, query
}

var (
	// nounToo are words that are refused, and are nouns as well.
	nounToo = setOf("archive firma")
	// saysWhen stands behind a word that is refused where both are a fact of an order: closeDate.
	saysWhen = setOf("date time at by on from to since until status state type")
	// asFact stands before it: lastUpdate, canApprove.
	asFact = setOf("last latest next first can is has was may allow not no date time")
)

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// checkOperations says what is wrong with what a body of JSON asks for.
func checkOperations(value any) error {
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			if err := checkOperations(inner); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			text, _ := v[name].(string)
			if err := cmp.Or(checkOperation(name, text), checkOperations(v[name])); err != nil {
				return err
			}
		}
	case string:
		return checkGraphQL(v)
	}
	return nil
}

// operationKeys are what a value is called that names what is to be done.
var operationKeys = setOf("operationname operation opname op method action do command cmd procedure function task verb")

// checkOperation says what is wrong with a member of a body, a form or a query.
func checkOperation(name, value string) error {
	key := strings.ToLower(strings.Join(nameWords(name), ""))
	switch {
	case strings.HasPrefix(name, "_") && key == "method" || key == "xhttpmethod" || key == "xhttpmethodoverride":
		return fmt.Errorf("has %q, which makes another kind of request of it", name)
	case operationKeys[key] && strings.Contains(value, "{") && !isGraphQL(value):
		return fmt.Errorf("has a placeholder in %q; what is asked for must stand in the recipe", name)
	case operationKeys[key]:
		if err := checkName(value, name); err != nil {
			return err
		}
	}
	return checkGraphQL(value)
}

// checkName says why what is called so is not asked for. where is where the name stands.
func checkName(name, where string) error {
	for _, part := range strings.FieldsFunc(unescaped(name), func(r rune) bool { return strings.ContainsRune(".:;#,", r) }) {
		words := nameWords(part)
		for _, refused := range refusedWords() {
			begins := len(words) >= len(refused) && slices.Equal(words[:len(refused)], refused)
			ends := len(words) > len(refused) && slices.Equal(words[len(words)-len(refused):], refused) && !nounToo[refused[0]] && !asFact[words[0]]
			if begins || ends {
				return fmt.Errorf("has %q in %s, and %q says that it does more than read; poscrape asks for nothing of that kind", part, where, strings.Join(refused, " "))
			}
		}
	}
	return nil
}

// changing are names of operations, besides the words that are not clicked.
var changing = []string{"remove", "update", "upsert", "insert", "edit", "add", "archive", "void", "refund", "revoke", "withdraw", "disable", "deactivate", "buy"}

// refusedWords are the words that say that something does more than show something, each as its words.
var refusedWords = sync.OnceValue(func() (all [][]string) {
	for _, phrase := range slices.Concat(words.Of("refused", "leaves"), changing) {
		all = append(all, nameWords(phrase))
	}
	return all
})

var (
	wordBegins   = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
	afterCapital = regexp.MustCompile(`(\p{Lu})(\p{Lu}\p{Ll})`)
	wordOfName   = regexp.MustCompile(`[\pL\p{Nd}\p{Mn}]+`)
)

// nameWords returns the words that a name is made of: "approveOrder", "approve-order".
func nameWords(name string) (all []string) {
	name = afterCapital.ReplaceAllString(wordBegins.ReplaceAllString(name, "$1 $2"), "$1 $2")
	for _, w := range wordOfName.FindAllString(name, -1) {
		all = append(all, words.Fold(w))
	}
	return all
}

var (
	graphQLStart = regexp.MustCompile(`^(?:[\s,\x{feff}]|#[^\n\r]*(?:[\n\r]|$))*(?:(?:query|mutation|subscription|fragment)\b[^{]*\{|\{(?:[\s,]|#[^\n\r]*[\n\r])*[\w.])`)
	// graphQLNoise are comments and strings, and graphQLInner what stands in brackets, or within a field.
	graphQLNoise = regexp.MustCompile(`#[^\n\r]*|"""(?:[^"\\]|\\.|"[^"]|""[^"])*"""|"(?:[^"\\\n]|\\.)*"`)
	graphQLInner = regexp.MustCompile(`\([^()]*\)|(\{[^{}]*)\{[^{}]*\}`)
	changes      = regexp.MustCompile(`\b(?:mutation|subscription)\b`)
	definition   = regexp.MustCompile(`([^{}]*)\{([^{}]*)\}`)
	graphQLName  = regexp.MustCompile(`(\.\.\.|[@$])?\s*([A-Za-z_]\w*)`)
	lonelyName   = regexp.MustCompile(`\{[^{}\s]*\}`)
)

// isGraphQL reports whether a text is a document of GraphQL, and not one with placeholders alone.
func isGraphQL(text string) bool {
	if !graphQLStart.MatchString(text) {
		return false
	}
	return !strings.HasPrefix(text, "{") || strings.ContainsAny(lonelyName.ReplaceAllString(text, ""), "{}")
}

// checkGraphQL says what is wrong with a text if it is a document of GraphQL: it may have queries alone,
// and none that is called, or asks for what is called, as what is not clicked.
func checkGraphQL(text string) error {
	if !isGraphQL(text) {
		return nil
	}
	text = graphQLNoise.ReplaceAllString(text, " ")
	for graphQLInner.MatchString(text) {
		text = graphQLInner.ReplaceAllString(text, "$1 ")
	}
	if strings.ContainsAny(definition.ReplaceAllString(text, ""), "{}") {
		return errors.New("has braces of GraphQL that do not match")
	}
	for _, d := range definition.FindAllStringSubmatch(text, -1) {
		names := graphQLName.FindAllStringSubmatch(d[1]+" "+d[2], -1)
		if kind := changes.FindString(d[1]); kind != "" {
			return fmt.Errorf("has a %s of GraphQL, which does more than read; only queries are sent", kind)
		}
		for _, name := range names {
			if name[1] != "" || names[0][2] == "fragment" {
				continue
			}
			if err := checkName(name[2], "its query"); err != nil {
				return err
			}
		}
	}
	return nil
}
