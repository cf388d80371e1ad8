// Package worker is the one place where disk, Chrome and page code meet: an Opener makes a
// profile, starts a Chrome in it, and puts a scraper on top, which is a pool.Worker then. It
// holds each worker against its limits, and says what was used, what was lost, and when a
// browser is worn out.
//
// It decides nothing about an order: what became of an attempt is the scraper's to say, and
// whose fault it was, that of package tasks.
package worker
