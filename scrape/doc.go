// Package scrape knows a portal's pages: it turns one task and one browser into
// a Result, or into a tasks.Failure that says what should happen next.
//
// A Recipe says how a portal looks. A Portal is shared by all workers of a
// session: it keeps the rate limit. A Scraper belongs to one browser. One
// attempt runs through these phases, and ends in the first that fails:
//
//	open      the order's address is navigated to, and its answer looked at
//	settle    one script waits until nothing can change the page any more, and
//	          returns its fields and its list of documents
//	download  each document of the list is brought into a private directory,
//	          counted, hashed and sniffed
//
// The outcome is computed from that list, the required fields and the proof that
// the page was settled; nothing else. The package decides neither about retries
// nor about files' final places.
package scrape
