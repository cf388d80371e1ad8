package scrape

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A POST is not sent whose address, or body, calls what it does by a word that poscrape does not click
// either: approveOrder, /orders/{po}/cancel, a mutation of GraphQL. That such a word is missing proves
// nothing; whether a POST only reads is for the recipe's writer to know.

// checkPostAddress says what is wrong with the template of an address that is posted to.
func checkPostAddress(text string) error {
	path, query, _ := strings.Cut(text, "?")
	if _, rest, found := strings.Cut(path, "://"); found {
		_, path, _ = strings.Cut(rest, "/")
	}
	for _, segment := range strings.Split(path, "/") {
		if err := checkName(segment, "its address"); err != nil {
			return err
		}
	}
	for _, pair := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if err := checkOperation(unescaped(name), unescaped(value)); err != nil {
			return err
		}
		if err := checkName(unescaped(name), "its address"); err != nil {
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
	path, query, _ := strings.Cut(placeholder.ReplaceAllString(text, ""), "?")
	if _, rest, found := strings.Cut(path, "://"); found {
		_, path, _ = strings.Cut(rest, "/")
	}
	names := strings.Split(path, "/")
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(pair, "=")
		names = append(names, name, value)
	}
	for _, name := range names {
		words := nameWords(unescaped(name))
		if len(words) == 0 || nounToo[words[0]] || len(words) == 2 && saysWhen[words[1]] {
			continue
		}
		if err := checkName(name, "its address"); err != nil {
			return err
		}
	}
	return nil
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
		for _, name := range sortedNames(v) {
			text, _ := v[name].(string)
			if err := checkOperation(name, text); err != nil {
				return err
			}
			if err := checkOperations(v[name]); err != nil {
				return err
			}
		}
	case string:
		return checkGraphQL(v)
	}
	return nil
}

func sortedNames(v map[string]any) (names []string) {
	for name := range v {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
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
	for _, phrase := range slices.Concat(readWords(listingWordsSource)["refused"], readWords(listingWordsSource)["leaves"], changing) {
		all = append(all, nameWords(phrase))
	}
	return all
})

// nameWords returns the words that a name is made of: "approveOrder", "approve-order".
func nameWords(name string) (words []string) {
	var b strings.Builder
	end := func() {
		if b.Len() > 0 {
			words = append(words, liken(b.String()))
			b.Reset()
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		part := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
		begins := unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1]))
		if !part || begins {
			end()
		}
		if part {
			b.WriteRune(r)
		}
	}
	end()
	return words
}

var (
	graphQLStart = regexp.MustCompile(`^(?:[\s,\x{feff}]|#[^\n\r]*(?:[\n\r]|$))*(?:(?:query|mutation|subscription|fragment)\b[^{]*\{|\{(?:[\s,]|#[^\n\r]*[\n\r])*[\w.])`)
	graphQLToken = regexp.MustCompile(`#[^\n\r]*|"""(?:[^"\\]|\\.|"[^"]|""[^"])*"""|"(?:[^"\\\n]|\\.)*"|\.\.\.|[A-Za-z_]\w*|[{}()@$]`)
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
	g := graphQL{kind: "query"}
	for _, token := range graphQLToken.FindAllString(text, -1) {
		if strings.HasPrefix(token, "#") {
			continue
		}
		if isName := token[0] == '_' || unicode.IsLetter(rune(token[0])); isName {
			if err := g.name(token); err != nil {
				return err
			}
		}
		g.pass(token)
	}
	return nil
}

// graphQL is how far a document of GraphQL has been read.
type graphQL struct {
	// kind is that of the definition, and depth and brackets are how many are open of { and (.
	kind            string
	depth, brackets int
	before          string
}

func (g *graphQL) pass(token string) {
	switch token {
	case "{":
		g.depth++
	case "}":
		if g.depth--; g.depth == 0 {
			g.kind = "query"
		}
	case "(":
		g.brackets++
	case ")":
		g.brackets--
	}
	g.before = token
}

// name says what is wrong with a name: of an operation, or of what it asks for.
func (g *graphQL) name(name string) error {
	begins := g.depth == 0 && (g.before == "" || g.before == "}")
	switch {
	case g.brackets > 0 || g.before == "@" || g.before == "$" || g.before == "...":
	case begins && (name == "mutation" || name == "subscription"):
		return fmt.Errorf("has a %s of GraphQL, which does more than read; only queries are sent", name)
	case begins && name == "fragment":
		g.kind = name
	case g.depth <= 1 && g.kind == "query":
		return checkName(name, "its query")
	}
	return nil
}
