package scrape

import _ "embed"

// What extract.js is made of: each file is one expression.
var (
	//go:embed page/extract.js
	extractSource string
	//go:embed page/words.js
	wordsSource string
	//go:embed page/lexicon.js
	lexiconSource string
	//go:embed page/number.js
	numberSource string
	//go:embed page/identity.js
	identitySource string
	//go:embed page/refusal.js
	refusalSource string
	//go:embed page/loading.js
	loadingSource string
	//go:embed page/listing_words.js
	listingWordsSource string
	//go:embed page/labels.js
	labelsSource string
	//go:embed page/place.js
	placeSource string
	//go:embed page/more.js
	moreSource string
	//go:embed page/listing.js
	listingSource string
)

// extractScript is the function that reads a document.
var extractScript = "(" + extractSource + ")({ words: " + inScript(newPhraseBook(wordsSource)) + ", lexicon: " + lexiconSource + ", number: " + numberSource +
	", identity: " + identitySource + ", refusal: " + refusalSource + ", loading: " + loadingSource +
	", listingWords: " + inScript(newListingWords(listingWordsSource)) + ", labels: " + labelsSource +
	", place: " + placeSource + ", more: " + moreSource + ", listing: " + listingSource + "})"
