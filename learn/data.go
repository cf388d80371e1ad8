package learn

import "github.com/poscrape/poscrape/scrape"

// ByData is the kind of a place in the data that the page has received.
const ByData scrape.LocatorKind = "data"
