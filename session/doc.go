// Package session puts the parts together and owns their life: one
// ProcessingSession is one run, from the rows of a sheet to the report in which
// each of them is accounted for. It decides nothing that a part can decide: what
// becomes of a task is package tasks, how a page is read is scrape, how many
// workers run is pool and monitor.
//
// # States of a session
//
//	INITIALIZING --> RUNNING <--> PAUSED
//	      |             |           |
//	      |             +--> COMPLETED   every task has its final state
//	      |             +--> FAILED      an error inside poscrape
//	      +-------------+--> INTERRUPTED stopped; it can be resumed
//
// Resume takes a session that has ended back to RUNNING; one that says RUNNING or
// PAUSED, but that nobody owns, was killed and is read as INTERRUPTED.
package session
