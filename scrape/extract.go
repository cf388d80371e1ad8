package scrape

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/scrape/words"
)

// What extract.js is made of: each file is one statement, an expression.
var (
	//go:embed page/extract.js
	extractSource string
	//go:embed page/dom.js
	domSource string
	//go:embed page/lexicon.js
	lexiconSource string
	//go:embed page/number.js
	numberSource string
	//go:embed page/identity.js
	identitySource string
	//go:embed page/refusal.js
	refusalSource string
	//go:embed page/substance.js
	substanceSource string
	//go:embed page/shown.js
	shownSource string
	//go:embed page/loading.js
	loadingSource string
	//go:embed page/held.js
	heldSource string
	//go:embed page/drawn.js
	drawnSource string
	//go:embed page/labelled.js
	labelledSource string
	//go:embed page/labels.js
	labelsSource string
	//go:embed page/place.js
	placeSource string
	//go:embed page/more.js
	moreSource string
	//go:embed page/rows.js
	rowsSource string
	//go:embed page/listing.js
	listingSource string
)

// extractScript returns the function that reads a document. It is made where one is read first: much that
// is done without a page would start later for it.
var extractScript = sync.OnceValue(func() string {
	return withDOM(asExpression(extractSource) + "({ words: " + words.Script() +
		", lexicon: " + asExpression(lexiconSource) + ", number: " + asExpression(numberSource) +
		", identity: " + asExpression(identitySource) + ", substance: " + asExpression(substanceSource) + ", shown: " + asExpression(shownSource) + ", refusal: " + asExpression(refusalSource) + ", loading: " + asExpression(loadingSource) +
		", labels: " + asExpression(labelsSource) +
		", held: " + asExpression(heldSource) + ", drawn: " + asExpression(drawnSource) + ", labelled: " + asExpression(labelledSource) + ", place: " + asExpression(placeSource) + ", more: " + asExpression(moreSource) + ", rows: " + asExpression(rowsSource) + ", listing: " + asExpression(listingSource) + "})")
})

// withDOM returns an expression in which dom is what dom.js makes.
func withDOM(expression string) string {
	return "((dom) => " + expression + ")(" + asExpression(domSource) + ")"
}

// asExpression returns a file that is one expression without the semicolon that ends it, so that
// it may stand in another.
func asExpression(source string) string {
	return "(" + strings.TrimSuffix(strings.TrimSpace(source), ";") + ")"
}

// inScript writes a value into a script.
func inScript(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it has nothing but texts
	}
	return string(text)
}
