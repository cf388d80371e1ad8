// Package portal is a supplier portal to try poscrape on and to test it
// against. It serves purchase orders that look and weigh like those of a real
// procurement portal, each with one Variation: one of the things that real
// portals do to whoever collects documents from them.
//
// Everything that it serves follows from its Config. The bytes of a document
// are generated while they are sent, from the seed, the order's number and the
// document's index, so an Order states the size and the SHA-256 of each of its
// documents, and its Want how it should end, before anything was asked
// for. What it was asked for is counted, see Portal.Requests.
//
// It keeps no cookies, asks nobody to sign in (see Door), and accepts nothing but GET and
// HEAD, and for one oddity POST. It is not a web framework and not for production: only the demo, the
// portal command and tests use it.
//
// # Life
//
//	New ---> Start ---> Close
//	  `---- (as an http.Handler) ----^
//
// After Close every request is answered with 503.
package portal
