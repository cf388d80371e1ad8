// Package signin keeps a session signed in: it knows the state file, which worker signs in
// while the others wait, and which of them have the sign-in that resulted. It does not know
// how a page is filled in (scrape), nor when a worker may begin an order (pool).
package signin
