// Package scrape knows a portal's pages: it turns one task and one browser into
// a Result, or into a tasks.Failure that says what should happen next.
//
// A Recipe says how a portal looks. A Portal is shared by all workers of a
// session: it keeps the rate limit. A Scraper belongs to one browser. One
// attempt runs through these phases, and ends in the first that fails:
//
//	open      the order's address is navigated to, and its answer looked at
//	fetch     the order's page is fetched and read without being shown, where
//	          that is trusted; otherwise:
//	settle    one script waits until nothing can change the page any more, and
//	          returns its fields and its list of documents
//	download  each document of the list is brought into a private directory,
//	          counted, hashed and sniffed
//
// What pages are trusted to show the same when they are only fetched is kept by
// the Portal for all workers: learning, then trusted or distrusted, and from
// trusted to distrusted; see docs/decisions/0014.
//
// What is known of a page and its documents is gathered as facts (facts.go), and the package
// verdict says what they amount to: first whether the page is the order at all, then what
// keeps it from having been read whole, then what is missing, and last what proves that
// there is nothing. No other place decides about an outcome. Words on pages are known in package words,
// and listed in docs/words.md.
//
// The package decides neither about retries nor about files' final places.
package scrape
